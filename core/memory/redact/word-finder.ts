/**
 * Finds which groups of words occur in a text, in any case, in one quick pass, so that redaction
 * tries only the patterns that can match (M18). It hashes every three neighbouring characters and
 * compares letters only where a word begins with three characters of that hash.
 */

const CODE_UNITS = 65_536;
/** At most 63 kinds of characters, besides those that occur in no word. */
const KIND_BITS = 6;
const MAX_BUCKETS = 256;
const BEGINNING = 3;
/** Longer texts are searched in pieces that overlap by the longest word. */
const PIECE_CHARS = 16_384;
/** All that `\s` matches. */
const WHITE_SPACE =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

export interface RedactionRule {
  pattern: RegExp;
  /** A text without any of these cannot match. In small letters; a blank is any white space. */
  words: readonly string[];
}

/**
 * Words are separated by `|`; a pattern written as a string ignores case. The mark lets the build
 * leave the rules out of hooks that redact nothing.
 */
/* @__NO_SIDE_EFFECTS__ */
export function rule(source: RegExp | string, words: string): RedactionRule {
  const pattern = typeof source === 'string' ? new RegExp(source, 'gi') : source;
  return { pattern, words: words.split('|') };
}

interface Word {
  kinds: number[];
  groups: number[];
}

export class WordFinder {
  /** Kind of character by code unit, the same for both cases; 0 for those in no word. */
  readonly #kinds = new Uint8Array(CODE_UNITS);
  #kindCount = 1;
  /** By hash of three characters: the bucket of words that begin so; 0 for none. */
  readonly #bucketOf = new Uint8Array(1 << (2 * KIND_BITS + 4));
  readonly #buckets: Word[][] = [[]];
  /** Words of one character. */
  readonly #characters: [character: string, groups: readonly number[]][] = [];
  readonly #longest: number;
  readonly #units = new Uint16Array(PIECE_CHARS + BEGINNING);
  readonly #bytes = Buffer.from(this.#units.buffer);
  readonly #marks: Uint8Array;
  #isMarked = false;

  constructor(groups: readonly (readonly string[])[]) {
    this.#marks = new Uint8Array(groups.length);
    const words = new Map<string, Word>();
    for (const [group, members] of groups.entries())
      for (const word of members) {
        const found = words.get(word);
        if (found === undefined) words.set(word, { kinds: this.#kindsOf(word), groups: [group] });
        else found.groups.push(group);
      }
    for (const [text, word] of words) this.#addWord(text, word);
    this.#longest = Math.max(BEGINNING, ...[...words.keys()].map((text) => text.length));
  }

  /** By group: 1 if the text has one of its words. Undefined: no group. Valid until the next call. */
  find(text: string): Uint8Array | undefined {
    if (this.#isMarked) this.#marks.fill(0);
    this.#isMarked = false;
    for (const [character, groups] of this.#characters)
      if (text.includes(character)) this.#mark(groups);
    if (text.length <= PIECE_CHARS) this.#search(text);
    else
      for (let at = 0; at < text.length; at += PIECE_CHARS - this.#longest)
        this.#search(text.slice(at, at + PIECE_CHARS));
    return this.#isMarked ? this.#marks : undefined;
  }

  #search(piece: string): void {
    const units = this.#units;
    const kinds = this.#kinds;
    const bucketOf = this.#bucketOf;
    this.#bytes.write(piece, 0, 'utf16le');
    const end = piece.length + BEGINNING - 1;
    units[piece.length] = 0; // so that a word of two characters is found at the end too
    units[piece.length + 1] = 0;
    let first = 0;
    let second = 0;
    for (let at = 0; at < end; at++) {
      const third = kinds[units[at] as number] as number;
      const bucket = bucketOf[(first << 10) ^ (second << 5) ^ third] as number;
      if (bucket !== 0) this.#compare(this.#buckets[bucket] as Word[], at - BEGINNING + 1);
      first = second;
      second = third;
    }
  }

  #compare(words: readonly Word[], at: number): void {
    for (const { kinds, groups } of words) {
      let same = 0;
      while (same < kinds.length && this.#kinds[this.#units[at + same] as number] === kinds[same])
        same++;
      if (same === kinds.length) this.#mark(groups);
    }
  }

  #mark(groups: readonly number[]): void {
    for (const group of groups) this.#marks[group] = 1;
    this.#isMarked = true;
  }

  /** Runs once, in every hook that saves something: hence no iterators. */
  #kindsOf(word: string): number[] {
    const kinds: number[] = [];
    for (let at = 0; at < word.length; at++) {
      if (this.#kinds[word.charCodeAt(at)] === 0) this.#addKind(word.charAt(at));
      kinds.push(this.#kinds[word.charCodeAt(at)] as number);
    }
    return kinds;
  }

  #addKind(character: string): void {
    const kind = this.#kindCount++;
    if (kind >= 1 << KIND_BITS) throw new RangeError('too many different characters');
    const same = character === ' ' ? WHITE_SPACE : character + character.toUpperCase();
    for (let at = 0; at < same.length; at++) this.#kinds[same.charCodeAt(at)] = kind;
  }

  #addWord(character: string, word: Word): void {
    const [first = 0, second, third] = word.kinds;
    if (second === undefined) {
      this.#characters.push([character, word.groups]);
      return;
    }
    const bucket = this.#buckets.push([]) - 1;
    if (bucket >= MAX_BUCKETS) throw new RangeError('too many words');
    // Any character may follow a word of two.
    for (let kind = third ?? 0; kind <= (third ?? this.#kindCount - 1); kind++) {
      const hash = (first << 10) ^ (second << 5) ^ kind;
      this.#bucketOf[hash] ||= bucket;
      const words = this.#buckets[this.#bucketOf[hash] as number] as Word[];
      if (!words.includes(word)) words.push(word);
    }
  }
}
