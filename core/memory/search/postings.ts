/**
 * Stores which entry has which term how often (M17), in one array of 32-bit numbers with a chain of
 * ever longer pieces per term. So entries can be added at any time, the whole is saved and loaded
 * as it is, and a posting takes little more than four bytes.
 */
import { Column, type Numbers } from './column.ts';

/** The bits of a posting, from the lowest: how often, whether in the title, the entry. */
const OFTEN_MASK = 0b01111;
const TITLE_BIT = 0b10000;
const ENTRY_SHIFT = 5;

/** Each piece is twice as long as the one before; its last number says where the next begins. */
const FIRST_PIECE = 2;
const LONGEST_PIECE = 1024;
const PIECE_AFTER = pieceLengths();

/** Four numbers per term, side by side because they are used together. */
const FIRST = 0;
const LAST = 1;
const COUNT = 2;
const NEWEST_ENTRY = 3;
const PER_TERM = 4;

export interface SavedPostings {
  pool: Numbers;
  chains: Numbers;
}

export class Postings {
  readonly #pool: Column;
  readonly #chains: Column;

  constructor({ pool, chains }: Partial<SavedPostings> = {}) {
    this.#pool = new Column(pool ?? new Uint32Array());
    this.#chains = new Column(chains ?? new Uint32Array());
  }

  toSaved(): SavedPostings {
    return { pool: this.#pool.trimmed(), chains: this.#chains.trimmed() };
  }

  /** Entries come in the order of their numbers, so only the newest posting can still change. */
  count(term: number, entry: number, isTitle: boolean): void {
    const chain = this.#chainOf(term);
    const chains = this.#chains.values;
    if (chains[chain + COUNT] === 0 || chains[chain + NEWEST_ENTRY] !== entry)
      this.append(term, (entry << ENTRY_SHIFT) | (isTitle ? TITLE_BIT : 0) | 1);
    else {
      const last = chains[chain + LAST] as number;
      const posting = this.#pool.get(last);
      if (oftenOf(posting) < OFTEN_MASK) this.#pool.set(last, posting + 1);
    }
  }

  append(term: number, posting: number): void {
    const chain = this.#chainOf(term);
    const chains = this.#chains.values;
    const count = chains[chain + COUNT] as number;
    let at = (chains[chain + LAST] as number) + 1;
    const length = pieceAfter(count);
    if (length > 0) {
      const start = this.#pool.extend(length);
      if (count === 0) chains[chain + FIRST] = start;
      else this.#pool.set(at, start);
      at = start;
    }
    this.#pool.set(at, posting);
    chains[chain + LAST] = at;
    chains[chain + COUNT] = count + 1;
    chains[chain + NEWEST_ENTRY] = entryOf(posting);
  }

  #chainOf(term: number): number {
    const chain = PER_TERM * term;
    if (chain >= this.#chains.length) this.#chains.extend(chain + PER_TERM - this.#chains.length);
    return chain;
  }

  /** How many entries have a term, removed ones too. */
  size(term: number | undefined): number {
    return term === undefined ? 0 : this.#chains.get(PER_TERM * term + COUNT);
  }

  /** Copies the postings of a term, at most one per entry, and returns how many there are. */
  read(term: number, into: Uint32Array): number {
    const chain = PER_TERM * term;
    const count = this.#chains.get(chain + COUNT);
    const pool = this.#pool.values;
    let at = this.#chains.get(chain + FIRST);
    let length = FIRST_PIECE;
    for (let copied = 0; copied < count; ) {
      const end = at + Math.min(length - 1, count - copied);
      for (; at < end; at++) into[copied++] = pool[at] as number;
      at = pool[at] as number;
      length = Math.min(2 * length, LONGEST_PIECE);
    }
    return count;
  }

  /** Those of the entries, in ascending order, that have the term. Skips what lies between them. */
  among(term: number, entries: readonly number[]): number[] {
    const chain = PER_TERM * term;
    const count = this.#chains.get(chain + COUNT);
    const pool = this.#pool.values;
    const having: number[] = [];
    let at = this.#chains.get(chain + FIRST);
    let next = 0;
    for (let seen = 0, length = FIRST_PIECE; seen < count && next < entries.length; ) {
      const end = at + Math.min(length - 1, count - seen);
      const last = entryOf(pool[end - 1] as number);
      for (; next < entries.length && (entries[next] as number) <= last; next++)
        if (isWithin(pool, at, end, entries[next] as number)) having.push(entries[next] as number);
      seen += end - at;
      at = pool[end] as number;
      length = Math.min(2 * length, LONGEST_PIECE);
    }
    return having;
  }
}

function isWithin(pool: Numbers, start: number, end: number, entry: number): boolean {
  let [low, high] = [start, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (entryOf(pool[middle] as number) < entry) low = middle + 1;
    else high = middle;
  }
  return low < end && entryOf(pool[low] as number) === entry;
}

export function entryOf(posting: number): number {
  return posting >>> ENTRY_SHIFT;
}

export function oftenOf(posting: number): number {
  return posting & OFTEN_MASK;
}

export function isInTitle(posting: number): boolean {
  return (posting & TITLE_BIT) !== 0;
}

/** The posting of an entry whose number has changed. */
export function renumbered(posting: number, entry: number): number {
  return (entry << ENTRY_SHIFT) | (posting & (TITLE_BIT | OFTEN_MASK));
}

/** The length of the piece to begin for the next posting; 0 while the last one has room. */
function pieceAfter(count: number): number {
  const grown = PIECE_AFTER.length - 1;
  if (count <= grown) return PIECE_AFTER[count] as number;
  return (count - grown) % (LONGEST_PIECE - 1) === 0 ? LONGEST_PIECE : 0;
}

/** By number of postings, up to where all further pieces have the same length. */
function pieceLengths(): Uint32Array {
  const lengths: number[] = [];
  let held = 0;
  for (let length = FIRST_PIECE; length <= LONGEST_PIECE; length *= 2) {
    lengths[held] = length;
    held += length - 1;
  }
  lengths[held] = LONGEST_PIECE;
  return Uint32Array.from(lengths, (length) => length ?? 0);
}
