/**
 * The record of each backfill in our own folder (L1d), `backfill/<id>.json` with the sessions that it
 * brings in `backfill/<id>.jsonl`. It stands before anything is imported, so that one that was killed
 * can be continued, and one that was a mistake can be taken back.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { appendLines, readFrom } from '../../platform/store/append-only.ts';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt, parseJson } from '../../platform/store/attempt.ts';
import { type DocumentKind, readDocument, updateDocument } from '../../platform/store/document.ts';
import { removeFile } from '../../platform/store/file-changes.ts';
import { withLock } from '../../platform/store/lock.ts';
import { mayBeAlive, randomHex, thisProcess } from '../../platform/store/owner.ts';
import type { Places } from '../../platform/store/places.ts';

const Owner = v.object({ pid: v.number(), startTime: v.string(), host: v.string() });

const Choice = v.object({
  only: v.array(v.string()),
  except: v.array(v.string()),
  since: v.exactOptional(v.string()),
});

const StoredRecord = v.looseObject({
  id: v.string(),
  startedAt: v.string(),
  /** When it ended, whichever way. */
  endedAt: v.fallback(v.optional(v.string()), undefined),
  state: v.picklist(['running', 'cancelled', 'stopped', 'done', 'undone']),
  /** The process that runs it. */
  owner: v.fallback(v.optional(Owner), undefined),
  sessions: v.fallback(v.number(), 0),
  projects: v.fallback(v.number(), 0),
  /** What was chosen, so that it goes on with that. */
  choice: v.fallback(v.optional(Choice), undefined),
  /** It is being taken back: whoever goes on goes on with that. */
  isUndo: v.fallback(v.optional(v.boolean()), undefined),
});
type StoredRecord = v.InferOutput<typeof StoredRecord>;

/** Which conversations are wanted. */
export interface BackfillChoice {
  /** Folders of projects; if there are any, only these. */
  only: readonly string[];
  /** Folders of projects to leave out. */
  except: readonly string[];
  /** ISO time or day: conversations that ended before it are left out. */
  since?: string | undefined;
}

/** `stopped`: by an error, or its process ended. */
export interface BackfillRecord {
  id: string;
  startedAt: string;
  state: 'running' | 'cancelled' | 'stopped' | 'done' | 'undone';
  /** What it has brought so far. */
  sessions: number;
  projects: number;
  /** What it was begun with; undefined if an earlier version began it. */
  choice?: BackfillChoice | undefined;
  /** It was being taken back when it was interrupted: an undo finishes that. */
  isUndo: boolean;
}

/** One session that a backfill brings: written before it is imported. */
export interface BroughtSession {
  /** The place of the project's memory: the name of its folder in `projects`. */
  place: string;
  session: string;
}

const ID = /^\d{13}-[0-9a-f]{6}$/;
/** What was chosen may name thousands of folders. */
const MAX_BYTES = 64 * 1024 * 1024;

const recordFile: DocumentKind<StoredRecord> = {
  version: 1,
  schema: StoredRecord,
  empty: () => ({ id: '', startedAt: '', state: 'running', sessions: 0, projects: 0 }),
  maxBytes: MAX_BYTES,
};

const folderOf = (places: Places): string => join(places.home, 'backfill');
const recordPath = (places: Places, id: string) => join(folderOf(places), `${id}.json`);
const sessionsPath = (places: Places, id: string) => join(folderOf(places), `${id}.jsonl`);
/** For an import that has been asked for and has not begun. */
const nextCancelPath = (places: Places) => join(folderOf(places), 'next.cancel');
const cancelPath = (places: Places, id: string) => join(folderOf(places), `${id}.cancel`);

/** Newest first. */
function allRecords(places: Places): StoredRecord[] {
  const names = attempt(() => readdirSync(folderOf(places)), []);
  return names
    .flatMap((name) => {
      const id = name.replace(/\.json$/, '');
      if (!ID.test(id)) return [];
      const reading = readDocument(recordPath(places, id), recordFile);
      return reading.state === 'ok' && reading.value.id === id ? [reading.value] : [];
    })
    .sort((one, other) => (one.id > other.id ? -1 : 1));
}

/** Of this thread. With a full disk, a record may say that one runs which has ended. */
const runningHere = new Set<string>();

function mayBeRunning({ state, owner }: StoredRecord): boolean {
  return state === 'running' && owner !== undefined && mayBeAlive(owner);
}

function isRunning(record: StoredRecord): boolean {
  const { pid, startTime } = thisProcess();
  const isOwn = record.owner?.pid === pid && record.owner.startTime === startTime;
  return mayBeRunning(record) && (!isOwn || runningHere.has(record.id));
}

function shown(record: StoredRecord): BackfillRecord {
  const { id, startedAt, sessions, projects, choice, isUndo = false } = record;
  const state = record.state === 'running' && !isRunning(record) ? 'stopped' : record.state;
  return { id, startedAt, state, sessions, projects, isUndo, ...(choice && { choice }) };
}

