/**
 * Reads numbers with their unit (M11): "15 minutes", "a quarter of an hour" and "15분" are the same
 * quantity. Each is a lower bound, an upper bound or the value itself; two quantities clash if no
 * value can satisfy both.
 */
import { type Amount, amountAt } from './amounts.ts';
import { eojeol } from './stems.ts';
import type { Token } from './tokens.ts';

export interface Quantity {
  value: number;
  /** Only quantities of one dimension can be compared: seconds, bytes, lines, the port. */
  dimension: string;
  bound: 'exact' | 'min' | 'max';
  /** As it was written, for people. */
  text: string;
  /** Index of the first token and the number of tokens. */
  at: number;
  count: number;
}

const HOUR = 3600;
const DAY = 24 * HOUR;
const MONTH = 30 * DAY;
const KILO = 1024;
/** Twelve months of 30 days are a year. */
const YEAR_TOLERANCE = 0.02;

const UNITS = new Map<string, [dimension: string, factor: number]>();
function units(dimension: string, factor: number, names: string): void {
  for (const name of names.split(' ')) UNITS.set(name, [dimension, factor]);
}
units('time', 0.001, 'ms millisecond milliseconds 밀리초');
units('time', 1, 's sec secs second seconds 초');
units('time', 60, 'min mins minute minutes 분');
units('time', HOUR, 'h hr hrs hour hours 시간');
units('time', DAY, 'd day days 일');
units('time', 7 * DAY, 'week weeks 주 주일');
units('time', MONTH, 'month months 달 개월');
units('time', 365 * DAY, 'year years 년 해');
units('size', 1, 'byte bytes 바이트');
units('size', KILO, 'kb kib kilobyte kilobytes 킬로바이트');
units('size', KILO ** 2, 'mb mib megabyte megabytes 메가바이트 메가');
units('size', KILO ** 3, 'gb gib gigabyte gigabytes 기가바이트 기가');
units('size', KILO ** 4, 'tb tib terabyte terabytes 테라바이트 테라');
units('percent', 1, '% percent 퍼센트 프로');
units('line', 1, 'line lines 줄');
units('character', 1, 'character characters char chars letter letters 자 글자');
units('item', 1, 'item items entry entries result results element elements record records 개 건');
units(
  'person',
  1,
  'person people reviewer reviewers approver approvers approval approvals developer developers 명 사람 인',
);
units(
  'times',
  1,
  'time times attempt attempts retry retries try tries failure failures 번 회 차례',
);
units('page', 1, 'page pages 쪽 페이지 장');
units('pixel', 1, 'px pixel pixels 픽셀');
units('space', 1, 'space spaces 칸');
units('digit', 1, 'digit digits decimals 자리');
units('step', 1, 'step steps 단계');
units('money', 1, 'won krw dollar dollars usd 원 달러');
units('money', 1000, '천원');
units('money', 10_000, '만원');
units('clock', 1, "o'clock am 시");
units('clock', 1, 'pm');
units('factor', 1, 'x 배');
const HANGUL_UNITS = [...UNITS.keys()]
  .filter((name) => /[가-힣]/.test(name))
  .sort((a, b) => b.length - a.length);
const AFTER_HANGUL_UNIT =
  /^(?:이상|이하|미만|초과|이내|까지|마다|당|간|동안|짜리|씩|정도|쯤|전|후|만에|안에|째|제)/;

const LOWER = /^(?:least|minimum|min|최소|최소한|적어도|하한)$/;
const UPPER =
  /^(?:(?:most|maximum|max|limits?|limited|within|up|under|below|exceed|capped|cap)$|최대|상한|한도|제한|많아야|최장)/;
const AT_LEAST = /이상|초과|or more|or later|or newer|or higher|or above|and later|and above/;
const AT_MOST = /이하|미만|이내|까지|안에|넘지|or less|or fewer|or below|상한|한도|제한|최대/;
const BOUND_WINDOW = 4;

