/** Chooses for a trial: the same seed makes the same choices. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  one<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T;
  }

  some<T>(from: readonly T[], count: number): T[] {
    const rest = [...from];
    return Array.from({ length: count }, () => rest.splice(this.below(rest.length), 1)[0] as T);
  }
}