/** Undefined if the newest is done, or is being taken back. */
export function unfinishedBackfill(places: Places): BackfillRecord | undefined {
  const [newest] = allRecords(places).map(shown);
  return newest !== undefined && isUnfinished(newest) ? newest : undefined;
}

function isUnfinished({ state, isUndo }: Pick<StoredRecord, 'state' | 'isUndo'>): boolean {
  return state !== 'done' && state !== 'undone' && isUndo !== true;
}

/** One whose undo was interrupted, else the newest that has brought something. */
export function undoableBackfill(places: Places): BackfillRecord | undefined {
  const records = allRecords(places)
    .map(shown)
    .filter(({ state }) => state !== 'undone');
  return (
    records.find(({ isUndo }) => isUndo) ??
    records.find(({ state, sessions }) => sessions > 0 || state !== 'done')
  );
}

export function hasInterruptedUndo(places: Places): boolean {
  return undoableBackfill(places)?.isUndo === true;
}

export interface OpenBackfill {
  id: string;
  /** What an earlier run of it has noted. */
  brought: BroughtSession[];
}

/**
 * Continues an unfinished one, else begins another. One runs at a time on a machine. `askedAt`: when
 * the user asked for it; a cancel since then was meant for it.
 */
export function openBackfill(
  places: Places,
  { choice, askedAt, now = Date.now() }: { choice: BackfillChoice; askedAt: number; now?: number },
): OpenBackfill {
  return withLock(runsLock(places), () => {
    const [newest] = allRecords(places);
    refuseIfRunning(newest);
    const isContinued = newest !== undefined && isUnfinished(newest);
    const id = isContinued ? newest.id : `${String(now).padStart(13, '0')}-${randomHex(6)}`;
    removeFile(cancelPath(places, id));
    updateDocument(recordPath(places, id), recordFile, (record) => ({
      ...record,
      id,
      startedAt: record.startedAt || new Date(now).toISOString(),
      state: 'running' as const,
      owner: thisProcess(),
      choice: stored(choice),
    }));
    runningHere.add(id);
    if (cancelledAt(places) >= askedAt) writeFileAtomic(cancelPath(places, id), '');
    removeFile(nextCancelPath(places));
    return { id, brought: broughtBy(places, id) };
  });
}

function stored({ only, except, since }: BackfillChoice): StoredRecord['choice'] {
  return { only: [...only], except: [...except], ...(since !== undefined && { since }) };
}

function cancelledAt(places: Places): number {
  return Number(readFrom(nextCancelPath(places), 0).toString('utf8')) || 0;
}

const runsLock = (places: Places) => join(folderOf(places), 'runs');

/** What can be undone; nothing else may run meanwhile. */
export function openUndo(places: Places): string {
  return withLock(runsLock(places), () => {
    const records = allRecords(places);
    for (const record of records) refuseIfRunning(record);
    const id = undoableBackfill(places)?.id;
    if (id === undefined) throw new ExpectedError(message('backfill.nothingToUndo'));
    updateDocument(recordPath(places, id), recordFile, (record) => ({
      ...record,
      state: 'running' as const,
      owner: thisProcess(),
      isUndo: true,
    }));
    runningHere.add(id);
    return id;
  });
}

function refuseIfRunning(record: StoredRecord | undefined): void {
  if (record !== undefined && isRunning(record))
    throw new ExpectedError(
      message('backfill.alreadyRunning', { pid: String(record.owner?.pid ?? '') }),
    );
}

export function closeBackfill(
  places: Places,
  id: string,
  change: Pick<StoredRecord, 'state'> & Partial<Pick<StoredRecord, 'sessions' | 'projects'>>,
): void {
  runningHere.delete(id);
  updateDocument(recordPath(places, id), recordFile, ({ owner: _, ...record }) => ({
    ...record,
    ...change,
    endedAt: new Date().toISOString(),
  }));
  removeFile(cancelPath(places, id));
}

/** On disk when this returns. */
export function noteBrought(places: Places, id: string, sessions: readonly BroughtSession[]): void {
  appendLines(
    sessionsPath(places, id),
    sessions.map((session) => JSON.stringify(session)),
  );
}

export function broughtBy(places: Places, id: string): BroughtSession[] {
  const lines = readFrom(sessionsPath(places, id), 0).toString('utf8').split('\n');
  const Line = v.object({ place: v.pipe(v.string(), v.regex(/^[^/\\]+$/)), session: v.string() });
  return lines.flatMap((line) => {
    const parsed = v.safeParse(Line, parseJson(line));
    return parsed.success ? [parsed.output] : [];
  });
}

/**
 * Whoever runs it, in this process or another, stops after the session that it is at. One that was
 * asked for and has not begun stops before the first.
 */
export function requestCancel(places: Places, now = Date.now()): void {
  // An import that begins just now would miss it.
  withLock(runsLock(places), () => {
    const running = allRecords(places).find((record) => mayBeRunning(record) && !record.isUndo);
    if (running === undefined) writeFileAtomic(nextCancelPath(places), String(now));
    else writeFileAtomic(cancelPath(places, running.id), '');
  });
}

export function isCancelled(places: Places, id: string): boolean {
  return existsSync(cancelPath(places, id));
}