/** The quantity that begins at this token, if one does. */
export function quantityAt(tokens: readonly Token[], at: number): Quantity | undefined {
  const amount = amountAt(tokens, at);
  if (amount === undefined) return undefined;
  const unit = unitAfter(tokens, at, amount);
  if (unit === undefined) return undefined;
  const count = amount.count + unit.count;
  const text = tokens
    .slice(at, at + count)
    .map((token, index) => (index > 0 && !token.isGlued ? ` ${token.text}` : token.text));
  const isCondition = /(?:이상|이하|미만|초과)(?:은|는|이면|일|인|의)/.test(
    tokens[at + count]?.text ?? '',
  );
  if (isCondition)
    return { value: 0, dimension: `condition ${at}`, bound: 'exact', text: '', at, count };
  return {
    value:
      amount.value * unit.factor +
      (unit.dimension === 'clock' && isAfternoon(tokens, at, count) ? 12 : 0),
    dimension: isEvery(tokens, at, count) ? `every ${unit.dimension}` : unit.dimension,
    bound: boundOf(tokens, at, count),
    text: text.join(''),
    at,
    count,
  };
}

function isAfternoon(tokens: readonly Token[], at: number, count: number): boolean {
  return (
    tokens[at + count - 1]?.text === 'pm' || /^(?:오후|저녁|밤)/.test(tokens[at - 1]?.text ?? '')
  );
}

/** "every five minutes", "5분마다", "the interval is 10 seconds". */
function isEvery(tokens: readonly Token[], at: number, count: number): boolean {
  const near = `${tokens[at - 1]?.text} ${tokens[at]?.text}`;
  if (/\b(?:every|each)\b/.test(near) || /마다/.test(tokens[at + count - 1]?.text ?? ''))
    return true;
  return tokens.some(({ text }) => /^(?:intervals?$|간격|주기)/.test(text));
}

/** What "hourly", "매주" and the like stand for, in the order of the category "frequency". */
const CYCLES = [HOUR, DAY, 7 * DAY, 14 * DAY, MONTH, 3 * MONTH, 12 * MONTH];

export function cycle(member: number, text: string, at: number): Quantity | undefined {
  const value = CYCLES[member];
  return value === undefined
    ? undefined
    : { value, dimension: 'every time', bound: 'exact', text, at, count: 1 };
}

interface Unit {
  dimension: string;
  factor: number;
  count: number;
}

function unitAfter(tokens: readonly Token[], at: number, amount: Amount): Unit | undefined {
  if (amount.unit === 'clock') return { dimension: 'clock', factor: 1, count: 0 };
  if (amount.unit === 'day') return { dimension: 'time', factor: DAY, count: 0 };
  const next = tokens[at + amount.count];
  if (isPort(tokens, at, amount.count))
    return { dimension: 'port', factor: 1, count: next?.text === '번' ? 1 : 0 };
  const known = next?.script === 'hangul' ? hangulUnit(next.text) : UNITS.get(next?.text ?? '');
  // "한 페이지에" says per what, not how many.
  if (known?.[0] === 'page' && amount.isWord && amount.value === 1) return undefined;
  if (known !== undefined) return { dimension: known[0], factor: known[1], count: 1 };
  // "one of them", "한 곳": too common to mean a number.
  if (amount.isWord && next?.script !== 'latin') return undefined;
  if (next?.isGlued && /^(?:st|nd|rd|th)$/.test(next.text))
    return { dimension: 'ordinal', factor: 1, count: 1 };
  return unnamedUnit(tokens, at, amount.count);
}

function hangulUnit(text: string): [string, number] | undefined {
  const name = HANGUL_UNITS.find((unit) => text.startsWith(unit) && isUnitEnd(text, unit));
  return name === undefined ? undefined : UNITS.get(name);
}

function isUnitEnd(text: string, unit: string): boolean {
  const rest = text.slice(unit.length);
  return (
    rest === '' ||
    AFTER_HANGUL_UNIT.test(rest) ||
    eojeol(text, (stem) => stem === unit).stem === unit
  );
}

function isPort(tokens: readonly Token[], at: number, count: number): boolean {
  const near = [tokens[at - 1], tokens[at - 2], tokens[at + count], tokens[at + count + 1]];
  return near.some((token) => token !== undefined && /^(?:ports?$|포트)/.test(token.text));
}

