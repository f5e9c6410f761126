/**
 * The sentences of a prompt or a reply that can stand alone in a note (K7): without code, without
 * "Let me look", and without what redaction has touched.
 */
import { sentencesIn } from '../log/own-words.ts';
import { isTellingReply } from '../log/telling-sentence.ts';
import { GONE } from '../redact/scan.ts';

/** Of a longer text only its beginning is looked at. */
const MAX_TEXT_CHARS = 12_000;
const [MIN_CHARS, MAX_CHARS] = [20, 300];
const CODE = /```[\s\S]*?(?:```|$)/g;
const LIST_MARK = /^[\s#>*•|-]+|\*\*/g;

/** In their order. */
export function noteSentences(text: string): string[] {
  return text
    .slice(0, MAX_TEXT_CHARS)
    .replace(CODE, '\n')
    .split('\n')
    .flatMap((line) => sentencesIn(line.replace(LIST_MARK, '')))
    .filter(
      (sentence) =>
        sentence.length >= MIN_CHARS &&
        sentence.length <= MAX_CHARS &&
        !sentence.includes(GONE) &&
        isTellingReply(sentence),
    );
}
