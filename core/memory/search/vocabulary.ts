/**
 * The distinct terms of all entries, each with a number (M17). Finds the terms that contain a
 * fragment, begin with it or are one typing error away. Scanning one text of all distinct terms
 * takes a millisecond or two, so entries need no bigrams, which would nearly double the index.
 */
import { StringTable } from './column.ts';

/** Never part of a term, which has only letters, digits and marks. */
const BOUNDARY = '\n';
const FIRST_SYLLABLE = 0xac00;
const VOWELS_AND_FINALS = 588;
/** One error in so many letters: 세션 is not 섹션. */
const LETTERS_PER_ERROR = 5;
const JAMO_PER_ERROR = 6;
const MAX_ERRORS = 2;

export class Vocabulary extends StringTable {
  /** All terms in one text, and where each begins; refreshed after terms were added. */
  #text = '';
  #starts = new Uint32Array();

  static fromText(text: string): Vocabulary {
    return new Vocabulary(text === '' ? [] : text.split(BOUNDARY));
  }

  toText(): string {
    return this.all.join(BOUNDARY);
  }

  containing(fragment: string): number[] {
    return this.#scan(fragment, () => true);
  }

  beginningWith(fragment: string): number[] {
    // Searching for the boundary too would be slower: there is one every few characters.
    return this.#scan(fragment, (at) => this.#text[at - 1] === BOUNDARY);
  }

  /** What may be meant by a mistyped term. A letter of Hangul is a jamo: 매모리 is one from 메모리. */
  similarTo(term: string): number[] {
    const wanted = term.normalize('NFD');
    const perError = wanted.length > term.length ? JAMO_PER_ERROR : LETTERS_PER_ERROR;
    const maxErrors = Math.min(MAX_ERRORS, Math.floor(wanted.length / perError));
    if (maxErrors === 0) return [];
    const first = firstLetter(term);
    const similar: number[] = [];
    for (const [number, candidate] of this.all.entries()) {
      if (firstLetter(candidate) !== first || Math.abs(candidate.length - term.length) > maxErrors)
        continue;
      if (isWithin(maxErrors, wanted, candidate.normalize('NFD'))) similar.push(number);
    }
    return similar;
  }

  #scan(fragment: string, isWanted: (at: number) => boolean): number[] {
    if (fragment === '') return [];
    this.#refresh();
    const found: number[] = [];
    for (let at = this.#text.indexOf(fragment); at >= 0; ) {
      let next: number | undefined = at + 1;
      if (isWanted(at)) {
        const number = this.#termAt(at);
        found.push(number);
        next = this.#starts[number + 1];
      }
      at = next === undefined ? -1 : this.#text.indexOf(fragment, next);
    }
    return found;
  }

  #refresh(): void {
    if (this.#starts.length === this.all.length) return;
    this.#text = BOUNDARY + this.toText();
    this.#starts = new Uint32Array(this.all.length);
    let at = BOUNDARY.length;
    for (const [number, term] of this.all.entries()) {
      this.#starts[number] = at;
      at += term.length + BOUNDARY.length;
    }
  }

  /** The last term that begins at or before `at`. */
  #termAt(at: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#starts[middle] as number) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** The first consonant of a syllable, without decomposing the word. */
function firstLetter(term: string): number {
  const code = term.charCodeAt(0);
  return code < FIRST_SYLLABLE
    ? code
    : Math.floor((code - FIRST_SYLLABLE) / VOWELS_AND_FINALS) + FIRST_SYLLABLE;
}

/** Counts wrong, missing, additional and swapped letters. */
function isWithin(maxErrors: number, one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > maxErrors) return false;
  let before: number[] = [];
  let previous = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped =
        row > 1 &&
        column > 1 &&
        one[row - 1] === other[column - 2] &&
        one[row - 2] === other[column - 1];
      current[column] = Math.min(
        (previous[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (previous[column - 1] as number) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    if (Math.min(...current) > maxErrors) return false;
    before = previous;
    previous = current;
  }
  return (previous[other.length] as number) <= maxErrors;
}
