/**
 * Ranks entries for the words of a query (M17), by BM25 over the words that say something. What was
 * said in a conversation is understood from the turns around it and from the whole conversation, so
 * these count too. It only loops over arrays of numbers, so even a word in nearly every entry costs
 * a few milliseconds. Pages, which repeat what was said, are a group of their own at the end.
 */
import { EntryContext, rarityOf } from './entry-context.ts';
import { type EntryTable, LAYERS, type Layer } from './entry-table.ts';
import { entryOf, isInTitle, oftenOf, type Postings } from './postings.ts';
import { type Matcher, type Query, TIER } from './query.ts';
import type { NamedTime } from './question-dates.ts';
import { SparseValues } from './sparse-values.ts';

export interface RankedEntry {
  entry: number;
  /** From 0 to 1: a higher one ranks higher, among pages and among all others. */
  score: number;
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
/** Of pages beside other hits. */
const MAX_PAGES = 3;
/** The values of `isPage`. */
const OTHERS = 0;
const PAGES = 1;

/** BM25's: how soon a word that is repeated says nothing new, and how much long entries lose. */
const SATURATION = 0.7;
const LENGTH_WEIGHT = 0.3;
/** A word of the title counts as if it were said so often more. */
const TITLE_OFTEN = 2;
const MAX_FIT = 1 + SATURATION;
/** Parts never match as well as the whole word. */
const PARTS_WORTH = 0.65;
/** How much of the score depends on the share of the words that an entry has. */
const COVERAGE = 0.3;
/** A word that more entries have says little of the turns beside them, and would cost most. */
const MOST_SPREAD = 15_000;
/** How much of a word's rarity depends on how well it tells conversations apart. */
const TELLING = 0.4;
/** How much more an entry counts that says the kind of thing that is asked for. */
const MARKED_WORTH = 1.3;
/** How much the best conversation adds to its entries. */
const SESSION = 0.8;
/** Smaller differences mean nothing; then the newer entry wins. */
const SCORE_STEPS = 1000;

/** The score of an entry, or 0 if it cannot reach the worst of the best. */
type Scorer = (entry: number, worst: number) => number;

/** Valid until an entry is added or removed. */
export class Ranker {
  readonly #postings: Postings;
  readonly #entries: EntryTable;
  readonly #context: EntryContext;
  // Arrays with a number per entry are reused: allocating them for each query would make the
  // garbage collector stop the world.
  readonly #read: Uint32Array;
  readonly #scores: SparseValues;
  readonly #covered: Float32Array;
  readonly #matched: Uint8Array;
  readonly #spare: SparseValues[] = [];
  /** By entry, the frequency that counts half: longer entries repeat every word more often. */
  readonly #saturation: Float32Array;

  constructor(postings: Postings, entries: EntryTable) {
    this.#postings = postings;
    this.#entries = entries;
    this.#context = new EntryContext(entries);
    this.#read = new Uint32Array(entries.numbers);
    this.#scores = new SparseValues(entries.numbers);
    this.#covered = new Float32Array(entries.numbers);
    this.#matched = new Uint8Array(entries.numbers);
    this.#saturation = new Float32Array(entries.numbers);
    const { averageLength } = this.#context;
    const lengths = entries.values('length');
    for (let entry = 0; entry < this.#saturation.length; entry++) {
      const relativeLength = (lengths[entry] as number) / averageLength;
      this.#saturation[entry] = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * relativeLength);
    }
  }

  /** The best first; then the best of the pages, as far as there is room. */
  best(query: Query, allowed: Uint8Array, limit: number): RankedEntry[] {
    const scoreOf = this.#addUp(query, allowed);
    const best = this.#top(limit, scoreOf, OTHERS);
    const room = Math.min(limit - best.length, best.length > 0 ? MAX_PAGES : limit);
    if (room > 0) best.push(...this.#top(room, scoreOf, PAGES));
    for (const entry of this.#scores.entries()) {
      this.#covered[entry] = 0;
      this.#matched[entry] = 0;
    }
    this.#scores.clear();
    return best;
  }

  #top(limit: number, scoreOf: Scorer, group: number): RankedEntry[] {
    const { isPage } = this.#context;
    const times = this.#entries.values('at');
    const isBefore = (one: RankedEntry, other: RankedEntry): boolean => {
      if (one.score !== other.score) return one.score > other.score;
      // An entry without a time counts as the oldest; on a tie the one added later comes first.
      const later = (times[one.entry] || 0) - (times[other.entry] || 0);
      return later === 0 ? one.entry > other.entry : later > 0;
    };
    const best: RankedEntry[] = [];
    let worst = 0;
    for (const entry of this.#scores.entries()) {
      if (this.#matched[entry] === 0 || isPage[entry] !== group) continue;
      const score = Math.max(1, Math.round(scoreOf(entry, worst) * SCORE_STEPS)) / SCORE_STEPS;
      if (score < worst) continue;
      const ranked = { entry, score };
      const place = placeIn(best, ranked, isBefore);
      if (place >= limit) continue;
      best.splice(place, 0, ranked);
      best.length = Math.min(best.length, limit);
      if (best.length === limit) worst = (best[limit - 1] as RankedEntry).score;
    }
    return best;
  }

  /** Adds up, by entry, what its words are worth; returns how an entry is scored. */
  #addUp({ words, isQuestion, marks }: Query, allowed: Uint8Array): Scorer {
    const bySession = this.#context.noSessionScores();
    const wanted = words.filter(({ isOptional }) => !isOptional).length;
    const around = this.#spareValues();
    let total = 0;
    for (const word of words) {
      const { fits, count } = word.time === undefined ? this.#fits(word) : this.#ofTime(word.time);
      const telling = this.#context.addToSessions(fits, word.worth, bySession);
      const rarity =
        word.worth * rarityOf(count, this.#context.size) * (1 - TELLING + TELLING * telling);
      const one = word.isOptional ? 0 : 1;
      total += rarity;
      this.#addWord(fits, allowed, { rarity, one });
      if (one === 1 && word.time === undefined && count <= MOST_SPREAD)
        this.#context.spread(fits, around);
      // The turn that answers a question need not have a word of it: the one before it has.
      this.#addWord(around, allowed, { rarity, one: isQuestion ? one : 0 });
      this.#giveBack(fits);
      around.clear();
    }
    this.#giveBack(around);
    for (const mark of marks) this.#preferMarked(mark);
    const most = total * MAX_FIT * (1 + SESSION) * MARKED_WORTH ** marks.length;
    return this.#scorer(bySession, { total, most, wanted: isQuestion ? 0 : wanted });
  }

  #preferMarked(mark: number): void {
    const count = this.#postings.read(mark, this.#read);
    const scores = this.#scores;
    for (let at = 0; at < count; at++) {
      const entry = entryOf(this.#read[at] as number);
      const score = scores.values[entry] as number;
      if (score > 0) scores.set(entry, MARKED_WORTH * score);
    }
  }

  #addWord(
    fits: SparseValues,
    allowed: Uint8Array,
    { rarity, one }: { rarity: number; one: number },
  ): void {
    const scores = this.#scores;
    const covered = this.#covered;
    const matched = this.#matched;
    for (const entry of fits.entries()) {
      if (allowed[entry] === 0) continue;
      const fit = fits.values[entry] as number;
      scores.set(entry, (scores.values[entry] as number) + rarity * fit);
      covered[entry] = (covered[entry] as number) + rarity * Math.min(1, fit);
      matched[entry] = (matched[entry] as number) + one;
    }
  }

