/**
 * Ranks entries for the words of a query (M17). Entries with all words come before those with some;
 * then the better match decides, a little the layer, and on a tie the newer one. It only loops over
 * arrays of numbers, so even a word in nearly every entry costs a few milliseconds.
 */
import { type EntryTable, LAYERS, type Layer } from './entry-table.ts';
import { entryOf, isInTitle, oftenOf, type Postings } from './postings.ts';
import { type Matcher, type QueryWord, TIER } from './query.ts';

export interface RankedEntry {
  entry: number;
  /** How many words of the query it has. */
  matched: number;
  /** From 0 to 1. */
  score: number;
}

export interface EntryMatch {
  /** Numbers of the terms that matched, the best first. */
  terms: number[];
  /** Words of the query that it lacks. */
  missing: string[];
}

/** Distilled knowledge is worth a little more than what was merely said. */
const LAYER_WORTH: Record<Layer, number> = {
  l4: 1.05,
  l3: 1.04,
  memory: 1.04,
  l2: 1.02,
  summary: 1.02,
  l1: 1,
};
const MAX_WORTH = Math.max(...Object.values(LAYER_WORTH));

/** Added to the tier, by BM25's measure of frequency and length. Less than one in total. */
const FREQUENCY_SHARE = 0.75;
const TITLE_SHARE = 0.2;
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.7;
const MAX_PER_WORD = TIER.word + FREQUENCY_SHARE + TITLE_SHARE;
/** Parts never match as well as the whole word. */
const PARTS_WORTH = 0.65;
/** Smaller differences mean nothing; then the newer entry wins. */
const SCORE_STEPS = 100;

/** By entry number, how well it matches a word: the best tier plus the fit, or 0. */
interface Fits {
  values: Float32Array;
  /** How many are not 0. */
  count: number;
}

/** Valid until an entry is added or removed. */
export class Ranker {
  readonly #postings: Postings;
  readonly #entries: EntryTable;
  // Arrays with a number per entry are reused: allocating them for each query would make the
  // garbage collector stop the world.
  readonly #read: Uint32Array;
  readonly #scores: Float32Array;
  readonly #matched: Uint8Array;
  readonly #spare: Float32Array[] = [];
  /** By entry, the frequency that counts half: longer entries repeat every word more often. */
  readonly #saturation: Float32Array;

  constructor(postings: Postings, entries: EntryTable) {
    this.#postings = postings;
    this.#entries = entries;
    this.#read = new Uint32Array(entries.numbers);
    this.#scores = new Float32Array(entries.numbers);
    this.#matched = new Uint8Array(entries.numbers);
    this.#saturation = new Float32Array(entries.numbers);
    const { averageLength } = entries;
    const lengths = entries.values('length');
    for (let entry = 0; entry < this.#saturation.length; entry++) {
      const relativeLength = (lengths[entry] as number) / averageLength;
      this.#saturation[entry] = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * relativeLength);
    }
  }

