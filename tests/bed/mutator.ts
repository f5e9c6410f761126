/**
 * Damages text as the world does: torn writes, flipped bytes, lines lost or doubled, values of
 * another kind, hostile sizes.
 */

const VALUES = [
  'null',
  '-1',
  '1e999',
  '1e308',
  '0.5',
  '""',
  '[]',
  '{}',
  'true',
  '"\\u0000"',
  '"../../x"',
  '[[[[[[]]]]]]',
  '99999999999999999999',
];
const BYTES = [0x00, 0x0a, 0x0d, 0x22, 0x5c, 0x7b, 0x7d, 0xff, 0xc3, 0xef];
const NESTING = 20_000;

export class Mutator {
  #state: number;

  constructor(seed: number) {
    this.#state = seed + 1;
  }

  /** One to four kinds of damage, one after the other. */
  damage(text: string): Buffer {
    let bytes: Buffer = Buffer.from(text);
    const kinds = [
      this.#flip,
      this.#cut,
      this.#insert,
      this.#loseLine,
      this.#doubleLine,
      this.#exchangeValue,
      this.#carriageReturns,
      this.#nest,
    ];
    for (let times = 1 + this.#below(4); times > 0; times--)
      bytes = this.#one(kinds).call(this, bytes);
    return bytes;
  }

  /** mulberry32: small, fast, and the same on every machine. */
  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #one<T>(list: readonly T[]): T {
    return list[this.#below(list.length)] as T;
  }

  #flip(bytes: Buffer): Buffer {
    const flipped = Buffer.from(bytes);
    for (let times = this.#below(8); times >= 0 && flipped.length > 0; times--)
      flipped[this.#below(flipped.length)] = this.#one(BYTES);
    return flipped;
  }

  #cut(bytes: Buffer): Buffer {
    const at = this.#below(bytes.length + 1);
    return this.#below(2) === 0 ? bytes.subarray(0, at) : bytes.subarray(at);
  }

  #insert(bytes: Buffer): Buffer {
    const at = this.#below(bytes.length + 1);
    const piece = Buffer.alloc(this.#below(200), this.#one(BYTES));
    return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
  }

  #loseLine(bytes: Buffer): Buffer {
    const lines = bytes.toString('latin1').split('\n');
    lines.splice(this.#below(lines.length), 1);
    return Buffer.from(lines.join('\n'), 'latin1');
  }

  #doubleLine(bytes: Buffer): Buffer {
    const lines = bytes.toString('latin1').split('\n');
    lines.splice(this.#below(lines.length), 0, this.#one(lines));
    return Buffer.from(lines.join('\n'), 'latin1');
  }

  #exchangeValue(bytes: Buffer): Buffer {
    const text = bytes.toString('latin1');
    const values = [...text.matchAll(/:("[^"]*"|-?\d+|true|false|null)/g)];
    if (values.length === 0) return bytes;
    const { index, 0: found } = this.#one(values);
    return Buffer.from(
      `${text.slice(0, index)}:${this.#one(VALUES)}${text.slice(index + found.length)}`,
      'latin1',
    );
  }

  #carriageReturns(bytes: Buffer): Buffer {
    return Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
  }

  #nest(bytes: Buffer): Buffer {
    const text = bytes.toString('latin1');
    return Buffer.from(text.replace(/:"/, `:${'['.repeat(this.#below(NESTING))}"`), 'latin1');
  }
}