  #spareValues(): SparseValues {
    return this.#spare.pop() ?? new SparseValues(this.#read.length);
  }

  #giveBack(values: SparseValues): void {
    values.clear();
    this.#spare.push(values);
  }

  /** `most` is what the best entry could have. Where words are wanted, entries with all come first. */
  #scorer(
    bySession: Float32Array,
    { total, most, wanted }: { total: number; most: number; wanted: number },
  ): Scorer {
    const layers = this.#entries.values('layer');
    const worth = LAYERS.map((layer) => LAYER_WORTH[layer] / MAX_WORTH / most);
    const shareOfSession = this.#context.shares(bySession);
    const reach = (1 + SESSION) / most;
    return (entry, worst) => {
      const raw = this.#scores.values[entry] as number;
      const first = wanted > 0 && (this.#matched[entry] as number) >= wanted ? 0.5 : 0;
      const half = wanted > 0 ? 0.5 : 1;
      if (first + half * raw * reach + 1 / SCORE_STEPS < worst) return 0;
      const coverage = (this.#covered[entry] as number) / total;
      const session = shareOfSession(entry) ?? coverage;
      const score =
        raw *
        (1 - COVERAGE + COVERAGE * coverage) *
        (1 + SESSION * session) *
        (worth[layers[entry] as number] as number);
      return first + half * score;
    };
  }

  #ofTime({ from, to }: NamedTime): { fits: SparseValues; count: number } {
    const fits = this.#spareValues();
    const times = this.#entries.values('at');
    for (let entry = 0; entry < this.#entries.numbers; entry++) {
      const at = times[entry] as number;
      if (at >= from && at < to) fits.set(entry, 1);
    }
    return { fits, count: fits.entries().length };
  }

  /**
   * How well each entry has a word, and how many have it as a word of their own, pages aside; else
   * how many have it at all.
   */
  #fits({ terms, parts }: Matcher): { fits: SparseValues; count: number } {
    const fits = this.#spareValues();
    let whole = 0;
    let any = 0;
    for (const [term, tier] of terms) {
      const added = this.#addTerm(term, tier, fits);
      any += added;
      if (tier >= TIER.stem) whole += added;
    }
    const count = whole > 0 ? whole : any;
    if (parts.length === 0) return { fits, count };
    const fitsOfParts = parts.map((part) => this.#fits(part).fits);
    const more = addParts(fits, fitsOfParts);
    for (const part of fitsOfParts) this.#giveBack(part);
    return { fits, count: count + more };
  }

  /** Keeps the best fit of each entry that has the term; returns how many had none, pages aside. */
  #addTerm(term: number, tier: number, fits: SparseValues): number {
    const read = this.#read;
    const saturation = this.#saturation;
    const { isPage } = this.#context;
    const postings = this.#postings.read(term, read);
    let added = 0;
    for (let at = 0; at < postings; at++) {
      const posting = read[at] as number;
      const entry = entryOf(posting);
      const often = oftenOf(posting) + (isInTitle(posting) ? TITLE_OFTEN : 0);
      const fit = (tier * MAX_FIT * often) / (often + (saturation[entry] as number));
      const before = fits.values[entry] as number;
      if (before === 0 && isPage[entry] === OTHERS) added++;
      if (fit > before) fits.set(entry, fit);
    }
    return added;
  }
}

/** If all parts match, the worst of them says how well the word matches. Returns how many it adds. */
function addParts(fits: SparseValues, parts: readonly SparseValues[]): number {
  const [first, ...others] = parts;
  let added = 0;
  for (const entry of first?.entries() ?? []) {
    let least = first?.values[entry] as number;
    for (const other of others) least = Math.min(least, other.values[entry] as number);
    if (least === 0) continue;
    const before = fits.values[entry] as number;
    if (before === 0) added++;
    if (PARTS_WORTH * least > before) fits.set(entry, PARTS_WORTH * least);
  }
  return added;
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
