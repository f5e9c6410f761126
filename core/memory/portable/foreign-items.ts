/**
 * Converts facts, concepts and conversations of memory-keeper 13+ and crabshell to ours (M20, F3,
 * F7). Names what it does not understand, and leaves it where it is.
 */
import { type Message, message } from '../../messages/message.ts';
import { parseJson } from '../../platform/store/attempt.ts';
import { fingerprint } from '../../platform/text/fingerprint.ts';
import { isRecord, type JsonRecord } from '../../platform/text/json.ts';
import { FACT_LISTS, PERMANENT_LISTS } from '../l2-facts/facts-file.ts';
import type { L1Entry } from '../log/l1-refine.ts';
import { redact } from '../redact/redact.ts';

const WORDS = ['content', 'text', 'description', 'fact', 'decision', 'rule', 'summary'];
const MAX_NAMED = 5;

export interface Understood<T> {
  value: T;
  notes: Message[];
}

export function foreignFacts(raw: JsonRecord): Understood<JsonRecord> {
  const json = redacted(raw) as JsonRecord;
  const left: string[] = [];
  const lists = (from: JsonRecord, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, items(from[name], name, left, withContent)]));
  const { _meta: _, version: _version, retired: _retired, ...others } = json;
  const permanent = isRecord(json.permanent) ? json.permanent : {};
  const value = {
    ...others,
    ...lists(json, FACT_LISTS),
    permanent: { ...permanent, ...lists(permanent, PERMANENT_LISTS) },
  };
  return { value, notes: named('facts.json', left) };
}

export function foreignConcepts(json: JsonRecord): Understood<JsonRecord> {
  const left: string[] = [];
  const concepts = items(redacted(json.concepts), 'concepts', left, (item) =>
    typeof item.name === 'string' && item.name !== '' ? item : undefined,
  );
  return { value: { concepts }, notes: named('concepts.json', left) };
}

function items(
  list: unknown,
  name: string,
  left: string[],
  understand: (item: JsonRecord) => JsonRecord | undefined,
): JsonRecord[] {
  const found = Array.isArray(list) ? list : isRecord(list) ? Object.values(list) : [];
  const ids = new Set<unknown>();
  return found.flatMap((raw, at) => {
    const item = typeof raw === 'string' ? { content: raw } : raw;
    const understood = isRecord(item) ? understand(item) : undefined;
    if (understood === undefined) left.push(`${name}[${at}]`);
    if (understood === undefined) return [];
    const id =
      typeof understood.id === 'string' &&
      /^[a-z]\d{1,9}$/.test(understood.id) &&
      !ids.has(understood.id)
        ? understood.id
        : '';
    if (id !== '') ids.add(id);
    return [{ ...understood, id }];
  });
}

function withContent(item: JsonRecord): JsonRecord | undefined {
  const field = WORDS.find((name) => typeof item[name] === 'string' && item[name] !== '');
  return field === undefined ? undefined : { ...item, content: item[field] };
}

/** Whatever is said anywhere in it: reasons, quotes and names as well (M18). */
function redacted(value: unknown): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map(redacted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redacted(inner)]));
}

function named(name: string, left: readonly string[]): Message[] {
  if (left.length === 0) return [];
  const items = left.slice(0, MAX_NAMED);
  const count = left.length - items.length;
  return [
    count === 0
      ? message('archive.skippedItems', { name, items })
      : message('archive.skippedManyItems', { name, items, count }),
  ];
}

/**
 * L1 lines without ids get some that are the same whenever they are read. Secrets were not always
 * taken out there (M18).
 */
export function foreignL1(text: string, session: string, name: string): Understood<string> {
  let count = 0;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const entries = lines.flatMap((line, at) => {
    const row = parseJson(line);
    if (isRecord(row) && typeof row.session === 'string' && row.role === undefined) return [];
    const entry = isRecord(row)
      ? entryOf(row, `${fingerprint(`${session} ${at} ${line}`)}`)
      : undefined;
    if (entry === undefined) count++;
    return entry ?? [];
  });
  const value = [{ session }, ...entries].map((line) => `${JSON.stringify(line)}\n`).join('');
  return {
    value,
    notes:
      count === 0 ? [] : [message('archive.skippedLines', { name, count, total: lines.length })],
  };
}

function entryOf(row: JsonRecord, madeId: string): L1Entry | undefined {
  const text = (field: string) => (typeof row[field] === 'string' ? redact(row[field]) : '');
  const id = typeof row.id === 'string' && row.id !== '' ? row.id : madeId;
  const ts =
    typeof row.ts === 'string' ? row.ts : typeof row.timestamp === 'string' ? row.timestamp : '';
  if (row.role === 'tool')
    return { id, ts, role: 'tool', name: text('name'), cmd: text('cmd'), output: text('output') };
  const said = text('text') || text('content');
  if ((row.role !== 'user' && row.role !== 'assistant') || said === '') return undefined;
  return { id, ts, role: row.role, text: said };
}
