/**
 * Reads out of a line of JSON only what is wanted, in whatever order its fields stand. It walks the
 * bytes once: what is not wanted (most of a transcript: what tools returned, images, file
 * snapshots) is stepped over without being decoded, so it costs a fraction of `JSON.parse`.
 *
 * What it returns is what `JSON.parse` would, without the other fields. It does not check what it
 * steps over: a line that is damaged there may still give a value.
 */

/**
 * What is wanted of a value. A value of a kind that is not named here (a string where fields are
 * wanted) comes whole.
 */
export interface Wanted {
  /** Of an object. */
  fields?: Names<Wanted>;
  /** Of each item of a list. */
  items?: Wanted;
  /** Of a string: so many characters, and on to the next blank. */
  chars?: number;
  /** How many of these are wanted, if that depends on the fields before. */
  charsOf?: (record: Record<string, unknown>) => number;
  /** Strings that are likely: they are recognised without being decoded. */
  likely?: Names<string>;
  /** Of an object: whether the rest of it is not wanted. */
  isEnough?: IsEnough;
  /** A value that is no object, or no likely string, comes as undefined and not whole. */
  onlyFields?: true;
  onlyLikely?: true;
}

export const WHOLE: Wanted = {};

interface Name<T> {
  name: string;
  bytes: Buffer;
  value: T;
}

/** As many as names are sorted into: few share one. */
const SLOTS = 256;

function slotOf(length: number, first: number): number {
  return (length * 31 + first) % SLOTS;
}

/** Values by name, sorted by the length and the first byte of the name. */
export class Names<T> {
  readonly #byName: Map<string, Name<T>>;
  readonly #slots: (Name<T>[] | undefined)[] = new Array(SLOTS).fill(undefined);

  constructor(entries: readonly (readonly [string, T])[]) {
    const list = entries.map(([name, value]) => ({ name, bytes: Buffer.from(name), value }));
    this.#byName = new Map(list.map((each) => [each.name, each]));
    for (const each of list) {
      const slot = slotOf(each.bytes.length, each.bytes[0] ?? 0);
      this.#slots[slot] = [...(this.#slots[slot] ?? []), each];
    }
  }

  /** The name between two quotes. */
  at(bytes: Buffer, from: number, to: number): Name<T> | undefined {
    const names = this.#slots[slotOf(to - from, bytes[from] as number)];
    if (names === undefined) return undefined;
    for (const each of names)
      if (each.bytes.length === to - from && isAt(bytes, from, each.bytes)) return each;
    return undefined;
  }

  named(name: string): Name<T> | undefined {
    return this.#byName.get(name);
  }
}

export function wantedFields(fields: Readonly<Record<string, Wanted>>): Names<Wanted> {
  return new Names(Object.entries(fields));
}

export function likely(...strings: string[]): Wanted {
  return { likely: new Names(strings.map((each) => [each, each] as const)) };
}

export function isAt(bytes: Buffer, from: number, name: Buffer): boolean {
  for (let at = 0; at < name.length; at++) if (bytes[from + at] !== name[at]) return false;
  return true;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
const BLANK = 0x20;

/** The bytes are no JSON, or end too early. */
export class NotJson extends Error {}

const NOT_JSON = new NotJson();

/** Where a value ends; throws `NotJson` if it does not before `end`. */
function endOfValue(bytes: Buffer, from: number, end: number): number {
  const first = bytes[from];
  if (first === QUOTE) return endOfString(bytes, from + 1, end);
  if (first === OBJECT || first === LIST) return endOfNested(bytes, from, end);
  let at = from;
  while (at < end && !isDelimiter(bytes[at] as number)) at++;
  if (at === from) throw NOT_JSON;
  return at;
}

function isDelimiter(byte: number): boolean {
  return byte === COMMA || byte === OBJECT_END || byte === LIST_END || byte <= BLANK;
}

export function endOfNested(bytes: Buffer, from: number, end: number): number {
  let depth = 0;
  for (let at = from; at < end; ) {
    const byte = bytes[at++];
    if (byte === QUOTE) at = endOfString(bytes, at, end);
    else if (byte === OBJECT || byte === LIST) depth++;
    else if ((byte === OBJECT_END || byte === LIST_END) && --depth === 0) return at;
  }
  throw NOT_JSON;
}

/** So far it is faster to look at the bytes one by one than to call `indexOf`. */
const SHORT_STRING = 48;

/** `from` is behind the opening quote; the result is behind the closing one. */
export function endOfString(bytes: Buffer, from: number, end: number): number {
  for (let at = from; at < end; ) {
    const near = Math.min(at + SHORT_STRING, end);
    while (at < near) {
      const byte = bytes[at++];
      if (byte === QUOTE) return at;
      if (byte === BACKSLASH) at++;
    }
    // No backslash before `at` counts any more.
    const quote = bytes.indexOf(QUOTE, at);
    if (quote < 0 || quote >= end) break;
    if (!isEscaped(bytes, quote, at)) return quote + 1;
    at = quote + 1;
  }
  throw NOT_JSON;
}

function isEscaped(bytes: Buffer, quote: number, from: number): boolean {
  let at = quote;
  while (at > from && bytes[at - 1] === BACKSLASH) at--;
  return (quote - at) % 2 === 1;
}

function afterBlanks(bytes: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && (bytes[at] as number) <= BLANK) at++;
  return at;
}

/** The value of what stands between two quotes. */
export function stringBetween(bytes: Buffer, from: number, to: number): string {
  const text = bytes.toString('utf8', from, to);
  return text.includes('\\') ? String(parsed(`"${text}"`)) : text;
}

