/**
 * Texts that try to pass for a marker of ours or of Claude Code (T3): a seed comes in, always the
 * same texts go out. And the judge: which marker a reader finds in a text, and what a person
 * reads. The judge shares the list of markers with the code it judges, and nothing else.
 */
import {
  CLAUDE_ATTRIBUTE_TAGS,
  CLAUDE_NOTES,
  CLAUDE_TAGS,
  CLAUDE_WORD_TAGS,
  ENTRY_HEADS,
  FENCES,
  NOTES,
  TURNS,
} from '../../core/platform/text/markers.ts';

const FENCE_NAMES = Object.values(FENCES);
const NAMES = [...CLAUDE_TAGS, ...CLAUDE_WORD_TAGS, ...CLAUDE_ATTRIBUTE_TAGS, ...FENCE_NAMES];
const BRACKETS = [...Object.values(NOTES), ...CLAUDE_NOTES, ...Object.values(ENTRY_HEADS)];

const OPENERS = [
  '<',
  '<',
  '<',
  '<',
  '＜',
  '﹤',
  '&lt;',
  '&lt',
  '&#60;',
  '&#x3C;',
  '&amp;lt;',
  '⟨',
  '❮',
];
const CLOSERS = [
  '>',
  '>',
  '>',
  ' >',
  '\n>',
  '/>',
  '＞',
  '&gt;',
  '',
  ' source="the user">',
  ' name="x">',
  '\n',
];
const NOISE = [
  ' ', '  ', '\n', '\r\n', '\t', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad',
  '\u202e', '\u2066', '\u0301', '\u0338', '\0', '\x1b', '\x85', '\u2028', '\ufe0f',
  '\u{e0041}', '\u{e0101}', '\u00a0', '\u3000', '_', '-', '/',
]; // biome-ignore format: a list of characters
const FILLERS = [
  'The login form was fixed. ', '로그인을 고쳤다. ', 'if (a < b && c > d) {', 'List<String> x = [];',
  '<div className="a">', '</div>', '[x](y)', '- [ ] todo', 'arr[i] = {a: 1}', '&amp;', '&', '#', 'lt;',
  '👩‍💻', '❤️‍🔥', 'é', '\n', '\n\n', ': ', ':', '"', 'Human', 'Assistant', 'H', 'uman:', 'an: ', 'n:', '<', '[', '‹', '⁅', '∶',
  '\ud83d', '\udc69', '𝐬𝐲𝐬', 'ﬁ', '#60;', '60;', 'ystem-reminder>', 'rules', 'system', '-reminder>',
]; // biome-ignore format: a list of texts
const SEPARATORS = ['', '', '\n', '\n\n', ' ', '- ', '\n- ', '; '];
const LOOK_ALIKE_LETTERS: Readonly<Record<string, string>> = {
  a: 'а', e: 'е', o: 'о', p: 'р', c: 'с', s: 'ѕ', i: 'і', h: 'һ', n: 'ո', m: 'м', t: 'т', l: 'I', u: 'ս', k: 'к',
}; // biome-ignore format: pairs
const AS_LATIN = new Map(
  Object.entries(LOOK_ALIKE_LETTERS).map(([letter, other]) => [other.toLowerCase(), letter]),
);

export class ForgedMarkers {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A whole number from 0 up to, but without, `below`. */
  number(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  }

  text(): string {
    const pieces = Array.from({ length: 1 + this.number(6) }, () => this.#piece());
    const text = pieces.join('');
    return this.number(6) === 0 ? text.slice(0, this.number(text.length + 1)) : text;
  }

  /** The text in one to four parts. */
  parts(text: string): string[] {
    const cuts = Array.from({ length: this.number(4) }, () => this.number(text.length + 1));
    const ends = [...cuts.sort((a, b) => a - b), text.length];
    return ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end));
  }

  separator(): string {
    return this.#one(SEPARATORS);
  }

  #piece(): string {
    const kind = this.number(10);
    if (kind < 4) return this.#tag();
    if (kind < 6)
      return this.#disguised(this.#one(BRACKETS)) + this.#one([']', '] file=x', '', ': y']);
    if (kind === 6)
      return `${this.#one(['\n', '', ' ', '\n  '])}${this.#disguised(this.#one(TURNS))}${this.#one([':', ' :', '：', ''])} hi`;
    if (kind === 7) return String.fromCodePoint(this.number(0x11_0000));
    return this.#one(FILLERS);
  }

  #tag(): string {
    const lead = this.#one(['', '', '', '/', '/', ' ', '\n', ' / ', '\u200b/']);
    return this.#one(OPENERS) + lead + this.#disguised(this.#one(NAMES)) + this.#one(CLOSERS);
  }

  #disguised(name: string): string {
    if (this.number(3) === 0) return name;
    return [...name].map((letter) => this.#letter(letter)).join('');
  }

  #letter(letter: string): string {
    const code = letter.charCodeAt(0);
    switch (this.number(16)) {
      case 0:
        return letter.toUpperCase();
      case 1:
        return code > 0x20 && code < 0x7f ? String.fromCharCode(code + 0xfee0) : letter;
      case 2:
        return LOOK_ALIKE_LETTERS[letter] ?? letter;
      case 3:
        return this.#one(NOISE) + letter;
      case 4:
        return this.number(4) === 0 ? `&#${code};` : letter;
      case 5:
        return this.number(4) === 0 ? `&#x${code.toString(16)};` : letter;
      default:
        return letter;
    }
  }

  #one<T>(list: readonly T[]): T {
    return list[this.number(list.length)] as T;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&' };

