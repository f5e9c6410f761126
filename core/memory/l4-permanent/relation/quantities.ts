/**
 * Reads numbers with what they count (M11): "15 minutes", "열다섯 번", "port 3000". Each is a lower
 * bound, an upper bound or the value itself; two quantities clash if no value can satisfy both.
 */
import statementWords from '../../../../resources/statement-words.json' with { type: 'json' };
import type { Sign } from './negation.ts';
import { splitTail, type Token } from './tokens.ts';

export interface Quantity {
  value: number;
  /** Only quantities of one dimension can be compared: seconds, bytes, lines, the port. */
  dimension: string;
  bound: 'exact' | 'min' | 'max';
  sign: Sign;
  /** Number of tokens. */
  count: number;
}

const MONTH_SECONDS = 30 * 24 * 3600;
/** Twelve months of 30 days are a year. */
const YEAR_TOLERANCE = 0.02;

const NUMBERS = new Map<string, number>(
  (statementWords.numbers as [number, number, string][]).flatMap(([from, step, names]) =>
    names.split(' ').map((name, index) => [name, from + index * step]),
  ),
);
const SCALES = new Map(Object.entries({ 천: 1000, 만: 10_000, 억: 100_000_000 }));
/** Words that are number and unit in one: 하루, weekly, noon. */
const COMPLETE = new Map(Object.entries(statementWords.complete) as [string, [number, string]][]);
const UNITS = new Map<string, Omit<Unit, 'count'>>(
  statementWords.units.flatMap(({ dimension, factor, names }) =>
    names.split(' ').map((name) => [name, { dimension, factor }]),
  ),
);
const UNIT_TAIL =
  /^(?:이상|이하|미만|초과|이내|까지|마다|당|간|동안|짜리|씩|정도|쯤|전|후|만에|안에|째)/;
/** The number says which one is meant, not how much: "Phase 2". */
const NUMBERED =
  /^(?:phase|stage|step|part|chapter|section|issue|ticket|task|bug|story|pr|rule|case|error|level|tier|shard|server|worker|team|group|row|column|line|room|sprint|milestone|iteration|field|number|turn|version)$/;
const NO_UNIT =
  /^(?:place|file|another|other|or|and|to|in|of|is|are|as|at|for|on|with|by|from|the|a|per|when|after|before|if|that|most|least|than|up|under|within)$/;
const AT_LEAST = /이상|초과|or (?:more|later|newer|higher|above)|and (?:later|above)/;
const AT_MOST =
  /이하|미만|이내|까지|(?:^| )안에|or (?:less|fewer|below)|(?:^| )(?:상한|한도|제한|최대)/;
const LEAST_BEFORE =
  /\b(?:least|minimum|min)\b|(?:^| )(?:최소|적어도)|(?:more|longer|greater) than/;
const MOST_BEFORE =
  /\b(?:most|maximum|max|limits?|limited|within|up|under|below|exceed|capped|than|can|may)\b|(?:^| )(?:최대|상한|한도|제한)/;
const WORDS_BEFORE = 4;

/** The quantity that begins at this token, if one does. */
export function quantityAt(tokens: readonly Token[], at: number, sign: Sign): Quantity | undefined {
  const amount = amountAt(tokens, at);
  const unit = amount === undefined ? undefined : unitAfter(tokens, at, amount);
  if (amount === undefined || unit === undefined) return undefined;
  const count = amount.count + unit.count;
  const after = spoken(tokens, at + count - 1, at + count + 3);
  const isAfternoon = /\bpm\b/.test(after) || /^(?:오후|저녁|밤)/.test(textAt(tokens, at - 1));
  return {
    value: amount.value * unit.factor + (unit.dimension === 'clock' && isAfternoon ? 12 : 0),
    dimension: sortOf(tokens, at, after) + unit.dimension,
    bound: boundOf(spoken(tokens, at - WORDS_BEFORE, at), after),
    sign,
    count,
  };
}

function textAt(tokens: readonly Token[], at: number): string {
  return tokens[at]?.text ?? '';
}

function spoken(tokens: readonly Token[], from: number, to: number): string {
  const words = tokens.slice(Math.max(0, from), to);
  return words.map(({ text, tail }) => text + tail).join(' ');
}

interface Amount {
  value: number;
  count: number;
  isWord: boolean;
  /** Where it is complete as it is: 하루, 14:30. */
  dimension?: string;
}

function amountAt(tokens: readonly Token[], at: number): Amount | undefined {
  const [text, next] = [textAt(tokens, at), textAt(tokens, at + 1)];
  const isGlued = tokens[at + 1]?.isGlued === true;
  if (tokens[at]?.script === 'number') return digits(text, isGlued ? (SCALES.get(next) ?? 1) : 1);
  const complete = COMPLETE.get(splitTail(text, (stem) => COMPLETE.has(stem)).stem);
  if (complete !== undefined)
    return { value: complete[0], count: 1, isWord: true, dimension: complete[1] };
  const isOne = /^(?:every|each|(?:for|after|within|than|in|least|most|once) an?)$/.test(
    /^an?$/.test(text) ? `${textAt(tokens, at - 1)} ${text}` : text,
  );
  if (isOne && UNITS.get(next)?.dimension === 'time') return { value: 1, count: 1, isWord: true };
  const value = NUMBERS.get(text);
  if (value === undefined) return undefined;
  const ones = isGlued && value >= 20 ? NUMBERS.get(next) : undefined;
  if (ones === undefined || ones >= 10) return { value, count: 1, isWord: true };
  return { value: value + ones, count: 2, isWord: true };
}

