/**
 * A JSON file with a schema, a version and migrations (M2). Reading never changes the disk: an
 * invalid file is reported, not touched. Changes happen under a lock; an invalid file is then set
 * aside under a name of its own before the new one is written, and unknown fields survive.
 */
import { basename } from 'node:path';
import * as v from 'valibot';
import { ExpectedError } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import { isRecord } from '../text/json.ts';
import { followLink, linkOrCopy, writeFileAtomic } from './atomic-write.ts';
import { disk } from './disk.ts';
import {
  isUnchangedOutside,
  keepVersion,
  listVersions,
  markAsWritten,
  restoreNewestVersion,
  timeStamp,
} from './history.ts';
import { type LockOptions, withLock } from './lock.ts';
import { NO_LINKS, readSmallFile } from './read-file.ts';

export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

type Json = Record<string, unknown>;

export interface DocumentKind<T extends object> {
  version: number;
  /** Loose, so that unknown fields pass through. */
  schema: v.GenericSchema<unknown, T>;
  /** `migrations[n]` turns version n into version n + 1. */
  migrations?: Record<number, (old: Json) => Json>;
  /** `setAside`: the name under which a file that could not be understood was set aside. */
  empty: (setAside?: string) => T;
  /** Larger files are not read. */
  maxBytes?: number;
  /**
   * All of it can be made again: a link, a folder or something far too large in its place is set
   * aside like a broken file, so that work goes on.
   */
  isDerived?: boolean;
  /** How many earlier versions to keep for undo. */
  keepVersions?: number;
}

export type DocumentReading<T> =
  | { state: 'ok'; value: T }
  | { state: 'missing'; value: T }
  /** Not JSON, or JSON of another shape. */
  | { state: 'broken'; reason: Message; isForeign?: true }
  /** Not readable now (permission, a newer Memory Keeper wrote it): must not be replaced either. */
  | { state: 'refused'; reason: Message };

export function readDocument<T extends object>(
  path: string,
  kind: DocumentKind<T>,
): DocumentReading<T> {
  const { maxBytes = MAX_DOCUMENT_BYTES, isDerived = false } = kind;
  const file = readSmallFile(path, maxBytes, isDerived ? NO_LINKS : undefined);
  if (file.state === 'refused') {
    const { reason, isForeign = false } = file;
    return isForeign && isDerived
      ? { state: 'broken', reason, isForeign }
      : { state: 'refused', reason };
  }
  if (file.state === 'missing') return { state: 'missing', value: kind.empty() };
  return parseDocument(path, file.text, kind);
}

export interface DocumentChange<T> {
  value: T;
  /** Where a file that could not be understood was set aside. */
  setAside?: string;
}

/** Changes a file under its lock. If `change` returns the object it got, nothing is written. */
export function updateDocument<T extends object>(
  path: string,
  kind: DocumentKind<T>,
  change: (current: T) => T,
  options: LockOptions = {},
): DocumentChange<T> {
  const file = kind.isDerived === true ? path : followLink(path);
  return withLock(
    file,
    (lock) => {
      const current = readDocument(file, kind);
      if (current.state === 'refused') throw new ExpectedError(current.reason);
      if (current.state !== 'broken') {
        const value = change(current.value);
        if (value !== current.value) write(file, kind, value, lock.assertHeld);
        return { value };
      }
      const setAside = `${file}.broken-${timeStamp()}`;
      const before = kind.empty(basename(setAside));
      const value = change(before);
      if (value === before) return { value };
      // A folder or a pipe cannot be linked, and a link would be written through.
      if (current.isForeign) disk.renameSync(file, setAside);
      write(file, kind, value, () => {
        if (!current.isForeign) linkOrCopy(file, setAside);
        lock.assertHeld();
      });
      return { value, setAside };
    },
    options,
  );
}

function write<T extends object>(
  file: string,
  kind: DocumentKind<T>,
  value: T,
  beforeCommit: () => void,
): void {
  writeFileAtomic(file, `${JSON.stringify({ ...value, version: kind.version }, null, 2)}\n`, {
    beforeCommit: () => {
      if (kind.keepVersions !== undefined) keepVersion(file, kind.keepVersions);
      beforeCommit();
    },
  });
  if (kind.keepVersions !== undefined) markAsWritten(file);
}

/** Takes the last change back; false if there is none. Throws if others changed the file (M19). */
export function undoDocument(path: string): boolean {
  const file = followLink(path);
  const newest = listVersions(file).at(-1);
  if (newest === undefined) return false;
  return withLock(file, (lock) => {
    if (!isUnchangedOutside(file))
      throw new ExpectedError(message('store.changedOutside', { file, version: newest }));
    lock.assertHeld();
    restoreNewestVersion(file);
    markAsWritten(file);
    return true;
  });
}

export function parseDocument<T extends object>(
  path: string,
  text: string,
  kind: DocumentKind<T>,
): DocumentReading<T> {
  const file = basename(path);
  const broken = (reason: Message) => ({ state: 'broken', reason }) as const;
  const refused = (reason: Message) => ({ state: 'refused', reason }) as const;
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return broken(message('store.notJson', { file, words: (error as Error).message }));
  }
  if (!isRecord(json)) return broken(message('store.notObject', { file }));
  // A file without a version was written by hand, in today's form.
  const version = json.version ?? kind.version;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    return broken(message('store.badVersion', { file }));
  if (version > kind.version)
    return refused(message('store.newer', { file, version, known: kind.version }));
  let current = json;
  for (let step = version; step < kind.version; step++) {
    const migrate = kind.migrations?.[step];
    if (migrate === undefined) return refused(message('store.tooOld', { file, version: step }));
    try {
      current = migrate(current);
    } catch (error) {
      const words = (error as Error).message;
      return broken(message('store.notUpgraded', { file, version: step, words }));
    }
  }
  const parsed = v.safeParse(kind.schema, current);
  if (parsed.success) return { state: 'ok', value: parsed.output };
  const [issue] = parsed.issues;
  const place = v.getDotPath(issue) ?? 'content';
  const { expected, received } = issue;
  return broken(
    message('store.badContent', { file, place, expected: expected ?? issue.message, received }),
  );
}
