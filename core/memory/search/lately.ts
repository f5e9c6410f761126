/**
 * What was made of files that were asked for last, as long as their marks are the same (M17): a
 * window asks again with each letter, and facts.json may have tens of megabytes. A process that
 * asks once gains nothing and loses nothing.
 */
export class Lately<T> {
  readonly #most: number;
  readonly #made = new Map<string, { mark: string; value: T }>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string, mark: string): T | undefined {
    const made = this.#made.get(key);
    return made?.mark === mark ? made.value : undefined;
  }

  keep(key: string, mark: string, value: T): T {
    this.#made.delete(key);
    this.#made.set(key, { mark, value });
    for (const oldest of this.#made.keys())
      if (this.#made.size > this.#most) this.#made.delete(oldest);
    return value;
  }
}
