/**
 * Imports the plain folder of memory-keeper 13+ and crabshell (M20, F3, F7): `.claude/memory`, with
 * `sessions/` in it or beside it. Makes a memory of ours from it, with a journal that says what was
 * imported; names what it does not understand, and changes nothing of theirs.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ExpectedError } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt, parseJson } from '../../platform/store/attempt.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { isSessionId } from '../../platform/store/session-id.ts';
import { contentFingerprint } from '../../platform/text/fingerprint.ts';
import { isRecord, type JsonRecord, stringAt } from '../../platform/text/json.ts';
import { type ProjectMemory, prepareProjectMemory } from '../../projects/project-memory.ts';
import { assignIds } from '../edits/assign-ids.ts';
import { FACT_LISTS, PERMANENT_LISTS } from '../l2-facts/facts-file.ts';
import { entryLine, headerLine, parseEntry, parseHeader } from '../log/l1-line.ts';
import type { L1Entry } from '../log/l1-refine.ts';
import { updateMemoryIndex } from '../log/memory-index.ts';
import { redact } from '../redact/redact.ts';
import { record } from '../state/derive.ts';
import { MAX_FILE_BYTES } from './manifest.ts';
import { endedSession } from './merge-l1.ts';
import type { OnProgress } from './write-archive.ts';

const L1_FILE = /^\d{4}-\d{2}-\d{2}_\d{4}(?:-[0-9a-f]{8})?(?:-\d+)?\.l1\.jsonl$/;
const PAGE = /^(?:\d{4}-\d{2}-\d{2}_\d{4}(?:-[0-9a-f]{8})?(?:-\d+)?|week-\d{1,2}|\d{4}-\d{2})\.md$/;
/** Settings and state of their program, and what ours makes itself. */
const OF_NO_USE =
  /^(?:\..*|memory-index\.json|config\.json|delta_temp\.txt|counter\.json|.*\.(?:lock|tmp|l2\.json|bak))$/;
const IMPORTED = /^(?:memory\.md|facts\.json|concepts\.json|sessions|archive|logs)$/;
const CONTENT_FIELDS = ['content', 'text', 'description', 'fact', 'decision', 'rule', 'summary'];
const MAX_NAMED = 5;

interface Converted<T> {
  value: T;
  notes: Message[];
}

export function takeForeignFolder(
  folder: string,
  into: ProjectMemory,
  onProgress: OnProgress,
): Message[] {
  const sessions = [join(folder, 'sessions'), join(dirname(folder), 'sessions')].find((path) =>
    existsSync(path),
  );
  const hasAny = ['memory.md', 'facts.json', 'concepts.json'].some((name) =>
    existsSync(join(folder, name)),
  );
  if (!hasAny && sessions !== join(folder, 'sessions'))
    throw new ExpectedError(message('archive.noMemory', { folder }));
  prepareProjectMemory(into);
  const notes = [
    ...takeText(folder, into.folder, 'memory.md'),
    ...takeJson(folder, into.folder, 'facts.json', foreignFacts),
    ...takeJson(folder, into.folder, 'concepts.json', foreignConcepts),
    ...(sessions === undefined ? [] : takeSessions(sessions, into, onProgress)),
    ...namesIn(folder).flatMap((name) => (IMPORTED.test(name) ? [] : skipped(name))),
  ];
  // Records what people wrote by hand as their edits.
  if (hasAny) record(into);
  return notes;
}

function takeSessions(folder: string, into: ProjectMemory, onProgress: OnProgress): Message[] {
  const names = namesIn(folder);
  const notes = names.flatMap((name, index) => {
    onProgress('reading', index + 1, names.length);
    if (L1_FILE.test(name)) return takeL1(folder, into, name);
    if (PAGE.test(name)) return takeText(folder, into.sessions, name);
    return name === 'archive' ? [] : skipped(`sessions/${name}`);
  });
  const [from, to] = [join(folder, 'archive'), join(into.sessions, 'archive')];
  const pages = namesIn(from).filter((name) => PAGE.test(name));
  return [...notes, ...pages.flatMap((name) => takeText(from, to, name))];
}