/**
 * At least so many characters of it, up to a blank. Most characters are one byte; if they are more
 * or escaped, twice as many bytes are tried.
 */
export function beginningBetween(bytes: Buffer, from: number, to: number, chars: number): string {
  for (let length = chars + (chars >> 3); ; length *= 2) {
    // A blank is never part of another character or of an escape.
    const blank = from + length < to ? bytes.indexOf(BLANK, from + length) : -1;
    const cut = blank < 0 || blank > to ? to : blank;
    const beginning = stringBetween(bytes, from, cut);
    if (beginning.length >= chars || cut === to) return beginning;
  }
}

const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');

/** A value that is no string; most are true or false. */
function plainBetween(bytes: Buffer, from: number, to: number): unknown {
  if (to - from === TRUE.length && isAt(bytes, from, TRUE)) return true;
  if (to - from === FALSE.length && isAt(bytes, from, FALSE)) return false;
  return parsed(bytes.toString('utf8', from, to));
}

export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw NOT_JSON;
  }
}

const NO_FIELDS: Readonly<Record<string, unknown>> = {};

/** Asked before each wanted field and, once it is read, behind it: is it enough? */
export type IsEnough = (record: Record<string, unknown>, field: string, isRead: boolean) => boolean;

/** Walks over one object at a time; `at` is where it stands. */
export class WantedReader {
  at = 0;
  /** Set by `isEnough` of an inner object, if its end is known without walking there. */
  endOfInner: number | undefined;
  #bytes: Buffer = Buffer.alloc(0);
  #end = 0;

  /** From here on, up to `end`. */
  start(bytes: Buffer, from: number, end: number): void {
    this.#bytes = bytes;
    this.#end = end;
    this.at = afterBlanks(bytes, from, end);
  }

  /** Whether nothing but blanks follows. */
  get isAtEnd(): boolean {
    return afterBlanks(this.#bytes, this.at, this.#end) >= this.#end;
  }

  /** The wanted fields of an object. Once `isEnough` says yes, the rest is left unread. */
  fields(wanted: Names<Wanted>, isEnough?: IsEnough): Record<string, unknown> {
    if (this.at >= this.#end || this.#bytes[this.at] !== OBJECT) throw NOT_JSON;
    this.at++;
    return this.rest(wanted, {}, isEnough);
  }

  /** The same from the end of a field on; `record` has the fields before. */
  rest(
    wanted: Names<Wanted>,
    record: Record<string, unknown>,
    isEnough?: IsEnough,
  ): Record<string, unknown> {
    while (this.#hasNext(OBJECT_END)) {
      const field = this.#name(wanted);
      if (field === undefined) this.at = endOfValue(this.#bytes, this.at, this.#end);
      else {
        if (isEnough?.(record, field.name, false) === true) return record;
        record[field.name] = this.#value(field.value, record);
        if (isEnough?.(record, field.name, true) === true) return record;
      }
    }
    return record;
  }

  /** Steps to the next field or item, or over the sign that ends them. */
  #hasNext(close: number): boolean {
    const bytes = this.#bytes;
    let { at } = this;
    while (at < this.#end && ((bytes[at] as number) <= BLANK || bytes[at] === COMMA)) at++;
    if (at >= this.#end) throw NOT_JSON;
    const isOver = bytes[at] === close;
    this.at = isOver ? at + 1 : at;
    return !isOver;
  }

  /** Steps over a field's name to its value. The name may be spelled with escapes. */
  #name(wanted: Names<Wanted>): Name<Wanted> | undefined {
    const bytes = this.#bytes;
    const from = this.at + 1;
    if (bytes[this.at] !== QUOTE) throw NOT_JSON;
    let to = from;
    while (to < this.#end && bytes[to] !== QUOTE && bytes[to] !== BACKSLASH) to++;
    const isPlain = bytes[to] === QUOTE;
    if (!isPlain) to = endOfString(bytes, to, this.#end) - 1;
    const colon = afterBlanks(bytes, to + 1, this.#end);
    if (bytes[colon] !== COLON) throw NOT_JSON;
    this.at = afterBlanks(bytes, colon + 1, this.#end);
    return isPlain ? wanted.at(bytes, from, to) : wanted.named(stringBetween(bytes, from, to));
  }

  #value(wanted: Wanted, record: Record<string, unknown>): unknown {
    const bytes = this.#bytes;
    const from = this.at;
    const first = bytes[from];
    if (first === OBJECT && wanted.fields !== undefined) return this.#inner(wanted.fields, wanted);
    if (first === LIST && wanted.items !== undefined) return this.#list(wanted.items);
    const to = endOfValue(bytes, from, this.#end);
    this.at = to;
    if (wanted.onlyFields === true) return undefined;
    if (first !== QUOTE) return plainBetween(bytes, from, to);
    if (wanted.chars !== undefined) {
      const chars = wanted.charsOf?.(record) ?? wanted.chars;
      return chars === 0 ? '' : beginningBetween(bytes, from + 1, to - 1, chars);
    }
    const known = wanted.likely?.at(bytes, from + 1, to - 1)?.name;
    if (known !== undefined || wanted.onlyLikely === true) return known;
    return stringBetween(bytes, from + 1, to - 1);
  }

  #inner(fields: Names<Wanted>, { isEnough }: Wanted): Record<string, unknown> {
    this.endOfInner = undefined;
    const record = this.fields(fields, isEnough);
    if (this.endOfInner !== undefined) this.at = this.endOfInner;
    this.endOfInner = undefined;
    return record;
  }

  #list(items: Wanted): unknown[] {
    const list: unknown[] = [];
    this.at++;
    while (this.#hasNext(LIST_END)) list.push(this.#value(items, NO_FIELDS));
    return list;
  }
}
