/**
 * The distinct terms of all entries, each with a number (M17). Finds the terms that contain a
 * fragment, begin with it or are a typing error away. Words repeat themselves, so one text of all
 * distinct ones is scanned in a millisecond or two, and no entry needs bigrams of its own, which
 * would nearly double the index.
 */
import { owned } from './chunk-memory.ts';

/** Terms are letters, digits and marks, so that this never stands in one. */
const BOUNDARY = '\n';
const FIRST_SYLLABLE = 0xac00;
const VOWELS_AND_FINALS = 588;
/** One error in so many letters: 세션 is not 섹션. */
const LETTERS_PER_ERROR = 5;
const JAMO_PER_ERROR = 6;
const MOST_ERRORS = 2;

export class Vocabulary {
  readonly #terms: string[];
  readonly #numbers: Map<string, number>;
  /**
   * All terms in one text, and where each begins in it. Made when it is asked for, and again when
   * words have come.
   */
  #text = '';
  #starts = new Uint32Array();

  constructor(terms: string[] = []) {
    this.#terms = terms;
    this.#numbers = new Map(terms.map((term, number) => [term, number]));
  }

  static fromText(text: string): Vocabulary {
    return new Vocabulary(text === '' ? [] : text.split(BOUNDARY));
  }

  toText(): string {
    return this.#terms.join(BOUNDARY);
  }

  get size(): number {
    return this.#terms.length;
  }

  term(number: number): string {
    return this.#terms[number] as string;
  }

  find(term: string): number | undefined {
    return this.#numbers.get(term);
  }

  findOrAdd(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const kept = owned(term);
    this.#numbers.set(kept, this.#terms.length);
    return this.#terms.push(kept) - 1;
  }

  containing(fragment: string): number[] {
    return this.#scan(fragment, () => true);
  }

  beginningWith(fragment: string): number[] {
    // Looking for the boundary too would be slower: there is one every few characters.
    return this.#scan(fragment, (at) => this.#text[at - 1] === BOUNDARY);
  }

  /**
   * Terms that are meant when `term` is mistyped. For Hangul a letter is a jamo: 매모리 is one away
   * from 메모리.
   */
  similarTo(term: string): number[] {
    const wanted = letters(term);
    const perError = wanted.length > term.length ? JAMO_PER_ERROR : LETTERS_PER_ERROR;
    const mostErrors = Math.min(MOST_ERRORS, Math.floor(wanted.length / perError));
    if (mostErrors === 0) return [];
    const first = firstLetter(term);
    const similar: number[] = [];
    for (const [number, candidate] of this.#terms.entries()) {
      if (firstLetter(candidate) !== first || Math.abs(candidate.length - term.length) > mostErrors)
        continue;
      if (isWithin(mostErrors, wanted, letters(candidate))) similar.push(number);
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
        // Behind the term, so that it is not found twice.
        next = this.#starts[number + 1];
      }
      at = next === undefined ? -1 : this.#text.indexOf(fragment, next);
    }
    return found;
  }

  #refresh(): void {
    if (this.#starts.length === this.#terms.length) return;
    this.#text = BOUNDARY + this.toText();
    this.#starts = new Uint32Array(this.#terms.length);
    let at = BOUNDARY.length;
    for (const [number, term] of this.#terms.entries()) {
      this.#starts[number] = at;
      at += term.length + BOUNDARY.length;
    }
  }

  /** The term whose start is the last one that is not behind `at`. */
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

function letters(term: string): string {
  return term.normalize('NFD');
}

/** Of a syllable its first consonant, without decomposing the word. */
function firstLetter(term: string): number {
  const code = term.charCodeAt(0);
  return code < FIRST_SYLLABLE
    ? code
    : Math.floor((code - FIRST_SYLLABLE) / VOWELS_AND_FINALS) + FIRST_SYLLABLE;
}

/** Whether so many letters wrong, missing, too many or swapped make the one of the other. */
function isWithin(mostErrors: number, one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > mostErrors) return false;
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
    if (Math.min(...current) > mostErrors) return false;
    before = previous;
    previous = current;
  }
  return (previous[other.length] as number) <= mostErrors;
}
