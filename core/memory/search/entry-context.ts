/**
 * What an entry is understood from besides its own words (M17): the turns beside it and the whole
 * conversation. Pages stand apart and change nothing for other entries: neither how rare a word is
 * nor how long an entry usually is.
 */
import { type EntryTable, LAYERS, type Layer } from './entry-table.ts';
import type { SparseValues } from './sparse-values.ts';

/** Summaries of sessions, weeks and months, and memory.md. */
export function isPage(layer: Layer): boolean {
  return layer === 'summary' || layer === 'memory';
}

const L1 = LAYERS.indexOf('l1');
/** How much of a word's worth goes to the turns beside the one that has it. An answer comes later. */
const AFTER = [0.6, 0.5, 0.4, 0.3];
const BEFORE = [0.4, 0.3, 0.2];
const LENGTH_WEIGHT = 0.75;
/** So many must there be before it means much in how many of them a word is. */
const FEW_SESSIONS = 10;
const NONE = -1;

export class EntryContext {
  /** By entry, 1 for a page. */
  readonly isPage: Uint8Array;
  /** How many entries there are, and how long they usually are, pages aside. */
  readonly size: number;
  readonly averageLength: number;
  /** By entry, the one before and after it in its conversation. */
  readonly #previous: Int32Array;
  readonly #next: Int32Array;
  readonly #sessionOf: ArrayLike<number>;
  readonly #isSaid: Uint8Array;
  /** By session, the frequency that counts half. */
  readonly #saturation: Float32Array;
  readonly #sums: Float32Array;
  /** How many sessions have entries of L1. */
  readonly #sessions: number;

  constructor(entries: EntryTable) {
    const layers = entries.values('layer');
    const lengths = entries.values('length');
    const sessions = entries.values('session');
    const count = entries.numbers;
    const newest: number[] = [];
    const sessionLengths: number[] = [];
    let [size, length, said] = [0, 0, 0];
    this.isPage = new Uint8Array(count);
    this.#isSaid = new Uint8Array(count);
    this.#previous = new Int32Array(count).fill(NONE);
    this.#next = new Int32Array(count).fill(NONE);
    this.#sessionOf = sessions;
    for (let entry = 0; entry < count; entry++) {
      const layer = layers[entry] as number;
      if (entries.isRemoved(entry)) continue;
      if (isPage(LAYERS[layer] as Layer)) this.isPage[entry] = 1;
      else {
        size++;
        length += lengths[entry] as number;
      }
      if (layer !== L1 || !entries.hasSession(entry)) continue;
      this.#isSaid[entry] = 1;
      said++;
      const session = sessions[entry] as number;
      const before = newest[session];
      if (before !== undefined) {
        this.#previous[entry] = before;
        this.#next[before] = entry;
      }
      newest[session] = entry;
      sessionLengths[session] = (sessionLengths[session] ?? 0) + (lengths[entry] as number);
    }
    this.size = size;
    this.averageLength = Math.max(1, length / Math.max(1, size));
    const known = sessionLengths.filter((words) => words !== undefined);
    this.#sessions = known.length;
    const average = Math.max(1, known.reduce((sum, words) => sum + words, 0) / known.length);
    // In long conversations a word must come more often to say what they are about.
    const saturation = Math.sqrt(said / Math.max(1, known.length));
    this.#saturation = Float32Array.from(
      { length: sessionLengths.length },
      (_, session) =>
        saturation *
        (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * (sessionLengths[session] ?? average)) / average),
    );
    this.#sums = new Float32Array(sessionLengths.length);
  }

  noSessionScores(): Float32Array {
    return new Float32Array(this.#saturation.length);
  }

  /** Writes how much the entries that lack a word have of it by the turns beside them. */
  spread(fits: SparseValues, around: SparseValues): void {
    for (const entry of fits.entries()) {
      if (this.#isSaid[entry] === 0) continue;
      const value = fits.values[entry] as number;
      this.#give(this.#next, AFTER, entry, value, fits, around);
      this.#give(this.#previous, BEFORE, entry, value, fits, around);
    }
  }

  /** To the entries beside, unless they have the word themselves. */
  #give(
    beside: Int32Array,
    shares: readonly number[],
    entry: number,
    value: number,
    fits: SparseValues,
    around: SparseValues,
  ): void {
    let to = entry;
    for (const share of shares) {
      to = beside[to] as number;
      if (to === NONE) return;
      const given = share * value;
      if (fits.values[to] === 0 && given > (around.values[to] as number)) around.set(to, given);
    }
  }

  /**
   * Adds what a word is worth to the conversations that have it, as if each were one long entry.
   * Returns how much it tells conversations apart: 1 if it is in one alone, less the more have it.
   */
  addToSessions(fits: SparseValues, worth: number, scores: Float32Array): number {
    const sums = this.#sums.fill(0);
    let having = 0;
    for (const entry of fits.entries()) {
      if (this.#isSaid[entry] === 0) continue;
      const session = this.#sessionOf[entry] as number;
      if (sums[session] === 0) having++;
      sums[session] = (sums[session] as number) + (fits.values[entry] as number);
    }
    const rarity = worth * rarityOf(having, this.#sessions);
    for (let session = 0; session < sums.length; session++) {
      const sum = sums[session] as number;
      if (sum === 0) continue;
      const fit = sum / (sum + (this.#saturation[session] as number));
      scores[session] = (scores[session] as number) + rarity * fit;
    }
    return 1 - Math.log(Math.max(1, having)) / Math.log(this.#sessions + FEW_SESSIONS);
  }

  /** How well an entry's conversation fits, against the best one; undefined if it is of none. */
  shares(scores: Float32Array): (entry: number) => number | undefined {
    let best = 0;
    for (const score of scores) best = Math.max(best, score);
    return (entry) => {
      const score = scores[this.#sessionOf[entry] as number];
      return best === 0 || this.#isSaid[entry] === 0 ? undefined : (score ?? 0) / best;
    };
  }
}

/** BM25's inverse document frequency. `matching` may still include removed entries. */
export function rarityOf(matching: number, size: number): number {
  return Math.log(1 + (Math.max(0, size - matching) + 0.5) / (matching + 0.5));
}
