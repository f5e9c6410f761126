/**
 * What a prompt is about (K7): its query for the search, and the words in it that say something.
 * Names of files and identifiers count wherever they stand, other words only where the user typed
 * them: of a pasted log nobody wants to be reminded. "ok", "continue", "네 진행해줘" are about nothing.
 */
import { ownSentences } from '../log/own-words.ts';
import { tellingRequest } from '../log/telling-sentence.ts';
import { namesIn } from '../restore/name-worth.ts';
import { worthOfWord } from '../search/question-words.ts';
import { chunksOf } from '../search/tokenize.ts';

export interface PromptWords {
  query: string;
  /** Each once, as typed. */
  words: string[];
}

/** Of a longer prompt the rest says nothing new of what it is about. */
const MAX_PROMPT_CHARS = 4000;
/** Of one that was written elsewhere, such as a plan. */
const HEAD_CHARS = 1000;
const MAX_NAMES = 20;

/** Undefined if the prompt is about nothing by itself. */
export function promptWords(prompt: string): PromptWords | undefined {
  const text = prompt.slice(0, MAX_PROMPT_CHARS);
  const typed = ownSentences(text).map((sentence) => sentence.text);
  const names = [...namesIn(text)].slice(0, MAX_NAMES);
  if (tellingRequest(text) === undefined && names.length === 0) return undefined;
  const said = typed.length > 0 ? typed.join('\n') : text.slice(0, HEAD_CHARS);
  const query = [said, ...names.filter((name) => !said.toLowerCase().includes(name))].join('\n');
  const words = [...new Set(chunksOf(query.normalize('NFKC')))];
  return { query, words: words.filter((word) => worthOfWord(word) === 1) };
}
