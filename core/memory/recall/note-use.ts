/**
 * Whether Claude's turn used a note that its prompt was given (K7), by what can be seen: it asked
 * for the note by its id, or named what only the note had named, or, of a note without names, took
 * up its words.
 */
import { entryText } from '../l2-facts/l2-verify.ts';
import type { L1Entry } from '../log/l1-refine.ts';
import { namesIn } from '../restore/name-worth.ts';
import { worthOfWord } from '../search/question-words.ts';
import { analyse, chunksOf, termsOf } from '../search/tokenize.ts';

export interface GivenNote {
  id: string;
  /** What it names, and what it says, that neither the prompt nor the context had. */
  names: readonly string[];
  words: readonly string[];
}

const [MIN_WORDS, WORD_SHARE] = [3, 0.5];

export function contentTerms(text: string): Set<string> {
  const words = chunksOf(text).filter((word) => worthOfWord(word) === 1);
  return new Set(words.flatMap((word) => termsOf(analyse(word)).slice(-1)));
}

/** How many of the notes were used; what tools returned is nobody's use. */
export function countUsed(notes: readonly GivenNote[], turn: readonly L1Entry[]): number {
  const done = turn.filter(({ role }) => role !== 'user').map(withoutOutput);
  const calls = done.filter(({ role }) => role === 'tool').map(entryText);
  const text = done.map(entryText).join('\n');
  const names = namesIn(text);
  const terms = contentTerms(text);
  return notes.filter((note) => {
    if (calls.some((call) => call.includes(note.id))) return true;
    if (note.names.length > 0) return note.names.some((name) => names.has(name));
    const taken = note.words.filter((word) => terms.has(word)).length;
    return taken >= MIN_WORDS && taken >= WORD_SHARE * note.words.length;
  }).length;
}

function withoutOutput(entry: L1Entry): L1Entry {
  return entry.role === 'tool' ? { ...entry, output: '' } : entry;
}
