/**
 * Ranks entries for the words of a query (M17). Entries with all words come before those with some;
 * then the better match decides, a little the layer, and on a tie the newer one. Plain passes over
 * arrays of numbers: a word in nearly every entry costs no more than a few milliseconds.
 */
import { type EntryTable, LAYERS, type Layer } from './entry-table.ts';
import { entryOf, isInTitle, oftenOf, type Postings } from './postings.ts';
import { type AskedWord, TIER, type Wanted } from './query.ts';

export interface Ranked {
  entry: number;
  /** How many of the asked words it answers. */
  answered: number;
  /** From 0 to 1. */
  score: number;
}

export interface Answer {
  /** Numbers of the terms that answered, the best first. */
  terms: number[];
  missing: string[];
}

/** What was distilled is worth a little more than what was merely said. */
const LAYER_WORTH: Record<Layer, number> = {
  l4: 1.05,
  l3: 1.04,
  memory: 1.04,
  l2: 1.02,
  summary: 1.02,
  l1: 1,
};
const MOST_WORTH = Math.max(...Object.values(LAYER_WORTH));

/**
 * How well an entry fits, on top of the tier, by BM25's measure of frequency and length. Together
 * less than one.
 */
const FREQUENCY_SHARE = 0.75;
const TITLE_SHARE = 0.2;
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.7;
const MOST_PER_WORD = TIER.word + FREQUENCY_SHARE + TITLE_SHARE;
/** Below the word as a whole, whatever the parts. */
const PARTS_WORTH = 0.65;
/** Smaller differences say nothing; then the newer entry wins. */
const SCORE_STEPS = 100;

/** By entry how well it answers a word: its best tier and how well it fits, 0 where it does not. */
interface Fits {
  values: Float32Array;
  /** How many are not 0. */
  count: number;
}

/** For as long as no entry comes or goes. */
export class Ranker {
  readonly #postings: Postings;
  readonly #entries: EntryTable;
  // Arrays as long as the list of entries are used again: new ones for each query make the garbage
  // collector stop the world.
  readonly #read: Uint32Array;
  readonly #scores: Float32Array;
  readonly #answered: Uint8Array;
  readonly #spare: Float32Array[] = [];
  /**
   * By entry, how often a word must be said to count half; longer entries say everything more
   * often.
   */
  readonly #saturation: Float32Array;

  constructor(postings: Postings, entries: EntryTable) {
    this.#postings = postings;
    this.#entries = entries;
    this.#read = new Uint32Array(entries.numbers);
    this.#scores = new Float32Array(entries.numbers);
    this.#answered = new Uint8Array(entries.numbers);
    this.#saturation = new Float32Array(entries.numbers);
    const { lengths, averageLength } = entries;
    for (let entry = 0; entry < this.#saturation.length; entry++) {
      const relativeLength = (lengths[entry] as number) / averageLength;
      this.#saturation[entry] = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * relativeLength);
    }
  }

