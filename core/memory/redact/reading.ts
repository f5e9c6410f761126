/**
 * A text as people read it: without the backslashes of quoted JSON, the colours of a terminal, the
 * numbers of lines and the marks of a diff. Rules look at this reading; what they find is taken out
 * of the text itself (M18, L1c).
 */

export interface Reading {
  text: string;
  /** Where a place of the reading stands in the text that was read. */
  placeOf: (at: number) => number;
}

export function readingOf(text: string): Reading {
  return isWrittenOtherwise(text) ? new Reader(text).read() : { text, placeOf: (at) => at };
}

/** Some code has a `\n` here and there and is read as it is; quoted JSON is full of them. */
const CHARS_PER_SIGN = 150;

/** Most texts are read as they are written, and it takes little time to see that. */
function isWrittenOtherwise(text: string): boolean {
  return (
    isEscaped(text) ||
    isFullOf(text, '→') ||
    isDiff(text) ||
    text.includes('\u001b[') ||
    isFullOf(text, '&quot;') ||
    isFullOf(text, '&amp;')
  );
}

/** `\n` and `\"` again and again. */
function isEscaped(text: string): boolean {
  const least = text.length / CHARS_PER_SIGN;
  let count = 0;
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at)) {
    while (text.charCodeAt(at) === BACKSLASH) at++;
    const sign = text.charCodeAt(at);
    if ((sign === SMALL_N || sign === DOUBLE_QUOTE) && ++count > least) return true;
  }
  return false;
}

function isFullOf(text: string, sign: string): boolean {
  const least = text.length / CHARS_PER_SIGN;
  let count = 0;
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + sign.length))
    if (++count > least) return true;
  return false;
}

function isDiff(text: string): boolean {
  return (
    /^[+-][^\s+-]/.test(text) ||
    text.startsWith('+ ') ||
    text.includes('\n@@ ') ||
    isFullOf(text, '\n+')
  );
}

const BACKSLASH = 92;
const ESCAPE = 27;
const AMPERSAND = 38;
const ARROW = 0x2192;
const NEWLINE = 10;
const RETURN = 13;
const TAB = 9;
const BLANK = 32;
const PLUS = 43;
const HYPHEN = 45;
const DOUBLE_QUOTE = 34;
const QUOTE = 39;
const SLASH = 47;
const SMALL_N = 110;
const SMALL_R = 114;
const SMALL_T = 116;
const SMALL_U = 117;

/** What is read as something else begins with one of these. */
function isSign(code: number): boolean {
  if (code > AMPERSAND) return code === BACKSLASH || code === ARROW;
  return code === NEWLINE || code === ESCAPE || code === AMPERSAND;
}

