/**
 * Finds where words occur in a text, in any case, in one quick pass: redaction looks only there for
 * secrets (M18, L1c). It hashes every three neighbouring characters, and compares letters only
 * where two such hashes in a row belong to the beginning of a word.
 */

const CODE_UNITS = 65_536;
/** At most 191 kinds of characters, besides those that occur in no word. */
const MAX_KINDS = 192;
/** The first 31 kinds, of which most texts are made: their hashes are all different. */
const FREQUENT = ' abcdefghijklmnopqrstuvwxyz_-./';
const HASH_BITS = 15;
const HASH_MASK = (1 << HASH_BITS) - 1;
const LEAST_CHARS = 3;
/** What a hash may be: of the first three characters, of the next three, of a whole word. */
const FIRST = 1;
const NEXT = 2;
const WHOLE = 4;
/** All that `\s` matches. */
const WHITE_SPACE =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

/**
 * Called for every word found, nearly in the order in which they begin. Gives back from where on
 * words are of interest: what lies before is not searched any more.
 */
type Found = (at: number, word: number) => number;

export class WordFinder {
  /** Kind of character by code unit, the same for both cases; 0 for those in no word. */
  readonly #kinds = new Uint8Array(CODE_UNITS);
  #kindCount = 1;
  readonly #flags = new Uint8Array(1 << HASH_BITS);
  /** By hash of the first three characters: one more than the index of the last word that begins so. */
  readonly #lastWord = new Uint16Array(1 << HASH_BITS);
  /** By word: the same for the word before that begins so. */
  readonly #wordBefore: Uint16Array;
  readonly #words: readonly string[];
  /** By word: where its last character stands, and of what kind it is. */
  readonly #ends: Uint8Array;
  readonly #endKinds: Uint8Array;

  /** Words have three characters or more, in small letters; a blank is any white space. */
  constructor(words: readonly string[]) {
    this.#words = words;
    this.#wordBefore = new Uint16Array(words.length);
    this.#ends = new Uint8Array(words.length);
    this.#endKinds = new Uint8Array(words.length);
    for (let at = 0; at < FREQUENT.length; at++) this.#addKind(FREQUENT.charAt(at));
    for (let index = 0; index < words.length; index++) this.#add(words[index] as string, index);
  }

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: split up, it takes twice the time
  find(text: string, found: Found): void {
    const kinds = this.#kinds;
    const flags = this.#flags;
    const length = text.length;
    let second = 0;
    let third = 0;
    let last = 0;
    let at = 0;
    while (at < length) {
      let kind = 0;
      let flag = 0;
      // Nothing else happens in this loop: nearly all time is spent in it.
      for (; at < length; at++) {
        kind = kinds[text.charCodeAt(at)] as number;
        flag = flags[((second << 10) ^ (third << 5) ^ kind) & HASH_MASK] as number;
        if (((last & (flag >> 1)) | (flag & WHOLE)) !== 0) break;
        second = third;
        third = kind;
        last = flag & FIRST;
      }
      if (at >= length) return;
      const next = this.#look(text, at - LEAST_CHARS, found);
      const isOver = next > at;
      second = isOver ? 0 : third;
      third = isOver ? 0 : kind;
      last = isOver ? 0 : flag & FIRST;
      at = isOver ? next : at + 1;
    }
  }

  /** Words of more than three characters that begin here, and those of three that begin behind it. */
  #look(text: string, at: number, found: Found): number {
    const next = at < 0 ? 0 : this.#compare(text, at, false, found);
    return Math.max(next, this.#compare(text, at + 1, true, found));
  }

  #compare(text: string, at: number, isShort: boolean, found: Found): number {
    const kinds = this.#kinds;
    let next = 0;
    let each = this.#lastWord[this.#hashOf(text, at)] as number;
    for (; each !== 0; each = this.#wordBefore[each - 1] as number) {
      // Words that begin alike mostly end differently: `private key`, `private-mac:`.
      const end = this.#ends[each - 1] as number;
      if ((end === LEAST_CHARS - 1) !== isShort || at + end >= text.length) continue;
      if (kinds[text.charCodeAt(at + end)] !== this.#endKinds[each - 1]) continue;
      const word = this.#words[each - 1] as string;
      let same = 0;
      while (same < end && kinds[text.charCodeAt(at + same)] === kinds[word.charCodeAt(same)])
        same++;
      if (same === end) next = found(at, each - 1);
    }
    return next;
  }

  /** Runs once, in every hook that saves something: hence nothing but plain loops. */
  #add(word: string, index: number): void {
    if (word.length < LEAST_CHARS) throw new RangeError(`too short: ${word}`);
    for (let at = 0; at < word.length; at++)
      if (this.#kinds[word.charCodeAt(at)] === 0) this.#addKind(word.charAt(at));
    this.#ends[index] = word.length - 1;
    this.#endKinds[index] = this.#kinds[word.charCodeAt(word.length - 1)] as number;
    const first = this.#hashOf(word, 0);
    this.#mark(first, word.length === LEAST_CHARS ? WHOLE : FIRST);
    if (word.length > LEAST_CHARS) this.#mark(this.#hashOf(word, 1), NEXT);
    this.#wordBefore[index] = this.#lastWord[first] as number;
    this.#lastWord[first] = index + 1;
  }

  #hashOf(text: string, at: number): number {
    const kinds = this.#kinds;
    const first = kinds[text.charCodeAt(at)] as number;
    const second = kinds[text.charCodeAt(at + 1)] as number;
    const third = kinds[text.charCodeAt(at + 2)] as number;
    return ((first << 10) ^ (second << 5) ^ third) & HASH_MASK;
  }

  #mark(hash: number, flag: number): void {
    this.#flags[hash] = (this.#flags[hash] as number) | flag;
  }

  #addKind(character: string): void {
    const kind = this.#kindCount++;
    if (kind >= MAX_KINDS) throw new RangeError('too many different characters');
    const same = character === ' ' ? WHITE_SPACE : character + character.toUpperCase();
    for (let at = 0; at < same.length; at++) this.#kinds[same.charCodeAt(at)] = kind;
  }
}
