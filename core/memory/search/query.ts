/**
 * What was typed → which terms of the vocabulary would answer it, and how well (M17). Each word is
 * widened: the word itself, without its particles, inside longer words, as a beginning, and where
 * none of that is known, as mistyped.
 */
import { chunksOf } from './chunks.ts';
import { isEnding, koreanStems } from './korean-stems.ts';
import { analyse, type Word } from './tokenize.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface Wanted {
  /** Numbers of terms, with how well each answers: one of `TIER`. */
  terms: Map<number, number>;
  /** Answer as well when all of them do: `load` and `memory` for `loadMemory`. */
  parts: Wanted[];
}

export interface AskedWord extends Wanted {
  /** As it was typed. */
  text: string;
  /** A particle or ending that stands alone: good to have, not missed where it is not. */
  isExtra: boolean;
}

/**
 * One apart, for how well an entry fits adds less than one: a worse tier never comes before a
 * better one. A stem lies near the word, since 저장했다 and 저장한다 are one thing to whoever asks.
 */
export const TIER = { word: 3, stem: 2.8, inside: 1.9, beginning: 0.9, similar: 0.01 } as const;

const MAX_QUERY = 300;
const MOST_WORDS = 12;
/** Written in syllables or without spaces: a word is looked for inside others. */
const COMPOUNDING = /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const SHORTEST_COMPOUND = 4;
const SHORTEST_PIECE = 2;
const MOST_PIECES = 3;
const SHORTEST_BEGINNING = 2;
const SHORTEST_INSIDE = 3;

export function askedWords(query: string, vocabulary: Vocabulary): AskedWord[] {
  const typed = [...new Set(chunksOf(query.slice(0, MAX_QUERY).normalize('NFKC')))].slice(
    0,
    MOST_WORDS,
  );
  const words = typed.map(analyse);
  const hasMore = typed.some((text) => !isEnding(text));
  const asked = words.map((word, index) => {
    const text = typed[index] as string;
    return { ...widened(word, vocabulary), text, isExtra: hasMore && isEnding(text) };
  });
  for (const [index, word] of words.entries())
    joinWithNext(word, words[index + 1], asked.slice(index, index + 2), vocabulary);
  return asked;
}

function widened(word: Word, vocabulary: Vocabulary): Wanted {
  const [whole] = word.terms;
  if (whole === undefined)
    return { terms: new Map(), parts: word.parts.map((part) => widened(part, vocabulary)) };
  const isCompounding = COMPOUNDING.test(whole);
  const terms = isCompounding
    ? compoundingTerms(word, whole, vocabulary)
    : otherTerms(whole, vocabulary);
  const parts =
    isCompounding && word.parts.length === 0
      ? compoundParts(shortestForm(word), vocabulary)
      : word.parts;
  if (terms.size === 0 && parts.length === 0)
    addTerms(terms, guesses(whole, vocabulary), TIER.similar);
  return { terms, parts: parts.map((part) => widened(part, vocabulary)) };
}

function compoundingTerms(word: Word, whole: string, vocabulary: Vocabulary): Map<number, number> {
  const terms = new Map<number, number>();
  addTerms(terms, [vocabulary.find(whole)], TIER.word);
  for (const stem of word.terms.slice(1))
    addTerms(terms, [vocabulary.find(stem)], stem.length > 1 ? TIER.stem : TIER.beginning);
  addTerms(terms, wordsAround(word, vocabulary), whole.length > 1 ? TIER.inside : TIER.beginning);
  return terms;
}

function otherTerms(whole: string, vocabulary: Vocabulary): Map<number, number> {
  const terms = new Map<number, number>();
  addTerms(terms, [vocabulary.find(whole)], TIER.word);
  addTerms(
    terms,
    singulars(whole).map((singular) => vocabulary.find(singular)),
    TIER.stem,
  );
  if (whole.length >= SHORTEST_BEGINNING)
    addTerms(terms, vocabulary.beginningWith(whole), TIER.beginning);
  return terms;
}

/** The better tiers are added first, and stay. */
function addTerms(
  terms: Map<number, number>,
  numbers: readonly (number | undefined)[],
  tier: number,
): void {
  for (const number of numbers)
    if (number !== undefined && !terms.has(number)) terms.set(number, tier);
}

/**
 * 세션 in 자동세션복원. One syllable stands inside too many words. Where the form is a stem of the word, as
 * in 세션을, entries with the word have the stem as well, and need not be looked at again.
 */
function wordsAround(word: Word, vocabulary: Vocabulary): number[] {
  const form = shortestForm(word);
  if (form.length === 1) return vocabulary.beginningWith(form);
  return vocabulary
    .containing(form)
    .filter((number) => !koreanStems(vocabulary.term(number)).includes(form));
}

function guesses(term: string, vocabulary: Vocabulary): number[] {
  const similar = vocabulary.similarTo(term);
  return similar.length === 0 && term.length >= SHORTEST_INSIDE
    ? vocabulary.containing(term)
    : similar;
}

/** The stem, unless it is too short to be told from others. */
function shortestForm({ terms }: Word): string {
  return terms.findLast((form) => form.length >= SHORTEST_PIECE) ?? (terms[0] as string);
}

/** 자동저장 → 자동, 저장, if both are known: people put the space where they like. */
function compoundParts(word: string, vocabulary: Vocabulary, mostPieces = MOST_PIECES): Word[] {
  if (word.length < SHORTEST_COMPOUND || mostPieces < 2) return [];
  for (let at = word.length - SHORTEST_PIECE; at >= SHORTEST_PIECE; at--) {
    const head = word.slice(0, at);
    const tail = word.slice(at);
    if (vocabulary.find(head) === undefined) continue;
    if (vocabulary.find(tail) !== undefined) return [head, tail].map(piece);
    const rest = compoundParts(tail, vocabulary, mostPieces - 1);
    if (rest.length > 0) return [piece(head), ...rest];
  }
  return [];
}

function piece(term: string): Word {
  return { terms: [term], parts: [] };
}

/** `load memory` and 자동 저장 are answered by `loadmemory` and 자동저장 too. */
function joinWithNext(
  word: Word,
  next: Word | undefined,
  asked: readonly Wanted[],
  vocabulary: Vocabulary,
): void {
  for (const end of next?.terms ?? []) {
    const number = vocabulary.find(`${word.terms[0] ?? ''}${end}`);
    if (number === undefined) continue;
    for (const { terms } of asked) terms.set(number, Math.max(TIER.stem, terms.get(number) ?? 0));
  }
}

function singulars(term: string): string[] {
  if (!/^[a-z]{3,}s$/.test(term)) return [];
  if (term.endsWith('ies')) return [`${term.slice(0, -3)}y`];
  return term.endsWith('es') ? [term.slice(0, -1), term.slice(0, -2)] : [term.slice(0, -1)];
}
