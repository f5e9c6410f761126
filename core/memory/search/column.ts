/**
 * A growing list of numbers in one typed array (M17): a saved one is taken over as it lies in the
 * file, without looking at each number, and one that grows costs four bytes a number where a list
 * of JavaScript costs eight.
 */
export type Numbers = Uint8Array | Uint32Array | Float64Array;

/** Room that is made at once: half as much again, but no more than so many numbers. */
const LEAST_ROOM = 64;
const MOST_ROOM = 4 * 1024 * 1024;

export class Column<T extends Numbers> {
  /** Those from `length` on are room for more. Another array as soon as the column has grown. */
  values: T;
  length: number;

  constructor(values: T) {
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

  /** Makes so many zeros at the end, and says where they begin. */
  extend(by: number): number {
    const start = this.length;
    this.length += by;
    if (this.length > this.values.length) {
      const room = Math.min(Math.max(LEAST_ROOM, this.length >>> 1), MOST_ROOM);
      const larger = new (this.values.constructor as new (length: number) => T)(this.length + room);
      larger.set(this.values);
      this.values = larger;
    }
    return start;
  }

  trimmed(): T {
    return this.values.subarray(0, this.length) as T;
  }
}
