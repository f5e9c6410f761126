/**
 * Stores which entry has which term how often (M17), in one array of 32-bit numbers with a chain of
 * ever longer pieces per term. So entries can be added at any time, the whole can be saved and
 * loaded as it is, and a posting costs little more than its four bytes.
 */
import { Column } from './column.ts';

/** Of a posting's bits: how often, whether in the title, and above them the entry. */
const OFTEN_MASK = 0b01111;
const TITLE_BIT = 0b10000;
const ENTRY_SHIFT = 5;

/**
 * Lengths of pieces, each twice as long as the one before. The last place of a full one says where
 * the next begins.
 */
const FIRST_PIECE = 2;
const LONGEST_PIECE = 1024;
const PIECE_AFTER = pieceLengths();

/** Four numbers for each term, side by side because they are needed together. */
const FIRST = 0;
const LAST = 1;
const COUNT = 2;
const NEWEST_ENTRY = 3;
const PER_TERM = 4;

export interface PostingColumns {
  pool: Uint32Array;
  chains: Uint32Array;
}

export class Postings {
  readonly #pool: Column<Uint32Array>;
  readonly #chains: Column<Uint32Array>;

  constructor(
    { pool, chains }: PostingColumns = { pool: new Uint32Array(), chains: new Uint32Array() },
  ) {
    this.#pool = new Column(pool);
    this.#chains = new Column(chains);
  }

  toColumns(): PostingColumns {
    return { pool: this.#pool.trimmed(), chains: this.#chains.trimmed() };
  }

  /**
   * Entries come in the order of their numbers: only the newest one's postings can still change.
   */
  count(term: number, entry: number, isTitle: boolean): void {
    const chain = PER_TERM * term;
    if (chain >= this.#chains.length) this.#chains.extend(chain + PER_TERM - this.#chains.length);
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
    const chain = PER_TERM * term;
    if (chain >= this.#chains.length) this.#chains.extend(chain + PER_TERM - this.#chains.length);
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

  /**
   * Copies the postings of a term, which are never more than there are entries, and says how many.
   */
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

/** The same posting for an entry that got another number. */
export function renumbered(posting: number, entry: number): number {
  return (entry << ENTRY_SHIFT) | (posting & (TITLE_BIT | OFTEN_MASK));
}

/** How long a piece has to be begun for the next posting; 0 while there is room in the last one. */
function pieceAfter(count: number): number {
  const grown = PIECE_AFTER.length - 1;
  if (count <= grown) return PIECE_AFTER[count] as number;
  return (count - grown) % (LONGEST_PIECE - 1) === 0 ? LONGEST_PIECE : 0;
}

/** By number of postings, up to where all further pieces are of the same length. */
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
