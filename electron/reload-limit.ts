/**
 * How often pages that crash are loaded again: a few times a minute, for one that crashes at each
 * start would do so without end.
 */
const MOST = 3;
const WITHIN_MS = 60_000;

export class ReloadLimit {
  readonly #now: () => number;
  #reloads: number[] = [];

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** True if it may be loaded again; that is counted. */
  take(): boolean {
    const now = this.#now();
    this.#reloads = this.#reloads.filter((at) => now - at < WITHIN_MS);
    if (this.#reloads.length >= MOST) return false;
    this.#reloads.push(now);
    return true;
  }
}
