/**
 * Growing lists for the search index (M17): numbers in one typed array, which takes half the memory
 * of a JavaScript list and is loaded from disk as it is, and distinct strings that are known by
 * their numbers.
 */
export type Numbers = Uint8Array | Uint32Array | Float64Array;

/** A full array grows by half, within these limits. */
const MIN_GROWTH = 64;
const MAX_GROWTH = 4 * 1024 * 1024;

export class Column {
  /** Those from `length` on are unused. Growing replaces the array. */
  values: Numbers;
  length: number;

  constructor(values: Numbers) {
    this.values = values;
    this.length = values.length;
  }

  get(at: number): number {
    return this.values[at] as number;
  }

  set(at: number, value: number): void {
    this.values[at] = value;
  }

  push(value: number): void {
    const at = this.extend(1);
    this.values[at] = value;
  }

  /** Appends zeros, and returns where they begin. */
  extend(by: number): number {
    const start = this.length;
    this.length += by;
    if (this.length > this.values.length) {
      const growth = Math.min(Math.max(MIN_GROWTH, this.length >>> 1), MAX_GROWTH);
      const Kind = this.values.constructor as new (length: number) => Numbers;
      const larger = new Kind(this.length + growth);
      larger.set(this.values);
      this.values = larger;
    }
    return start;
  }

  trimmed(): Numbers {
    return this.values.subarray(0, this.length);
  }
}

export class StringTable {
  readonly all: string[];
  readonly #numbers = new Map<string, number>();

  constructor(all: string[] = []) {
    this.all = all;
    for (let number = 0; number < all.length; number++)
      this.#numbers.set(all[number] as string, number);
  }

  at(number: number): string {
    return this.all[number] as string;
  }

  find(text: string): number | undefined {
    return this.#numbers.get(text);
  }

  findOrAdd(text: string): number {
    const found = this.#numbers.get(text);
    if (found !== undefined) return found;
    const own = withoutParent(text);
    this.#numbers.set(own, this.all.length);
    return this.all.push(own) - 1;
  }
}

/** V8 keeps a longer slice of a text as a view of the text, which then stays in memory with it. */
const MIN_VIEW_CHARS = 13;

export function withoutParent(slice: string): string {
  return slice.length < MIN_VIEW_CHARS ? slice : Buffer.from(slice).toString('utf8');
}