const NO_UNIT =
  /^(?:place|file|another|other|or|and|to|in|of|is|are|as|at|for|on|with|by|from|the|a|per|when|after|before|if|that)$/;

/** "Phase 2": the number tells which one is meant, and another number means another one. */
const NUMBERED =
  /^(?:phase|stage|step|part|chapter|section|issue|ticket|task|bug|story|pr|rule|case|error|level|tier|shard|server|worker|team|group|row|column|line|room|sprint|milestone|iteration)$/;
const LABEL = 'label ';

/** "Node 14" is a value of Node, "5 connections" one of connections. */
function unnamedUnit(tokens: readonly Token[], at: number, count: number): Unit | undefined {
  const next = tokens[at + count];
  const before = tokens[at - 1];
  if (NUMBERED.test(before?.text ?? ''))
    return { dimension: `${LABEL}${before?.key}`, factor: 1, count: 0 };
  if (/^(?:wrong|failed|invalid|incorrect|unsuccessful|consecutive)$/.test(next?.text ?? ''))
    return { dimension: 'times', factor: 1, count: 0 };
  const isNamed =
    before?.script === 'latin' &&
    before.text.length > 1 &&
    !NO_UNIT.test(before.text) &&
    !UPPER.test(before.text);
  const hasNext = next?.script === 'latin' && !NO_UNIT.test(next.text);
  if (isNamed && ((before.isCapital && at > 1) || !hasNext))
    return { dimension: `of ${before.key}`, factor: 1, count: 0 };
  if (hasNext) return { dimension: `of ${next.key}`, factor: 1, count: 1 };
  if (next === undefined || next.script !== 'number')
    return { dimension: 'number', factor: 1, count: 0 };
  return undefined;
}

function boundOf(tokens: readonly Token[], at: number, count: number): Quantity['bound'] {
  const after = tokens
    .slice(at + count - 1, at + count + 3)
    .map(({ text }) => text)
    .join(' ');
  if (AT_LEAST.test(after)) return 'min';
  if (AT_MOST.test(after)) return 'max';
  return boundBefore(tokens, at) ?? (isThreshold(tokens, at, count) ? 'max' : 'exact');
}

function boundBefore(tokens: readonly Token[], at: number): Quantity['bound'] | undefined {
  for (let index = at - 1; index >= Math.max(0, at - BOUND_WINDOW); index--) {
    const text = tokens[index]?.text ?? '';
    if (text === ';' || text === '.') return undefined;
    if (LOWER.test(text)) return 'min';
    if (UPPER.test(text)) return 'max';
    if (text === 'than')
      return /more|longer|over|greater/.test(tokens[index - 1]?.text ?? '') ? 'min' : 'max';
  }
  return undefined;
}

/** "after three failures", "세 번 실패하면": what happens once the number is reached. */
function isThreshold(tokens: readonly Token[], at: number, count: number): boolean {
  const next = tokens[at + count];
  return next?.script === 'hangul' && /면$/.test(next.text);
}

/**
 * Whether no value satisfies both. A minimum and a maximum, or a value within a bound, live
 * together.
 */
export function clash(a: Quantity, b: Quantity): boolean {
  if (!isComparable(a.dimension, b.dimension) || a.dimension.startsWith(LABEL)) return false;
  if (a.bound === b.bound) return !isEqual(a, b);
  return leavesNothing(a, b) || leavesNothing(b, a);
}

function leavesNothing(a: Quantity, b: Quantity): boolean {
  if (a.bound === 'max') return b.value > a.value;
  return a.bound === 'min' && b.value < a.value;
}

export function isEqual(a: Quantity, b: Quantity): boolean {
  const tolerance = a.dimension.endsWith('time') && a.value >= MONTH ? YEAR_TOLERANCE : 1e-6;
  return Math.abs(a.value - b.value) <= tolerance * Math.max(Math.abs(a.value), Math.abs(b.value));
}

export function isComparable(a: string, b: string): boolean {
  const isOpen = (dimension: string) => dimension === 'item' || dimension === 'number';
  return a === b || (isOpen(a) && b.startsWith('of ')) || (isOpen(b) && a.startsWith('of '));
}