function takeL1(folder: string, into: ProjectMemory, name: string): Message[] {
  return takeFile(join(folder, name), (text) => {
    const own = parseHeader(text.split('\n', 1)[0] ?? '')?.session ?? '';
    const session = isSessionId(own)
      ? own
      : `imported-${contentFingerprint(name + text.slice(0, 4096))}`;
    const { value, notes } = foreignL1(text, session, `sessions/${name}`);
    writeFileAtomic(join(into.sessions, name), value);
    const bytes = Buffer.byteLength(value);
    // The program that wrote it has summarised it and searched it for facts already.
    const progress = {
      ...endedSession(name, bytes),
      summarisedBytes: bytes,
      factsBytes: bytes,
      coveredBytes: bytes,
    };
    updateMemoryIndex(into, (index) => ({
      ...index,
      sessions: { ...index.sessions, [session]: progress },
    }));
    return notes;
  });
}

function takeText(from: string, to: string, name: string): Message[] {
  return takeFile(join(from, name), (text) => {
    writeFileAtomic(join(to, name), redact(text));
    return [];
  });
}

function takeJson(
  from: string,
  to: string,
  name: string,
  convert: (json: JsonRecord) => Converted<JsonRecord>,
): Message[] {
  return takeFile(join(from, name), (text) => {
    const json = parseJson(text.replace(/^\uFEFF/, ''));
    if (!isRecord(json)) return [message('archive.skippedNotObject', { name })];
    const { value, notes } = convert(json);
    writeFileAtomic(join(to, name), `${JSON.stringify(assignIds({}, value), null, 2)}\n`);
    return notes;
  });
}

function takeFile(path: string, take: (text: string) => Message[]): Message[] {
  const file = readSmallFile(path, MAX_FILE_BYTES);
  if (file.state === 'missing') return [];
  return file.state === 'ok'
    ? take(file.text)
    : [message('archive.skippedUnreadable', { name: basename(path) })];
}

function skipped(name: string): Message[] {
  return OF_NO_USE.test(basename(name)) ? [] : [message('archive.skipped', { name })];
}

function namesIn(folder: string): string[] {
  return attempt(() => readdirSync(folder), []).sort();
}

function foreignFacts(raw: JsonRecord): Converted<JsonRecord> {
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

function foreignConcepts(json: JsonRecord): Converted<JsonRecord> {
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
    // A uid of theirs might be that of an item of ours.
    const { uid: _, ...rest } = converted;
    return [{ ...rest, id: isUsable ? id : '' }];
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
function foreignL1(text: string, session: string, name: string): Converted<string> {
  let count = 0;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const entries = lines.flatMap((line, at) => {
    const json = parseJson(line);
    const row: unknown = Array.isArray(json) ? parseEntry(line) : json;
    if (isRecord(row) && typeof row.session === 'string' && row.role === undefined) return [];
    const ownId = contentFingerprint(`${session} ${at} ${line}`);
    const entry = isRecord(row) ? entryOf(row, ownId) : undefined;
    if (entry === undefined) count++;
    return entry ?? [];
  });
  // Always in the format of the first import, so that another one finds the file as it is (M20).
  const value = [headerLine(session, 1), ...entries.map((entry) => entryLine(entry, 1))]
    .map((line) => `${line}\n`)
    .join('');
  const skipped = message('archive.skippedLines', { name, count, total: lines.length });
  return { value, notes: count === 0 ? [] : [skipped] };
}

function entryOf(row: JsonRecord, madeId: string): L1Entry | undefined {
  const text = (field: string) => redact(stringAt(row, field) ?? '');
  const id = stringAt(row, 'id') || madeId;
  const ts = stringAt(row, 'ts') ?? stringAt(row, 'timestamp') ?? '';
  if (row.role === 'tool')
    return {
      ...{ id, ts, role: 'tool', name: text('name'), cmd: text('cmd'), output: text('output') },
      ...(typeof row.detail === 'string' && { detail: text('detail') }),
      ...(typeof row.change === 'string' && { change: text('change') }),
    };
  const said = text('text') || text('content');
  if ((row.role !== 'user' && row.role !== 'assistant') || said === '') return undefined;
  return { id, ts, role: row.role, text: said };
}