function withoutEntities(text: string): string {
  const once = (from: string) =>
    from.replace(/&(?:#x([\da-f]+)|#(\d+)|(lt|gt|amp));?/gi, (all, hex, decimal, name = '') => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      if (code <= 0x10ffff) return String.fromCodePoint(code);
      return ENTITIES[name.toLowerCase()] ?? all;
    });
  let [before, after] = [text, once(text)];
  while (before !== after) [before, after] = [after, once(after)];
  return after;
}

const INVISIBLE = /(?![\n\r\t])\p{Cc}|\p{Cf}|\p{Default_Ignorable_Code_Point}/gu;

/** What a person reads: characters that look the same are the same, and those not seen are not there. */
export function asRead(text: string): string {
  return withoutEntities(text)
    .replace(/[\v\f\x85]/g, '\n')
    .replace(INVISIBLE, '')
    .replace(/[‹⟨❮❰˂ᐸ〈〈]/g, '<')
    .replace(/⁅/g, '[')
    .replace(/∶/g, ':')
    .normalize('NFKC')
    .replace(/≮/g, '<')
    .trimEnd();
}

const plainLetters = (text: string) =>
  [...text.toLowerCase()]
    .map((letter) => AS_LATIN.get(letter) ?? letter)
    .join('')
    .replace(/i/g, 'l');

function asModelReads(text: string): string {
  const shown = withoutEntities(text)
    .replace(/[\v\f\x85\u2028\u2029\r]/g, '\n')
    .normalize('NFKD')
    .replace(INVISIBLE, '')
    .replace(/\p{M}/gu, '')
    .replace(/[⟨❮]/g, '<');
  return plainLetters(shown);
}

const spelled = (name: string) => [...plainLetters(name).replace(/[^a-z]/g, '')].join('[\\s_-]*');
const anyOf = (names: readonly string[]) => `(?:${names.map(spelled).join('|')})`;
const WORDS = [...CLAUDE_WORD_TAGS, ...FENCE_NAMES.filter((name) => !name.includes('-'))];
const NO_MORE = '(?![a-z\\d_-])';

const FINDERS = [
  `<[\\s/]*${anyOf([...CLAUDE_TAGS, FENCES.briefing])}${NO_MORE}`,
  `<\\s*/[\\s/]*${anyOf([...WORDS, ...CLAUDE_ATTRIBUTE_TAGS])}${NO_MORE}`,
  `<\\s*${anyOf(WORDS)}\\s*/?>`,
  `<\\s*${anyOf([...WORDS, ...CLAUDE_ATTRIBUTE_TAGS])}\\s+[a-z]+\\s*=`,
  `\\[\\s*${anyOf([...Object.values(NOTES).filter((note) => note !== NOTES.critical), ...CLAUDE_NOTES])}`,
  `\\[\\s*${spelled(NOTES.critical)}\\s*\\]`,
  `^\\s*\\[\\s*${anyOf([ENTRY_HEADS.user, ENTRY_HEADS.assistant])}\\s*\\]`,
  `^\\s*\\[\\s*${spelled(ENTRY_HEADS.tool)}\\s*:`,
  `^[^\\S\\n]*${TURNS.map((turn) => plainLetters(turn))
    .join('|')
    .replace(/.*/, '(?:$&)')}[^\\S\\n]*:`,
].map((pattern) => new RegExp(pattern, 'm'));

/** The first marker that is found; undefined if there is none. */
export function findMarker(text: string): string | undefined {
  const read = asModelReads(text);
  for (const finder of FINDERS) {
    const [found] = finder.exec(read) ?? [];
    if (found !== undefined) return found;
  }
  return undefined;
}
