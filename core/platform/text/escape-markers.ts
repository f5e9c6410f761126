/**
 * The one function through which every text passes that goes into Claude's context and is not our
 * own fixed words (T3). Afterwards no marker of ours or of Claude Code is in it, nor can one arise
 * where two such texts meet, and a person reads the same: the first character of a marker becomes
 * one that looks like it. Why, and what counts as a marker: docs/decisions/0024-escaping.md.
 */
import { asPlainLetters } from './look-alikes.ts';
import {
  CLAUDE_ATTRIBUTE_TAGS,
  CLAUDE_NOTES,
  CLAUDE_TAGS,
  CLAUDE_WORD_TAGS,
  ENTRY_HEADS,
  FENCES,
  NOTES,
  TURNS,
} from './markers.ts';

/** What the first character of a marker becomes. No normalisation turns these back. */
const STAND_INS = { '<': '‹', '[': '⁅', ':': '∶' } as const;

type Opener = '<' | '[';

interface Marker {
  opener: Opener;
  /** Also an ordinary word, so that `a < rules.length` is no tag. */
  isWord?: boolean;
  needsAttribute?: boolean;
  /** What must follow the name. */
  end?: RegExp;
  isAtLineStart?: boolean;
}

/** An angle bracket, a square one, or an entity that is shown as one. */
const OPENER =
  /[<≮＜﹤˂ᐸ❮❰⟨〈〈]|[[［﹇]|&(?:amp;)*(?:(?:lt|#0*60(?!\d)|#x0*3c(?![\da-f]))|(?:lsqb|lbrack|#0*91(?!\d)|#x0*5b(?![\da-f])));?/giu;
const SQUARE = /^(?:[[［﹇]|&(?:amp;)*(?:ls|lb|#0*91|#x0*5b))/i;
/** Any other character, as HTML may write it. */
const ENTITY =
  /&(?:amp;)*(?:#x0*([\da-f]{1,6})(?![\da-f])|#0*(\d{1,7})(?!\d)|(Tab|NewLine|nbsp|shy|hyphen|dash|lowbar|sol|colon|gt|lt|lsqb|rsqb));?/iy;
const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  tab: '\t',
  newline: '\n',
  nbsp: ' ',
  shy: '-',
  hyphen: '-',
  dash: '-',
  lowbar: '_',
  sol: '/',
  colon: ':',
  gt: '>',
  lt: '<',
  lsqb: '[',
  rsqb: ']',
};
/** An entity that the text before or after may complete. */
const UNFINISHED_ENTITY = /&[#\w;]*$/;

const LINE_BREAK = /[\n\r\u2028\u2029]/;
const LETTER = /^[a-z\d]+$/;
const SLASH = /[/／∕⁄]/;
const CLOSING_BRACKET = /^[>＞﹥/]$/;
const COLON = /^[:：﹕︓]$/;
/** Most texts of a hook have nothing of it, and compiling what follows costs it time. */
const NOT_PLAIN = /[^\n\t -~]/;
const RARE_LINE_BREAK = /[\v\f\x85]/g;

/** Looking up Unicode's classes takes a millisecond, so hooks do it only where a text needs them. */
function classes() {
  return {
    /** Half a character shows as a box. */
    blank: /[\s\u2800\u3164\u115f\u1160\p{Cs}]/u,
    /** Between letters of a name it changes nothing for a reader: invisible, or a hyphen. */
    passedOver:
      /[\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Pd}\p{Pc}\p{Default_Ignorable_Code_Point}\u2212\s\u2800]/u,
    attributeStart: /[\p{L}_]/u,
    /** `source=`, also behind words without a value; or what the next text may make of it. */
    attribute: /[\p{L}_][\w:.-]*(?:\s+[\p{L}_][\w:.-]*)*\s*(?:[=＝﹦]|$)/uy,
    /** Control characters that show nothing, and what turns the direction of reading. */
    invisible:
      /(?![\t\n\r])\p{Cc}|\p{Bidi_Control}|[\u00ad\u180e\u200b\u2060-\u206f\ufeff\ufff9-\ufffb]|(\u{1f3f4}[\u{e0030}-\u{e007a}]{2,6}\u{e007f})|[\u{e0000}-\u{e007f}]/gu,
    /** Emoji and some scripts need one; more of them in a row can only carry something hidden. */
    joiners: /[\p{Join_Control}\p{Variation_Selector}]{2,}/gu,
  };
}

let found: ReturnType<typeof classes> | undefined;

function unicode(): ReturnType<typeof classes> {
  found ??= classes();
  return found;
}

/** More than any marker has. */
const MAX_NAME_CHARS = 48;
const MARKERS = new Map<string, Marker>();
const BEGINNINGS = new Set<string>();
const TURN_NAMES = new Set<string>(TURNS.map(nameOf));
/** Of a text that continues another: `an:` behind `Hum`. */
const TURN_ENDS = new Set(
  [...TURN_NAMES].flatMap((name) => [...name].map((_, at) => name.slice(at + 1))),
);

/** Filled at the first bracket: most texts of a hook have none. */
function fillTables(): void {
  for (const tag of CLAUDE_TAGS) add(tag, { opener: '<' });
  for (const tag of CLAUDE_WORD_TAGS) add(tag, { opener: '<', isWord: true });
  for (const tag of CLAUDE_ATTRIBUTE_TAGS)
    add(tag, { opener: '<', isWord: true, needsAttribute: true });
  for (const tag of Object.values(FENCES)) add(tag, { opener: '<', isWord: !tag.includes('-') });
  for (const note of [...Object.values(NOTES), ...CLAUDE_NOTES])
    add(note, { opener: '[', ...(note === NOTES.critical && { end: /^[\]］﹈]$/ }) });
  for (const head of Object.values(ENTRY_HEADS))
    add(head, { opener: '[', isAtLineStart: true, end: head.endsWith(':') ? COLON : /^[\]］﹈]$/ });
}

function nameOf(marker: string): string {
  return [...marker]
    .map(asPlainLetters)
    .join('')
    .replace(/[^a-z\d]/g, '');
}

function add(text: string, marker: Marker): void {
  const name = nameOf(text);
  MARKERS.set(`${marker.opener}${name}`, marker);
  for (let length = 0; length < name.length; length++)
    BEGINNINGS.add(`${marker.opener}${name.slice(0, length)}`);
}

/** Idempotent, and linear in the length of any text; what it returns is at most one blank longer. */
export function escapeMarkers(text: string): string {
  const visible = withoutInvisible(text);
  const escaped = withoutTurns(withoutTagsAndNotes(visible));
  return UNFINISHED_ENTITY.test(escaped) ? `${escaped} ` : escaped;
}

/** For a name or a path that stands within a line of ours. */
export function escapeInLine(text: string): string {
  return escapeMarkers(text.replace(/[\s\x85]+/g, ' '));
}

/** The text in a fence of ours, which nothing in it can close. */
export function fenced(fence: keyof typeof FENCES, text: string, source?: string): string {
  const { open, close } = fenceTags(fence, source);
  return `${open}\n${escapeMarkers(text)}\n${close}`;
}

export function fenceTags(
  fence: keyof typeof FENCES,
  source?: string,
): { open: string; close: string } {
  const name = FENCES[fence];
  const attribute = source === undefined ? '' : ` source="${source}"`;
  return { open: `<${name}${attribute}>`, close: `</${name}>` };
}

/** A text with stand-ins as it was, for comparing: `‹div>` and `<div>` read the same. */
export function withoutStandIns(text: string): string {
  return text.replace(/‹/g, '<').replace(/⁅/g, '[').replace(/∶/g, ':');
}

function withoutInvisible(text: string): string {
  if (!NOT_PLAIN.test(text)) return text;
  return text
    .replace(RARE_LINE_BREAK, '\n')
    .replace(unicode().invisible, (_, flag: string | undefined) => flag ?? '')
    .replace(unicode().joiners, (run) => {
      const [selector = ''] = /\p{Variation_Selector}/u.exec(run) ?? [];
      const [joiner = ''] = /\p{Join_Control}/u.exec(run) ?? [];
      return selector + joiner;
    });
}

function withoutTagsAndNotes(text: string): string {
  return text.replace(OPENER, (found: string, at: number) => {
    const opener = SQUARE.test(found) ? '[' : '<';
    return isMarker(text, at, at + found.length, opener) ? STAND_INS[opener] : found;
  });
}

function isMarker(text: string, at: number, from: number, opener: Opener): boolean {
  if (MARKERS.size === 0) fillTables();
  const reading = readName(text, from);
  const { letters, isAtEnd } = reading;
  if (isAtEnd && BEGINNINGS.has(opener + letters)) return true;
  for (let length = 1; length <= letters.length; length++) {
    const marker = MARKERS.get(opener + letters.slice(0, length));
    if (marker === undefined) continue;
    if (marker.isAtLineStart && !isAtLineStart(text, at)) continue;
    if (
      opener === '['
        ? endsAsNote(text, reading, length, marker)
        : endsAsTag(text, reading, length, marker)
    )
      return true;
  }
  return false;
}

interface Reading {
  /** As plain letters, without what a reader passes over. */
  letters: string;
  /** Where each letter ends in the text. */
  ends: number[];
  hasBlankBefore: boolean;
  isClosing: boolean;
  /** Nothing else follows in the text. */
  isAtEnd: boolean;
}

function readName(text: string, from: number): Reading {
  const { next, at, passed } = nextAfter(text, from, SLASH);
  const name = lettersFrom(text, next === '' ? text.length : at);
  return { ...name, hasBlankBefore: unicode().blank.test(passed), isClosing: SLASH.test(passed) };
}

function lettersFrom(text: string, from: number): Pick<Reading, 'letters' | 'ends' | 'isAtEnd'> {
  const ends: number[] = [];
  let name = '';
  for (let at = from; name.length <= MAX_NAME_CHARS; ) {
    const { character, end } = characterAt(text, at);
    if (character === '') return { letters: name, ends, isAtEnd: true };
    const letters = isPassedOver(character) ? '' : asPlainLetters(character);
    if (letters !== '' && !LETTER.test(letters)) break;
    name += letters;
    for (const _ of letters) ends.push(end);
    at = end;
  }
  return { letters: name, ends, isAtEnd: false };
}

/** Without the expression for plain characters, which are nearly all. */
function isPassedOver(character: string): boolean {
  if (character > '~') return unicode().passedOver.test(character);
  return character <= ' ' || character === '-' || character === '_';
}

/** Empty at the end of the text. */
function characterAt(text: string, at: number): { character: string; end: number } {
  if (text[at] === '&') {
    ENTITY.lastIndex = at;
    const [all = '', hex, decimal, name = ''] = ENTITY.exec(text) ?? [];
    const code = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal ?? Number.NaN);
    if (code <= 0x10ffff) return { character: String.fromCodePoint(code), end: at + all.length };
    const character = NAMED_ENTITIES[name.toLowerCase()];
    if (character !== undefined) return { character, end: at + all.length };
  }
  const code = text.codePointAt(at);
  if (code === undefined) return { character: '', end: at };
  const character = String.fromCodePoint(code);
  return { character, end: at + character.length };
}

/** What follows a place, with blanks and invisible characters passed over. */
function nextAfter(
  text: string,
  from: number,
  also?: RegExp,
): { next: string; at: number; passed: string } {
  let passed = '';
  for (let at = from; ; ) {
    const { character, end } = characterAt(text, at);
    const isPassed = isPassedOver(character) || also?.test(character) === true;
    if (character === '' || !isPassed) return { next: character, at, passed };
    passed += character;
    at = end;
  }
}

function endsAsNote(text: string, { ends }: Reading, length: number, { end }: Marker): boolean {
  if (end === undefined) return true;
  const { next } = nextAfter(text, ends[length - 1] as number);
  return next === '' || end.test(next);
}

function endsAsTag(text: string, reading: Reading, length: number, marker: Marker): boolean {
  const { isClosing, hasBlankBefore } = reading;
  const { next, at, passed } = nextAfter(text, reading.ends[length - 1] as number);
  const hasGap = unicode().blank.test(passed);
  if (next === '') return true;
  if (!hasGap && /[a-z\d]/i.test(next)) return false; // a longer name
  if (!marker.isWord || isClosing) return true;
  if (hasGap && startsAttribute(text, at)) return true;
  if (marker.needsAttribute) return false;
  if (CLOSING_BRACKET.test(next)) return true;
  // A tag that is never closed, and no comparison.
  return hasGap && !hasBlankBefore && /[\p{L}\p{N}"'<]/u.test(next);
}

function startsAttribute(text: string, at: number): boolean {
  if (!unicode().attributeStart.test(text[at] ?? '')) return false;
  const { attribute } = unicode();
  attribute.lastIndex = at;
  return attribute.test(text);
}

function isAtLineStart(text: string, at: number): boolean {
  for (let before = at - 1; before >= 0; before--) {
    const character = text[before] as string;
    if (LINE_BREAK.test(character)) return true;
    if (!isPassedOver(character)) return false;
  }
  return true;
}

/** `Human:` at the start of a line, or at the start of the text what another text may end with. */
function withoutTurns(text: string): string {
  if (!/[:：﹕︓]|&/.test(text)) return text;
  let escaped = '';
  let copied = 0;
  for (let start = 0; start <= text.length; ) {
    const colon = turnColon(text, start);
    if (colon !== undefined) {
      escaped += `${text.slice(copied, colon.at)}${STAND_INS[':']}`;
      copied = colon.end;
    }
    const ending = nextLineBreak(text, start);
    if (ending < 0) break;
    start = ending + 1;
  }
  return escaped + text.slice(copied);
}

function nextLineBreak(text: string, from: number): number {
  ANY_LINE_BREAK.lastIndex = from;
  return ANY_LINE_BREAK.exec(text)?.index ?? -1;
}

const ANY_LINE_BREAK = /[\n\r\u2028\u2029]/g;
const LONGEST_TURN = Math.max(...TURNS.map(({ length }) => length));

function turnColon(text: string, start: number): { at: number; end: number } | undefined {
  let letters = '';
  for (let at = start; letters.length <= LONGEST_TURN; ) {
    const { character, end } = characterAt(text, at);
    if (COLON.test(character)) {
      const isTurn = TURN_NAMES.has(letters) || (start === 0 && TURN_ENDS.has(letters));
      return isTurn ? { at, end } : undefined;
    }
    const more = isPassedOver(character) ? '' : asPlainLetters(character);
    const isOver = character === '' || LINE_BREAK.test(character);
    if (isOver || (more !== '' && !LETTER.test(more))) return undefined;
    letters += more;
    at = end;
  }
  return undefined;
}