  best(words: readonly QueryWord[], allowed: Uint8Array, limit: number): RankedEntry[] {
    const layers = this.#entries.values('layer');
    const times = this.#entries.values('at');
    const maxScore = this.#addUp(words, allowed);
    const worth = LAYERS.map((layer) => LAYER_WORTH[layer] / maxScore);
    const isBefore = (one: RankedEntry, other: RankedEntry): boolean => {
      const difference = one.matched - other.matched || one.score - other.score;
      if (difference !== 0) return difference > 0;
      // An entry without a time counts as the oldest; on a tie the one added later comes first.
      const later = (times[one.entry] || 0) - (times[other.entry] || 0);
      return later === 0 ? one.entry > other.entry : later > 0;
    };
    const best: RankedEntry[] = [];
    let worst: RankedEntry = { entry: 0, matched: 1, score: 0 };
    // Mostly from new to old, so that few rank above those already found.
    for (let entry = this.#scores.length - 1; entry >= 0; entry--) {
      const matched = this.#matched[entry] as number;
      if (matched < worst.matched) continue;
      const share = (this.#scores[entry] as number) * (worth[layers[entry] as number] as number);
      const score = Math.round(share * SCORE_STEPS) / SCORE_STEPS;
      if (matched === worst.matched && score < worst.score) continue;
      const ranked = { entry, matched, score };
      const place = placeIn(best, ranked, isBefore);
      if (place >= limit) continue;
      best.splice(place, 0, ranked);
      best.length = Math.min(best.length, limit);
      if (best.length === limit) worst = best[limit - 1] as RankedEntry;
    }
    return best;
  }

  matches(words: readonly QueryWord[], entries: readonly number[]): EntryMatch[] {
    const tiers = new Map<number, Map<number, number>>(entries.map((entry) => [entry, new Map()]));
    const isWanted = new Uint8Array(this.#entries.numbers);
    for (const entry of entries) isWanted[entry] = 1;
    const having = words.map((word) => this.#collectTerms(word, isWanted, tiers));
    return entries.map((entry) => ({
      terms: [...(tiers.get(entry) ?? [])]
        .sort(([, one], [, other]) => other - one)
        .map(([term]) => term),
      missing: words
        .filter(({ isOptional }, index) => !isOptional && !having[index]?.has(entry))
        .map(({ text }) => text),
    }));
  }

  /** Adds up, by entry, the worth and the number of matching words. Returns the highest worth. */
  #addUp(words: readonly QueryWord[], allowed: Uint8Array): number {
    const scores = this.#scores.fill(0);
    const matched = this.#matched.fill(0);
    let maxScore = 0;
    for (const word of words) {
      const { values, count } = this.#fits(word);
      const rarity = rarityOf(count, this.#entries.size);
      const one = word.isOptional ? 0 : 1;
      maxScore += rarity * MAX_PER_WORD * MAX_WORTH;
      for (let entry = 0; entry < values.length; entry++) {
        const fit = values[entry] as number;
        if (fit === 0 || allowed[entry] === 0) continue;
        scores[entry] = (scores[entry] as number) + rarity * fit;
        matched[entry] = (matched[entry] as number) + one;
      }
      this.#spare.push(values);
    }
    return maxScore;
  }

  #fits({ terms, parts }: Matcher): Fits {
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

  /** Collects the matching terms of each wanted entry; returns the entries that have the word. */
  #collectTerms(
    { terms, parts }: Matcher,
    isWanted: Uint8Array,
    tiersByEntry: Map<number, Map<number, number>>,
  ): Set<number> {
    const having = new Set<number>();
    const read = this.#read;
    for (const [term, tier] of terms) {
      const count = this.#postings.read(term, read);
      for (let at = 0; at < count; at++) {
        const entry = entryOf(read[at] as number);
        if (isWanted[entry] === 0) continue;
        const tiers = tiersByEntry.get(entry);
        tiers?.set(term, Math.max(tier, tiers.get(term) ?? 0));
        having.add(entry);
      }
    }
    const [first, ...others] = parts.map((part) =>
      this.#collectTerms(part, isWanted, tiersByEntry),
    );
    for (const entry of first ?? [])
      if (others.every((other) => other.has(entry))) having.add(entry);
    return having;
  }
}

/** If all parts match, the worst of them says how well the word matches. */
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

/** BM25's inverse document frequency. `matching` may still include removed entries. */
function rarityOf(matching: number, size: number): number {
  return Math.log(1 + (Math.max(0, size - matching) + 0.5) / (matching + 0.5));
}

/** Where it belongs in a sorted list. */
function placeIn(
  best: readonly RankedEntry[],
  ranked: RankedEntry,
  isBefore: (one: RankedEntry, other: RankedEntry) => boolean,
): number {
  let low = 0;
  let high = best.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(ranked, best[middle] as RankedEntry)) high = middle;
    else low = middle + 1;
  }
  return low;
}