function digits(text: string, scale: number): Amount | undefined {
  const [, hours, minutes] = /^(\d{1,2}):(\d\d)$/.exec(text) ?? [];
  const clock = Number(hours) + Number(minutes) / 60;
  if (hours !== undefined) return { value: clock, count: 1, isWord: false, dimension: 'clock' };
  const value = Number(text.replaceAll(/,(?=\d{3})/g, '')) * scale;
  return Number.isFinite(value) ? { value, count: scale > 1 ? 2 : 1, isWord: false } : undefined;
}

interface Unit {
  dimension: string;
  factor: number;
  count: number;
}

function unitAfter(tokens: readonly Token[], at: number, amount: Amount): Unit | undefined {
  if (amount.dimension !== undefined) return { dimension: amount.dimension, factor: 1, count: 0 };
  const end = at + amount.count;
  const next = tokens[end];
  if ([at - 1, at - 2, end, end + 1].some((near) => /^(?:ports?$|포트)/.test(textAt(tokens, near))))
    return { dimension: 'port', factor: 1, count: next?.text === '번' ? 1 : 0 };
  const unit = next === undefined ? undefined : unitIn(next);
  // "한 페이지에" says per what, not how many.
  if (unit?.dimension === 'page' && amount.isWord && amount.value === 1) return undefined;
  if (unit !== undefined) return { ...unit, count: 1 };
  // "one of them", "한 곳": too common to mean a number.
  if ((amount.isWord && next?.script !== 'latin') || next?.script === 'number') return undefined;
  return { dimension: countedNoun(tokens, at, end), factor: 1, count: 0 };
}

function unitIn({ text, script }: Token): Omit<Unit, 'count'> | undefined {
  if (script !== 'hangul') return UNITS.get(text);
  const isEnd = (length: number) =>
    UNIT_TAIL.test(text.slice(length)) ||
    splitTail(text, (stem) => stem.length === length).stem.length === length;
  for (let length = text.length; length > 0; length--) {
    const unit = UNITS.get(text.slice(0, length));
    if (unit !== undefined && isEnd(length)) return unit;
  }
  return undefined;
}

/** "Node 14" is a value of Node, "5 connections" one of connections. */
function countedNoun(tokens: readonly Token[], at: number, end: number): string {
  const [before, next] = [tokens[at - 1], tokens[end]];
  const isNoun = (token: Token | undefined): token is Token =>
    token?.script === 'latin' && !NO_UNIT.test(token.text);
  // "Phase 2", "gpt-4"
  const isLabel = tokens[at]?.isGlued === true || NUMBERED.test(before?.text ?? '');
  if (isLabel && before?.script === 'latin') return `label ${before.stem}`;
  if (isNoun(before) && ((before.isCapital && at > 1) || !isNoun(next))) return `of ${before.stem}`;
  if (!isNoun(next)) return 'number';
  // "Two fields of the form …": some of them, not how many there are.
  return `${at === 0 && textAt(tokens, end + 1) === 'of' ? 'label some' : 'of'} ${next.stem}`;
}

/** "every five minutes" and "7일 이상이면" are not compared with "five minutes" and "7일". */
function sortOf(tokens: readonly Token[], at: number, after: string): string {
  if (/^\S* ?(?:이상|이하|미만|초과)(?:은|는|이면|일|인|의)/.test(after)) return 'if ';
  const isEvery =
    /\b(?:every|each|once)\b/.test(spoken(tokens, at - 1, at + 1)) ||
    /^\S*마다/.test(after) ||
    tokens.some(({ text }) => /^(?:intervals?$|간격|주기)/.test(text));
  return isEvery ? 'every ' : '';
}

function boundOf(before: string, after: string): Quantity['bound'] {
  if (AT_LEAST.test(after)) return 'min';
  if (AT_MOST.test(after)) return 'max';
  const clause = before.replace(/.*[;.]/, '');
  if (LEAST_BEFORE.test(clause)) return 'min';
  return MOST_BEFORE.test(clause) ? 'max' : 'exact';
}

/** Says which thing or which case is meant. */
export function isLabel({ dimension }: Quantity): boolean {
  return /^(?:label|if) /.test(dimension);
}

/** Whether no value satisfies both. A minimum and a maximum live together. */
export function clash(a: Quantity, b: Quantity): boolean {
  if (a.sign !== 1 || b.sign !== 1 || isLabel(a)) return false;
  return a.bound === b.bound ? !isEqual(a, b) : leavesNothing(a, b) || leavesNothing(b, a);
}

function leavesNothing(a: Quantity, b: Quantity): boolean {
  return a.bound === 'max' ? b.value > a.value : a.bound === 'min' && b.value < a.value;
}

export function isEqual(a: Quantity, b: Quantity | undefined): boolean {
  if (b === undefined || a.dimension !== b.dimension || a.bound !== b.bound) return false;
  const isLong = a.dimension.endsWith('time') && a.value >= MONTH_SECONDS;
  const tolerance = (isLong ? YEAR_TOLERANCE : 1e-6) * Math.max(a.value, b.value);
  return Math.abs(a.value - b.value) <= tolerance;
}
