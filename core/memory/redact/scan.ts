/**
 * One text on its way through redaction: where secrets were found, and how much looking is left. A
 * text that would take too much looking is not looked at more closely, but withheld wherever a word
 * suggests a secret: time stays in proportion to its length whatever it contains (L1c).
 */

/** Stands in a secret's place. */
export const GONE = '[redacted]';

/**
 * Looks at one place of a text, where a word was found, and withholds the secret that stands
 * there. It may read only so far around the word, never the whole text.
 */
export type Judge = (scan: Scan, at: number, end: number) => void;

/** These words make a text worth a look there; `cost` is what a first look takes, in steps. */
export interface Rule {
  words: readonly string[];
  judge: Judge;
  cost: number;
}

/**
 * Every text may take so many steps of some 10 ns, and a long one so many more per character:
 * about as much again as the search for words.
 */
const FREE_STEPS = 150_000;
const STEPS_PER_CHAR = 0.2;
/** What is withheld around a word that is not looked at. */
const BEFORE_WORD = 64;
const BEHIND_WORD = 192;

export class Scan {
  readonly text: string;
  /** Pairs of beginning and end. */
  readonly #spans: [from: number, to: number][] = [];
  /** Where the last name ends that was judged: one name may have several telling words. */
  namedUntil = 0;
  #doneUntil = 0;
  #left: number;

  constructor(text: string) {
    this.text = text;
    this.#left = FREE_STEPS + text.length * STEPS_PER_CHAR;
  }

  /** Up to here everything is settled. */
  get doneUntil(): number {
    return this.#doneUntil;
  }

  look(rule: Rule, at: number, end: number): void {
    if (at < this.#doneUntil) return;
    if (this.#left <= 0) {
      this.#withholdAround(at, end);
      return;
    }
    this.#left -= rule.cost;
    rule.judge(this, at, end);
  }

  /** For a judge that looks more closely than at first. */
  spend(steps: number): void {
    this.#left -= steps;
  }

  withhold(from: number, to: number): void {
    this.#spans.push([from, to]);
  }

  /** Withholds, and has no other judge look at what stands there. */
  settle(from: number, to: number): void {
    this.withhold(from, to);
    this.#doneUntil = to;
  }

  /** Another search begins at the front. */
  rewind(): void {
    this.#doneUntil = 0;
  }

  /** The text itself, of which this one is a reading, without what was found. */
  cleaned(text: string, placeOf: (at: number) => number): string {
    if (this.#spans.length === 0) return text;
    this.#spans.sort(([a], [b]) => a - b);
    let clean = '';
    let until = 0;
    for (const span of this.#spans) {
      const from = placeOf(span[0]);
      if (from >= until) clean += `${text.slice(until, from)}${GONE}`;
      // The place behind the last character: a sign that follows it is no part of it.
      until = Math.max(until, placeOf(span[1] - 1) + 1);
    }
    return clean + text.slice(until);
  }

  #withholdAround(at: number, end: number): void {
    this.settle(
      Math.max(this.#doneUntil, at - BEFORE_WORD),
      Math.min(this.text.length, end + BEHIND_WORD),
    );
  }
}
