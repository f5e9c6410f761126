/**
 * Caches what was made of files until they change (M17). The window searches on every keystroke,
 * and facts.json can be tens of megabytes.
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