const COLOUR = new RegExp(`(?:${String.fromCharCode(ESCAPE)}|u001b)\\[[\\d;]{0,16}[A-Za-z]`, 'y');
const ENTITY = /&(?:quot|#34|#39|amp);/y;
const ENTITIES: Record<string, number> = {
  '&quot;': DOUBLE_QUOTE,
  '&#34;': DOUBLE_QUOTE,
  '&#39;': QUOTE,
  '&amp;': AMPERSAND,
};
const CODE = /u00(2[267]|3[cde])/iy;
const MAX_DIGITS = 6;
const MAX_BLANKS = 8;

/** Written by hand: a text may be nothing but signs, and each must take little time. */
class Reader {
  readonly #text: string;
  readonly #codes: Uint16Array;
  #length = 0;
  /** After each sign: where the reading goes on, and where in the text. */
  #starts = new Int32Array(64);
  #places = new Int32Array(64);
  #signs = 1;

  constructor(text: string) {
    this.#text = text;
    this.#codes = new Uint16Array(text.length + 1);
  }

  read(): Reading {
    const text = this.#text;
    const codes = this.#codes;
    let at = this.#markAt(0);
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (isSign(code)) at = this.#signAt(at, code);
      else {
        codes[this.#length++] = code;
        at++;
      }
    }
    const bytes = Buffer.from(codes.buffer, 0, 2 * this.#length);
    return { text: bytes.toString('utf16le'), placeOf: (place) => this.#placeOf(place) };
  }

  /** Reads the sign that stands here; where the text goes on behind it. */
  #signAt(at: number, code: number): number {
    if (code === BACKSLASH) return this.#escapedAt(at);
    if (code === NEWLINE) {
      this.#write(code);
      return this.#markAt(at + 1);
    }
    if (code === ARROW) return this.#numberAt(at);
    const to = endAt(code === ESCAPE ? COLOUR : ENTITY, this.#text, at);
    if (to < 0) return this.#asIs(at, at + 1);
    if (code === AMPERSAND) this.#write(ENTITIES[this.#text.slice(at, to)] as number);
    return this.#goOnAt(to);
  }

  /** Backslashes double where JSON stands in JSON. */
  #escapedAt(at: number): number {
    const text = this.#text;
    let to = at + 1;
    while (text.charCodeAt(to) === BACKSLASH) to++;
    const sign = text.charCodeAt(to);
    const as = readAs(sign);
    if (as < 0) return sign === SMALL_U ? this.#codeAt(at, to) : this.#asIs(at, to);
    // A quote inside of a password stays as it is written.
    if (as === sign && isInWord(text.charCodeAt(at - 1)) && isInWord(text.charCodeAt(to + 1)))
      return this.#asIs(at, to + 1);
    this.#write(as);
    const next = this.#goOnAt(to + 1);
    return as === NEWLINE ? this.#markAt(next) : next;
  }

  /** `\u0026`, or a colour. */
  #codeAt(at: number, to: number): number {
    CODE.lastIndex = to;
    const code = CODE.exec(this.#text)?.[1];
    if (code !== undefined) {
      this.#write(Number.parseInt(code, 16));
      return this.#goOnAt(CODE.lastIndex);
    }
    const end = endAt(COLOUR, this.#text, to);
    return end < 0 ? this.#asIs(at, to) : this.#goOnAt(end);
  }

  /** The mark of a diff at the beginning of a line; no option such as `-p`, no point of a list. */
  #markAt(at: number): number {
    const text = this.#text;
    const mark = text.charCodeAt(at);
    if (mark !== PLUS && mark !== HYPHEN) return at;
    const next = text.charCodeAt(at + 1);
    const isMark = next !== mark && !(mark === HYPHEN && (next === BLANK || isOption(text, at)));
    return isMark ? this.#goOnAt(at + 1) : at;
  }

  /** The number of a line before its arrow, which is in the reading already. */
  #numberAt(arrow: number): number {
    const codes = this.#codes;
    let from = this.#length;
    while (this.#length - from <= MAX_DIGITS && isDigit(codes[from - 1])) from--;
    const digits = from;
    while (digits - from < MAX_BLANKS && isBlank(codes[from - 1])) from--;
    const isLineStart = from === 0 || codes[from - 1] === NEWLINE;
    if (digits === this.#length || !isLineStart) return this.#asIs(arrow, arrow + 1);
    this.#length = from;
    while (this.#signs > 1 && (this.#starts[this.#signs - 1] as number) > from) this.#signs--;
    return this.#goOnAt(arrow + 1);
  }

  #write(code: number): void {
    this.#codes[this.#length++] = code;
  }

  #asIs(from: number, to: number): number {
    for (let at = from; at < to; at++) this.#write(this.#text.charCodeAt(at));
    return to;
  }

  #goOnAt(place: number): number {
    if (this.#signs === this.#starts.length) {
      this.#starts = grown(this.#starts);
      this.#places = grown(this.#places);
    }
    this.#starts[this.#signs] = this.#length;
    this.#places[this.#signs++] = place;
    return place;
  }

  #placeOf(at: number): number {
    let low = 0;
    let high = this.#signs - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] as number) <= at) low = middle;
      else high = middle - 1;
    }
    return (this.#places[low] as number) + at - (this.#starts[low] as number);
  }
}

function grown(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const more = new Int32Array(numbers.length * 2);
  more.set(numbers);
  return more;
}

/** What a sign behind a backslash is read as, or -1. */
function readAs(sign: number): number {
  if (sign === SMALL_N) return NEWLINE;
  if (sign === SMALL_T) return TAB;
  if (sign === SMALL_R) return RETURN;
  return sign === DOUBLE_QUOTE || sign === QUOTE || sign === SLASH ? sign : -1;
}

function endAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

function isOption(text: string, at: number): boolean {
  const behind = text.charCodeAt(at + 2);
  return isLetter(text.charCodeAt(at + 1)) && (behind === BLANK || behind === 61);
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= 48 && code <= 57;
}

function isBlank(code: number | undefined): boolean {
  return code === BLANK || code === TAB;
}

const IN_PASSWORDS = new Set([...'!@#$%^&*'].map((sign) => sign.charCodeAt(0)));

/** Letters, digits and the signs that passwords have. */
function isInWord(code: number): boolean {
  return isLetter(code) || isDigit(code) || IN_PASSWORDS.has(code);
}
