/**
 * The lines of an L1 file (F3, L1b). The first names the session and the format; every other line is
 * one entry, readable by itself, because readers begin at byte offsets. Format 2 is an array with a
 * short mark of who speaks; files of format 1 (no number in the first line) have an object a line
 * and go on with it. This is the only place that writes or parses a line.
 */
import { parseJson } from '../../platform/store/attempt.ts';
import { isRecord, type JsonRecord, numberAt, stringAt } from '../../platform/text/json.ts';
import type { L1Entry, SpokenEntry, ToolEntry } from './l1-refine.ts';

export const L1_FORMAT = 2;

export interface L1Header {
  session: string;
  format: number;
}

export function headerLine(session: string, format = L1_FORMAT): string {
  return JSON.stringify({ session, ...(format > 1 && { format }) });
}

/** Undefined if the line names no session. */
export function parseHeader(line: string): L1Header | undefined {
  const header = parseJson(line);
  const session = isRecord(header) ? stringAt(header, 'session') : undefined;
  if (!isRecord(header) || session === undefined) return undefined;
  return { session, format: numberAt(header, 'format') ?? 1 };
}

/** `[mark, id, time, text]`, or `[mark, id, time, name, cmd, output, change, detail]`. */
export function entryLine(entry: L1Entry, format = L1_FORMAT): string {
  if (format === 1) return JSON.stringify(entry);
  const mark = markOf(entry);
  const time = packedTime(entry.ts);
  if (entry.role !== 'tool') return JSON.stringify([mark, entry.id, time, entry.text]);
  const { id, name, cmd, output, change = '', detail = '' } = entry;
  const fields = [mark, id, time, name, cmd, output, change, detail];
  while (fields.at(-1) === '') fields.pop();
  return JSON.stringify(fields);
}

/** Skips torn and foreign lines, and the one that names the session. */
export function parseL1(text: string): L1Entry[] {
  return text.split('\n').flatMap((line) => parseEntry(line) ?? []);
}

/**
 * Of any format. A reader may begin in the middle of a line: no rest of a line reads as an entry,
 * since quotes inside texts are escaped, and nothing is nested.
 */
export function parseEntry(line: string): L1Entry | undefined {
  if (line === '') return undefined;
  const json = parseJson(line);
  if (Array.isArray(json)) return fromFields(json);
  return isRecord(json) ? fromRecord(json) : undefined;
}

const ARRAY = 0x5b;
const ARRAY_END = 0x5d;
const RECORD_START = Buffer.from('{"id":');
const RECORD_END = 0x7d;

/** By its beginning and end: parsing a long conversation for one page of it would take too long. */
export function isEntryLine(line: Buffer): boolean {
  if (line[0] === ARRAY) return line.at(-1) === ARRAY_END;
  return line.at(-1) === RECORD_END && line.subarray(0, RECORD_START.length).equals(RECORD_START);
}

const PROMPT = Buffer.from('["u",');

/** A request of the user, and no answer to a question of Claude. Only older lines are parsed. */
export function isPromptLine(line: Buffer): boolean {
  if (line[0] === ARRAY) return line.subarray(0, PROMPT.length).equals(PROMPT);
  const entry = parseEntry(line.toString('utf8'));
  return entry?.role === 'user' && entry.isAnswer !== true;
}

const ROLES = { u: 'user', a: 'assistant', t: 'tool' } as const;
/** Letters behind the role's. */
const ANSWER = 'a';
const PLAN = 'p';
const ERROR = 'e';
const REFUSED = 'r';
const MARK = /^(?:ua?|a|t[a-z]{0,6})$/;

function markOf(entry: L1Entry): string {
  if (entry.role !== 'tool')
    return (entry.role === 'user' ? 'u' : 'a') + (entry.isAnswer ? ANSWER : '');
  const flags = [entry.isPlan && PLAN, entry.isError && ERROR, entry.isRefused && REFUSED];
  return `t${flags.filter(Boolean).join('')}`;
}

function fromFields([mark, id, time, ...fields]: unknown[]): L1Entry | undefined {
  if (typeof mark !== 'string' || !MARK.test(mark) || typeof id !== 'string') return undefined;
  const role = ROLES[mark[0] as keyof typeof ROLES];
  const ts = unpackedTime(time);
  const has = (flag: string) => mark.includes(flag, 1);
  const [name, cmd, output, change, detail] = fields.map((field) =>
    typeof field === 'string' ? field : '',
  );
  if (role !== 'tool')
    return typeof fields[0] === 'string'
      ? spoken({ id, ts, role, text: fields[0] }, has(ANSWER))
      : undefined;
  const flags = { isPlan: has(PLAN), isError: has(ERROR), isRefused: has(REFUSED) };
  return tool({ id, ts, role, name, cmd, output, change, detail, ...flags });
}

function fromRecord(record: JsonRecord): L1Entry | undefined {
  const { id, role } = record;
  if (typeof id !== 'string') return undefined;
  const field = (name: string) => stringAt(record, name) ?? '';
  const ts = field('ts');
  if (role === 'user' || role === 'assistant')
    return typeof record.text === 'string'
      ? spoken({ id, ts, role, text: record.text }, record.isAnswer === true)
      : undefined;
  if (role !== 'tool') return undefined;
  const has = (name: string) => record[name] === true;
  const flags = { isPlan: has('isPlan'), isError: has('isError'), isRefused: has('isRefused') };
  const [name, cmd, output] = [field('name'), field('cmd'), field('output')];
  return tool({
    id,
    ts,
    role,
    name,
    cmd,
    output,
    change: field('change'),
    detail: field('detail'),
    ...flags,
  });
}

function spoken(entry: SpokenEntry, isAnswer: boolean): SpokenEntry {
  return isAnswer ? { ...entry, isAnswer } : entry;
}

type ToolFields = Record<'id' | 'ts', string> & { role: 'tool' } & Partial<
    Record<'name' | 'cmd' | 'output' | 'change' | 'detail', string | undefined>
  > &
  Record<'isPlan' | 'isError' | 'isRefused', boolean>;

/** Only fields that say something. */
function tool({
  id,
  ts,
  role,
  name = '',
  cmd = '',
  detail = '',
  change = '',
  output = '',
  isError,
  isRefused,
  isPlan,
}: ToolFields): ToolEntry {
  return {
    id,
    ts,
    role,
    name,
    cmd,
    ...(detail !== '' && { detail }),
    ...(change !== '' && { change }),
    output,
    ...(isError && { isError }),
    ...(isRefused && { isRefused }),
    ...(isPlan && { isPlan }),
  };
}

/** In milliseconds, half as long; what is no time as Claude Code writes it stays as it is. */
function packedTime(ts: string): string | number {
  return ISO_TIME.test(ts) ? Date.parse(ts) : ts;
}

function unpackedTime(time: unknown): string {
  if (typeof time === 'string') return time;
  return typeof time === 'number' ? isoOf(time) : '';
}

/** A day that exists in every year, and a time of day. */
const ISO_TIME =
  /^\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
/** The farthest that a Date can go. */
const MAX_TIME_MS = 8.64e15;

function isoOf(ms: number): string {
  return Math.abs(ms) <= MAX_TIME_MS ? new Date(ms).toISOString() : '';
}
