/**
 * Caches which terms a chunk of text has (M17). Texts repeat themselves, so nearly every chunk was
 * split before; it is recognised in the text itself, without making a string of it. A `Map` by
 * string made building the index a quarter slower.
 */
import { withoutParent } from './column.ts';

const FIRST_SLOTS = 1024;
const MAX_CHUNKS = 200_000;
const MAX_CHARS = 40;
/** Of MurmurHash: spreads what differs in one bit. */
const MULTIPLIER = 0x5bd1e995;
const SHIFT = 15;

export class ChunkCache {
  readonly #split: (chunk: string) => readonly number[];
  #chunks: string[] = [];
  #terms: (readonly number[])[] = [];
  /** Two numbers per slot: the hash, and the chunk's number plus one. Never more than half full. */
  #slots = new Int32Array(2 * FIRST_SLOTS);

  constructor(split: (chunk: string) => readonly number[]) {
    this.#split = split;
  }

  clear(): void {
    this.#chunks = [];
    this.#terms = [];
    this.#slots = new Int32Array(2 * FIRST_SLOTS);
  }

  termsAt(text: string, start: number, end: number): readonly number[] {
    if (end - start > MAX_CHARS) return this.#split(text.slice(start, end));
    const hash = hashOf(text, start, end);
    const slot = this.#find(hash, text, start, end - start);
    const number = this.#slots[slot + 1] as number;
    if (number > 0) return this.#terms[number - 1] as readonly number[];
    const chunk = withoutParent(text.slice(start, end));
    const terms = this.#split(chunk);
    this.#slots[slot] = hash;
    this.#slots[slot + 1] = this.#chunks.push(chunk);
    this.#terms.push(terms);
    if (this.#chunks.length === MAX_CHUNKS) this.clear();
    else if (4 * this.#chunks.length > this.#slots.length) this.#grow();
    return terms;
  }

  /** The slot of the chunk, or the empty one where it belongs. */
  #find(hash: number, text: string, start: number, length: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = (2 * hash) & mask; ; slot = (slot + 2) & mask) {
      const number = this.#slots[slot + 1] as number;
      if (number === 0) return slot;
      if (this.#slots[slot] !== hash) continue;
      const chunk = this.#chunks[number - 1] as string;
      if (chunk.length === length && text.startsWith(chunk, start)) return slot;
    }
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(2 * old.length);
    const mask = this.#slots.length - 1;
    for (let from = 0; from < old.length; from += 2) {
      if (old[from + 1] === 0) continue;
      let slot = (2 * (old[from] as number)) & mask;
      while (this.#slots[slot + 1] !== 0) slot = (slot + 2) & mask;
      this.#slots.set(old.subarray(from, from + 2), slot);
    }
  }
}

function hashOf(text: string, start: number, end: number): number {
  let hash = end - start;
  for (let at = start; at < end; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), MULTIPLIER);
    hash ^= hash >>> SHIFT;
  }
  return hash;
}
