/**
 * Finds facts without a model (M16): what the user said, in so many words, is to hold from now on.
 * It finds few, but each is the user's own sentence. Returns the answer that a model would have
 * given.
 */
import type { L1Entry } from '../log/l1-refine.ts';

const MAX_SENTENCE_CHARS = 300;
/** A syllable says as much as two letters. */
const MIN_SENTENCE_LETTERS = 12;
const LASTING =
  /\b(?:from now on|always|never|must(?: not)?|do(?: not|n't) ever|we (?:decided|agreed|chose|will use|use)|let'?s (?:use|go with|stick with)|I (?:prefer|decided|want you to always)|remember that|the rule is)\b|앞으로|항상|언제나|절대|반드시|기억해|하기로 (?:했|하자|결정)|결정했|금지|하지 ?마|규칙은/i;
const QUESTION = /[?？]\s*$|(?:까|나요|니|가요)[.?]?\s*$/;

export function extractFacts(entries: readonly L1Entry[], limit: number): string {
  const facts = entries.flatMap((entry) =>
    entry.role === 'user'
      ? sentences(entry.text).flatMap((sentence) => lastingFact(entry, sentence) ?? [])
      : [],
  );
  return JSON.stringify(facts.slice(-limit));
}

function lastingFact(entry: L1Entry, sentence: string): object | undefined {
  const letters = sentence.length + (sentence.match(/\p{Script=Hangul}/gu)?.length ?? 0);
  const fits = letters >= MIN_SENTENCE_LETTERS && sentence.length <= MAX_SENTENCE_CHARS;
  if (!fits || !LASTING.test(sentence) || QUESTION.test(sentence)) return undefined;
  return { kind: 'decision', content: sentence, entry: entry.id, quote: sentence };
}

/** Code and quoted text are not the user's own sentences. */
function sentences(text: string): string[] {
  const prose = text.replace(/```[\s\S]*?(?:```|$)/g, '\n').replace(/^\s*>.*$/gm, '');
  return prose.split(/(?<=[.!?。])\s+|\n+/).map((sentence) => sentence.trim());
}