  best(asked: readonly AskedWord[], allowed: Uint8Array, limit: number): Ranked[] {
    const { layers, times } = this.#entries;
    const most = this.#addUp(asked, allowed);
    const worth = LAYERS.map((layer) => LAYER_WORTH[layer] / most);
    const isBefore = (one: Ranked, other: Ranked): boolean => {
      const difference = one.answered - other.answered || one.score - other.score;
      if (difference !== 0) return difference > 0;
      // What has no time is older than everything; of two that came at once, the later one was put
      // in later.
      const later = (times[one.entry] || 0) - (times[other.entry] || 0);
      return later === 0 ? one.entry > other.entry : later > 0;
    };
    const best: Ranked[] = [];
    let worst: Ranked = { entry: 0, answered: 1, score: 0 };
    // Mostly from new to old, so that few come before those that are already in.
    for (let entry = this.#scores.length - 1; entry >= 0; entry--) {
      const answered = this.#answered[entry] as number;
      if (answered < worst.answered) continue;
      const share = (this.#scores[entry] as number) * (worth[layers[entry] as number] as number);
      const score = Math.round(share * SCORE_STEPS) / SCORE_STEPS;
      if (answered === worst.answered && score < worst.score) continue;
      const ranked = { entry, answered, score };
      const place = placeIn(best, ranked, isBefore);
      if (place >= limit) continue;
      best.splice(place, 0, ranked);
      best.length = Math.min(best.length, limit);
      if (best.length === limit) worst = best[limit - 1] as Ranked;
    }
    return best;
  }

  /** What in each of these entries answered, and what they lack. */
  answers(asked: readonly AskedWord[], wanted: readonly number[]): Answer[] {
    const noted = new Map<number, Map<number, number>>(wanted.map((entry) => [entry, new Map()]));
    const isWanted = new Uint8Array(this.#entries.numbers);
    for (const entry of wanted) isWanted[entry] = 1;
    const having = asked.map((word) => this.#noteTerms(word, isWanted, noted));
    return wanted.map((entry) => {
      const terms = [...(noted.get(entry) ?? [])]
        .sort(([, one], [, other]) => other - one)
        .map(([term]) => term);
      return {
        terms,
        missing: asked
          .filter(({ isExtra }, index) => !isExtra && !having[index]?.has(entry))
          .map(({ text }) => text),
      };
    });
  }

  /**
   * By entry, what the words that it answers are worth together, and how many they are. Gives back
   * what all can be worth.
   */
  #addUp(asked: readonly AskedWord[], allowed: Uint8Array): number {
    const scores = this.#scores.fill(0);
    const answered = this.#answered.fill(0);
    let most = 0;
    for (const word of asked) {
      const { values, count } = this.#fits(word);
      const rarity = rarityOf(count, this.#entries.size);
      const one = word.isExtra ? 0 : 1;
      most += rarity * MOST_PER_WORD * MOST_WORTH;
      for (let entry = 0; entry < values.length; entry++) {
        const fit = values[entry] as number;
        if (fit === 0 || allowed[entry] === 0) continue;
        scores[entry] = (scores[entry] as number) + rarity * fit;
        answered[entry] = (answered[entry] as number) + one;
      }
      this.#spare.push(values);
    }
    return most;
  }

  #fits({ terms, parts }: Wanted): Fits {
    const values = this.#spare.pop()?.fill(0) ?? new Float32Array(this.#read.length);
    const read = this.#read;
    const saturation = this.#saturation;
    let count = 0;
    for (const [term, tier] of terms) {
      const postings = this.#postings.read(term, read);
      for (let at = 0; at < postings; at++) {
        const posting = read[at] as number;
        const entry = entryOf(posting);
        const often = oftenOf(posting);
        const share = (FREQUENCY_SHARE * often) / (often + (saturation[entry] as number));
        const fit = tier + share + (isInTitle(posting) ? TITLE_SHARE : 0);
        const before = values[entry] as number;
        if (before === 0) count++;
        if (fit > before) values[entry] = fit;
      }
    }
    if (parts.length === 0) return { values, count };
    const fitsOfParts = parts.map((part) => this.#fits(part));
    this.#spare.push(...fitsOfParts.map((part) => part.values));
    return withParts({ values, count }, fitsOfParts);
  }

  /**
   * Writes down the terms of each wanted entry with their tiers, and gives back those that answer
   * the word.
   */
  #noteTerms(
    { terms, parts }: Wanted,
    isWanted: Uint8Array,
    noted: Map<number, Map<number, number>>,
  ): Set<number> {
    const having = new Set<number>();
    const read = this.#read;
    for (const [term, tier] of terms) {
      const count = this.#postings.read(term, read);
      for (let at = 0; at < count; at++) {
        const entry = entryOf(read[at] as number);
        if (isWanted[entry] === 0) continue;
        const tiers = noted.get(entry);
        tiers?.set(term, Math.max(tier, tiers.get(term) ?? 0));
        having.add(entry);
      }
    }
    const [first, ...others] = parts.map((part) => this.#noteTerms(part, isWanted, noted));
    for (const entry of first ?? [])
      if (others.every((other) => other.has(entry))) having.add(entry);
    return having;
  }
}

/** Where all parts are, the worst of them tells how well the word is answered. */
function withParts({ values, count }: Fits, parts: readonly Fits[]): Fits {
  let all = count;
  for (let entry = 0; entry < values.length; entry++) {
    let least = Number.POSITIVE_INFINITY;
    for (const part of parts) least = Math.min(least, part.values[entry] as number);
    if (least === 0) continue;
    if (values[entry] === 0) all++;
    values[entry] = Math.max(values[entry] as number, PARTS_WORTH * least);
  }
  return { values, count: all };
}

/**
 * The fewer entries answer a word, the more it says (BM25's inverse document frequency). Removed
 * ones may still be counted in.
 */
function rarityOf(answering: number, size: number): number {
  return Math.log(1 + (Math.max(0, size - answering) + 0.5) / (answering + 0.5));
}

/** Where it belongs in a list that is in order. */
function placeIn(
  best: readonly Ranked[],
  ranked: Ranked,
  isBefore: (one: Ranked, other: Ranked) => boolean,
): number {
  let low = 0;
  let high = best.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(ranked, best[middle] as Ranked)) high = middle;
    else low = middle + 1;
  }
  return low;
}
