/**
 * Finds the terms of the vocabulary that match a query, and how well (M17). A word matches as it
 * is, without its particles, inside longer words, as their beginning, and if none of that is known,
 * as mistyped.
 */
import { marksAskedFor } from './answer-kinds.ts';
import { isEnding, koreanStems } from './korean-stems.ts';
import { soundingLike, translationsOf } from './other-script.ts';
import { type NamedTime, namedTime } from './question-dates.ts';
import { FRAME_WORTH, worthOfWord } from './question-words.ts';
import { analyse, chunksOf, type Word } from './tokenize.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface Matcher {
  /** Numbers of terms, each with its `TIER`. */
  terms: Map<number, number>;
  /** All of them together match as well: `load` and `memory` for `loadMemory`. */
  parts: Matcher[];
}

export interface QueryWord extends Matcher {
  /** As it was typed. */
  text: string;
  /** An entry may lack it: a particle that stands alone, or a word that only frames the question. */
  isOptional: boolean;
  /** How much it counts, from 0 to 1. */
  worth: number;
  /** A time is like a word that the entries of that time have. */
  time?: NamedTime;
}

export interface Query {
  words: QueryWord[];
  /** A sentence: the entry that answers it may have none of its words. Else each word is wanted. */
  isQuestion: boolean;
  /** Terms of entries that say the kind of thing that is asked for. */
  marks: number[];
}

/** How well a term matches, as a share. A stem is near the word: 저장했다 and 저장한다 mean the same. */
export const TIER = {
  word: 1,
  stem: 0.95,
  meaning: 0.7,
  inside: 0.7,
  sound: 0.5,
  part: 0.4,
  beginning: 0.3,
  similar: 0.1,
} as const;

/** A question is not cut; what is pasted has said what it is about by then. */
const MAX_QUERY = 4000;
const MAX_WORDS = 60;
/** To look for a word inside others is a walk over all terms: only for so many words. */
const MAX_SEARCHED_INSIDE = 12;
/** Fewer words are typed to find what begins with them; in a sentence every word is whole. */
const MOST_KEYWORDS = 3;
/** Scripts of syllables or without spaces: words are found inside others. */
const COMPOUNDING = /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HANGUL = /\p{Script=Hangul}/u;
const SHORTEST_COMPOUND = 4;
const SHORTEST_PIECE = 2;
const MAX_PIECES = 3;
const SHORTEST_BEGINNING = 2;
const SHORTEST_INSIDE = 3;

export function queryWords(query: string, vocabulary: Vocabulary, now: Date): Query {
  const text = query.slice(0, MAX_QUERY).normalize('NFKC');
  const all = [...new Set(chunksOf(text))];
  const time = namedTime(text, now);
  const ofTime = new Set(time === undefined ? [] : chunksOf(time.text));
  const typed = contentWords(all);
  const words = typed.map(analyse);
  const worths = words.map(({ terms }, index) => {
    const chunk = typed[index] as string;
    return Math.min(
      worthOfWord(chunk, HANGUL.test(chunk) ? terms : []),
      ofTime.has(chunk) ? FRAME_WORTH : 1,
    );
  });
  const isLess = typed.map((chunk, index) => isEnding(chunk) || (worths[index] as number) < 1);
  const hasMore = time !== undefined || isLess.includes(false);
  const asked = words.map((word, index): QueryWord => {
    const isWide = index < MAX_SEARCHED_INSIDE;
    const matcher = matcherFor(word, vocabulary, {
      isWide,
      isPrefix: isWide && typed.length <= MOST_KEYWORDS,
    });
    const worth = hasMore ? (worths[index] as number) : 1;
    return {
      ...matcher,
      text: typed[index] as string,
      isOptional: hasMore && (isLess[index] as boolean),
      worth,
    };
  });
  for (const [index, word] of words.entries())
    joinWithNext(word, words[index + 1], asked.slice(index, index + 2), vocabulary);
  const wanted = asked.filter(({ isOptional }) => !isOptional).length;
  if (time !== undefined)
    asked.push({
      terms: new Map(),
      parts: [],
      text: time.text,
      isOptional: wanted > 0,
      worth: 1,
      time,
    });
  const marks = marksAskedFor(text).flatMap((mark) => vocabulary.find(mark) ?? []);
  return {
    words: asked,
    marks,
    isQuestion: wanted > MOST_KEYWORDS || (hasMore && wanted < all.length),
  };
}

/** Without the words of grammar, unless there are no others: `to be or not to be`. */
function contentWords(typed: string[]): string[] {
  const content = typed.filter((text) => worthOfWord(text) > 0);
  return (content.length === 0 ? typed : content).slice(0, MAX_WORDS);
}

