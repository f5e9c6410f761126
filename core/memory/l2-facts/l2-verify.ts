/**
 * Checks a candidate fact against L1 (M9): its quote must be in the entry that it names, and its
 * numbers, paths and identifiers must occur there. Returns evidence or a reason.
 */
import { type Message, message } from '../../messages/message.ts';
import { withoutStandIns } from '../../platform/text/escape-markers.ts';
import { isAbout } from '../log/delta-text.ts';
import type { L1Entry } from '../log/l1-refine.ts';
import type { Evidence } from './facts-file.ts';
import type { FactCandidate } from './l2-answer.ts';

export type Verdict = { ok: true; evidence: Evidence } | { ok: false; why: Message };

const MIN_QUOTE_LETTERS = 6;
/** A syllable says as much as two or three letters. */
const LETTERS_PER_HANGUL = 2;
const MAX_CONTENT_CHARS = 600;
/** With their separators: `1,000`, `3.5`, `2026-11-16` as three. */
const NUMBER = /(?<![\p{L}_])\d+(?:[.,]\d+)*/gu;
/** `src/a.ts`, `~/.ssh`, `C:\x`. */
const PATH = /(?:[\w@~.-]*[/\\])+[\w@.-]+/g;
/** `loadMemory`, `MAX_SIZE`, `load_memory`, `config.json`, `--force`. */
const IDENTIFIER =
  /(?<![\w-])--?[a-z][\w-]+|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*|\b\w+_\w+\b|\b[\w-]+\.[a-z]{1,5}\b/g;
const NO_IDENTIFIER = /^(?:e\.g|i\.e|a\.m|p\.m|vs|etc)$/i;

/** Follows a number in Korean. Without it, most of these words are syllables of others. */
const COUNTED =
  '(?:개|번|명|시|분|초|일|주|달|월|년|가지|줄|칸|회|차|배|단계|자리|글자|곳|쪽|장|대|인)';
/** Zero to ten, written out. */
const IN_WORDS = [
  ['zero|no|none', '영'],
  ['one|an?|single|once|first|only', '한|일'],
  ['two|both|twice|double|second', '두|이'],
  ['three|thrice|triple|third', '세|삼'],
  ['four|fourth', '네|사'],
  ['five|fifth', '다섯|오'],
  ['six|sixth', '여섯|육'],
  ['seven|seventh', '일곱|칠'],
  ['eight|eighth', '여덟|팔'],
  ['nine|ninth', '아홉|구'],
  ['ten|tenth', '열|십'],
].map(([english, korean]) => new RegExp(`\\b(?:${english})\\b|(?:${korean}) ?${COUNTED}`));

/** `earlier`: all entries up to then, which show whose words the quote is. */
export function verifyFact(
  candidate: FactCandidate,
  session: string,
  entries: ReadonlyMap<string, L1Entry>,
  earlier: readonly L1Entry[] = [...entries.values()],
): Verdict {
  const { content, quote } = candidate;
  if (content.length > MAX_CONTENT_CHARS) return refused(message('memory.factTooLong'));
  const entry = entries.get(candidate.entry.replace(/^[[#]+|\]$/g, ''));
  if (entry === undefined)
    return refused(message('memory.factNoEntry', { entry: candidate.entry.slice(0, 40) }));
  const words = entryText(entry);
  if (letters(quote) < MIN_QUOTE_LETTERS) return refused(message('memory.factNoQuote'));
  if (!plainText(words).includes(plainText(quote))) return refused(message('memory.factMisquoted'));
  const detail = inventedDetail(content, words);
  if (detail !== undefined) return refused(message('memory.factInvented', { detail }));
  if (isHangul(content) === isHangul(words) && !isAbout(plainText(content), plainText(words)))
    return refused(message('memory.factUnsupported'));
  const role = entry.role === 'assistant' && isEcho(quote, earlier) ? 'tool' : entry.role;
  return { ok: true, evidence: { session, entry: entry.id, quote, role, at: entry.ts } };
}

/** A number, path or identifier that does not occur in the words; undefined if all do. */
export function inventedDetail(text: string, words: string): string | undefined {
  const plainWords = plainText(words);
  const plain = text.normalize('NFKC');
  const names = [PATH, IDENTIFIER].flatMap((pattern) => plain.match(pattern) ?? []);
  const isMissing = (name: string) =>
    !NO_IDENTIFIER.test(name) && !hasName(plainWords, plainText(name));
  return (
    names.map((name) => name.replace(/[.,-]+$/, '')).find(isMissing) ??
    plain.match(NUMBER)?.find((number) => !hasNumber(plainWords, number))
  );
}

/** Not as part of a longer name: `getUserById` does not contain `getUser`. */
function hasName(words: string, name: string): boolean {
  return new RegExp(`(?<!\\w)${escaped(name)}(?!\\w)`).test(words);
}

/** Not as part of a longer number: 3000 does not contain 300, nor 1.5 the number 5. */
function hasNumber(words: string, number: string): boolean {
  const digits = plainText(number);
  return (
    new RegExp(`(?<!\\d|\\d[.,])${escaped(digits)}(?![.,]?\\d)`).test(words) ||
    (IN_WORDS[Number(digits)]?.test(words) ?? false)
  );
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Against memory poisoning: "always do this" in a file or a web page is not the user's word. */
export function isTrusted({ role }: Evidence): boolean {
  return role !== 'tool';
}

function isEcho(quote: string, earlier: readonly L1Entry[]): boolean {
  const words = plainText(quote);
  return earlier.some((entry) => entry.role === 'tool' && plainText(entry.output).includes(words));
}

export function entryText(entry: L1Entry): string {
  if (entry.role !== 'tool') return entry.text;
  const { name, cmd, detail = '', change = '', output } = entry;
  return [`${name} ${cmd}`, detail, change, output].filter((part) => part !== '').join('\n');
}

function refused(why: Message): Verdict {
  return { ok: false, why };
}

/**
 * A quote may vary in blanks, quotation marks, emphasis, dashes, case and separators; and the model
 * was shown the entry without markers.
 */
export function plainText(text: string): string {
  return withoutStandIns(text)
    .normalize('NFKC')
    .replace(/[“”„«»"‘’`'*「」『』\u200b-\u200d\ufeff]/g, '')
    .replace(/[‐-―−]/g, '-')
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

function letters(text: string): number {
  const hangul = text.match(/\p{Script=Hangul}/gu)?.length ?? 0;
  return (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) + hangul * (LETTERS_PER_HANGUL - 1);
}

function isHangul(text: string): boolean {
  return /\p{Script=Hangul}/u.test(text);
}
