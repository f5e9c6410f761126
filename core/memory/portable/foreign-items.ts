/**
 * Converts facts, concepts and conversations of memory-keeper 13+ and crabshell to ours (M20, F3,
 * F7). Names what it does not understand, and leaves it where it is.
 */
import { type Message, message } from '../../messages/message.ts';
import { parseJson } from '../../platform/store/attempt.ts';
import { fingerprint } from '../../platform/text/fingerprint.ts';
import { isRecord, type JsonRecord, stringAt } from '../../platform/text/json.ts';
import { FACT_LISTS, PERMANENT_LISTS } from '../l2-facts/facts-file.ts';
import type { L1Entry } from '../log/l1-refine.ts';
import { redact } from '../redact/redact.ts';

const CONTENT_FIELDS = ['content', 'text', 'description', 'fact', 'decision', 'rule', 'summary'];
const MAX_NAMED = 5;

export interface Converted<T> {
  value: T;
  notes: Message[];
}

export function foreignFacts(raw: JsonRecord): Converted<JsonRecord> {
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

export function foreignConcepts(json: JsonRecord): Converted<JsonRecord> {
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
  convert: (item: JsonRecord) => JsonRecord | undefined,
): JsonRecord[] {
  const found = Array.isArray(list) ? list : isRecord(list) ? Object.values(list) : [];
  const ids = new Set<unknown>();
  return found.flatMap((raw, at) => {
    const item = typeof raw === 'string' ? { content: raw } : raw;
    const converted = isRecord(item) ? convert(item) : undefined;
    if (converted === undefined) {
      left.push(`${name}[${at}]`);
      return [];
    }
    const { id } = converted;
    const isUsable = typeof id === 'string' && /^[a-z]\d{1,9}$/.test(id) && !ids.has(id);
    if (isUsable) ids.add(id);
    return [{ ...converted, id: isUsable ? id : '' }];
  });
}

function withContent(item: JsonRecord): JsonRecord | undefined {
  const field = CONTENT_FIELDS.find((name) => typeof item[name] === 'string' && item[name] !== '');
  return field === undefined ? undefined : { ...item, content: item[field] };
}

/** Redacts every text in it: reasons, quotes and names as well (M18). */
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

/** Lines without an id get one that is the same at every import. Redacts what theirs did not (M18). */
export function foreignL1(text: string, session: string, name: string): Converted<string> {
  let count = 0;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const entries = lines.flatMap((line, at) => {
    const row = parseJson(line);
    if (isRecord(row) && typeof row.session === 'string' && row.role === undefined) return [];
    const ownId = fingerprint(`${session} ${at} ${line}`);
    const entry = isRecord(row) ? entryOf(row, ownId) : undefined;
    if (entry === undefined) count++;
    return entry ?? [];
  });
  const value = [{ session }, ...entries].map((line) => `${JSON.stringify(line)}\n`).join('');
  const skipped = message('archive.skippedLines', { name, count, total: lines.length });
  return { value, notes: count === 0 ? [] : [skipped] };
}

function entryOf(row: JsonRecord, madeId: string): L1Entry | undefined {
  const text = (field: string) => redact(stringAt(row, field) ?? '');
  const id = stringAt(row, 'id') || madeId;
  const ts = stringAt(row, 'ts') ?? stringAt(row, 'timestamp') ?? '';
  if (row.role === 'tool')
    return { id, ts, role: 'tool', name: text('name'), cmd: text('cmd'), output: text('output') };
  const said = text('text') || text('content');
  if ((row.role !== 'user' && row.role !== 'assistant') || said === '') return undefined;
  return { id, ts, role: row.role, text: said };
}
