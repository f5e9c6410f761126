/** Claude's own suggestions where tools show them: always told apart from what the user said (K8). */

import { worthOfWord } from '../../memory/search/question-words.ts';
import { analyse, chunksOf, termsOf } from '../../memory/search/tokenize.ts';
import { readSuggestions, type Suggestion } from '../../memory/suggestions/suggestions.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { cut, timeOf } from './tool-text.ts';

const MOST_SHOWN = 3;
const TEXT_CHARS = 300;

export function suggestionLines({ id, kind, text, at, fact, reason, support }: Suggestion): string {
  const what = kind === 'remember' ? 'noted by Claude' : `Claude proposes to forget ${fact ?? ''}`;
  const state = support === undefined ? 'unverified' : 'the user said it';
  const head = [id, what, timeOf(at), kind === 'remember' ? state : 'not decided'].join(' · ');
  const quote = support === undefined ? '' : `\n  “${cut(support.quote, TEXT_CHARS)}”`;
  const why = reason === undefined ? '' : `\n  ${cut(reason, TEXT_CHARS)}`;
  return `${head}\n  ${cut(text, TEXT_CHARS)}${quote}${why}`;
}

/** Those that have at least half of the query's words that mean something. */
export function matchingSuggestions(memory: ProjectMemory, query: string): Suggestion[] {
  const suggestions = readSuggestions(memory);
  if (suggestions.length === 0) return [];
  const words = chunksOf(query).filter((word) => worthOfWord(word) === 1);
  const wanted = words.map((word) => termsOf(analyse(word)));
  if (wanted.length === 0) return [];
  const found = suggestions.filter(({ text }) => {
    const has = new Set(chunksOf(text).flatMap((word) => termsOf(analyse(word))));
    const hits = wanted.filter((terms) => terms.some((term) => has.has(term)));
    return hits.length * 2 >= wanted.length;
  });
  return found.slice(-MOST_SHOWN);
}