/** Whether the walk over all terms may be made, and whether beginnings and sounds count. */
interface Effort {
  isWide: boolean;
  isPrefix: boolean;
}

function matcherFor(word: Word, vocabulary: Vocabulary, effort: Effort): Matcher {
  const [whole] = word.terms;
  const matcherOf = (part: Word) => matcherFor(part, vocabulary, effort);
  if (whole === undefined) return { terms: new Map(), parts: word.parts.map(matcherOf) };
  const terms = matchingTerms(word, vocabulary, effort);
  const isCompound = COMPOUNDING.test(whole) && word.parts.length === 0;
  const parts = isCompound ? compoundParts(shortestForm(word), vocabulary) : word.parts;
  // Of 보관기간 an answer may have 보관 alone.
  if (isCompound)
    for (const part of parts)
      addTerms(
        terms,
        part.terms.map((t) => vocabulary.find(t)),
        TIER.part,
      );
  if (effort.isWide && terms.size === 0 && parts.length === 0) {
    addTerms(terms, soundingLike(shortestForm(word), vocabulary), TIER.sound);
    addTerms(terms, guesses(whole, vocabulary), TIER.similar);
  }
  return { terms, parts: parts.map(matcherOf) };
}

function matchingTerms(word: Word, vocabulary: Vocabulary, effort: Effort): Matcher['terms'] {
  const [whole = '', ...stems] = word.terms;
  const terms = new Map<number, number>();
  addTerms(terms, [vocabulary.find(whole)], TIER.word);
  for (const stem of stems)
    addTerms(terms, [vocabulary.find(stem)], stem.length > 1 ? TIER.stem : TIER.beginning);
  for (const form of word.terms)
    addTerms(
      terms,
      translationsOf(form).map((other) => vocabulary.find(other)),
      TIER.meaning,
    );
  if (!effort.isWide) return terms;
  if (COMPOUNDING.test(whole))
    addTerms(terms, termsAround(word, vocabulary), whole.length > 1 ? TIER.inside : TIER.beginning);
  else if ((effort.isPrefix || terms.size === 0) && whole.length >= SHORTEST_BEGINNING)
    addTerms(terms, vocabulary.beginningWith(whole), TIER.beginning);
  return terms;
}

/** A term keeps the tier it was first added with, so better tiers must come first. */
function addTerms(
  terms: Map<number, number>,
  numbers: readonly (number | undefined)[],
  tier: number,
): void {
  for (const number of numbers)
    if (number !== undefined && !terms.has(number)) terms.set(number, tier);
}

/**
 * 세션 in 자동세션복원, but not in 세션을: an entry with 세션을 has the stem 세션 as a term too. A single
 * syllable stands inside too many words.
 */
function termsAround(word: Word, vocabulary: Vocabulary): number[] {
  const form = shortestForm(word);
  if (form.length === 1) return vocabulary.beginningWith(form);
  return vocabulary
    .containing(form)
    .filter((number) => !koreanStems(vocabulary.at(number)).includes(form));
}

function guesses(term: string, vocabulary: Vocabulary): number[] {
  const similar = vocabulary.similarTo(term);
  return similar.length === 0 && term.length >= SHORTEST_INSIDE
    ? vocabulary.containing(term)
    : similar;
}

/** The stem, unless it is too short to be distinctive. */
function shortestForm({ terms }: Word): string {
  return terms.findLast((form) => form.length >= SHORTEST_PIECE) ?? (terms[0] as string);
}

/** 자동저장 → 자동, 저장, if both are known: people put the space where they like. */
function compoundParts(word: string, vocabulary: Vocabulary, maxPieces = MAX_PIECES): Word[] {
  if (word.length < SHORTEST_COMPOUND || maxPieces < 2) return [];
  const piece = (term: string): Word => ({ terms: [term], parts: [] });
  for (let at = word.length - SHORTEST_PIECE; at >= SHORTEST_PIECE; at--) {
    const head = word.slice(0, at);
    const tail = word.slice(at);
    if (vocabulary.find(head) === undefined) continue;
    if (vocabulary.find(tail) !== undefined) return [head, tail].map(piece);
    const rest = compoundParts(tail, vocabulary, maxPieces - 1);
    if (rest.length > 0) return [piece(head), ...rest];
  }
  return [];
}

/** `load memory` and 자동 저장 match `loadmemory` and 자동저장 too. */
function joinWithNext(
  word: Word,
  next: Word | undefined,
  asked: readonly Matcher[],
  vocabulary: Vocabulary,
): void {
  const [begin] = word.terms;
  for (const end of next?.terms ?? []) {
    const number = begin === undefined ? undefined : vocabulary.find(`${begin}${end}`);
    if (number === undefined) continue;
    for (const { terms } of asked) terms.set(number, Math.max(TIER.stem, terms.get(number) ?? 0));
  }
}
