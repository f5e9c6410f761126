/**
 * A number for each entry, most of them 0 (M17). Those that are not are listed, so that a rare word
 * costs what its entries cost and not what all entries do, and clearing is as cheap.
 */
export class SparseValues {
  /** Read only; `set` lists what it sets. */
  readonly values: Float32Array;
  readonly #listed: Uint32Array;
  #length = 0;

  constructor(size: number) {
    this.values = new Float32Array(size);
    this.#listed = new Uint32Array(size);
  }

  /** `value` is more than 0. */
  set(entry: number, value: number): void {
    if (this.values[entry] === 0) this.#listed[this.#length++] = entry;
    this.values[entry] = value;
  }

  /** In the order in which they were set first. */
  entries(): Uint32Array {
    return this.#listed.subarray(0, this.#length);
  }

  clear(): void {
    for (const entry of this.entries()) this.values[entry] = 0;
    this.#length = 0;
  }
}
