/**
 * A JSON file with a schema, a version and migrations (M2). Reading never changes the disk: an
 * invalid file is reported, not touched. Changes happen under a lock; an invalid file is then set
 * aside under a name of its own before the new one is written, and unknown fields survive.
 */
import { basename } from 'node:path';
import * as v from 'valibot';
import { ExpectedError } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import { followLink, keepUnder, writeFileAtomic } from './atomic-write.ts';
import {
  isAsWeLeftIt,
  keepVersion,
  listVersions,
  markAsOurs,
  restoreNewestVersion,
  timeStamp,
} from './history.ts';
import { type LockOptions, withLock } from './lock.ts';
import { readSmallFile } from './read-file.ts';

export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

type Json = Record<string, unknown>;

export interface DocumentKind<T extends object> {
  version: number;
  /** Loose, so that unknown fields pass through. */
  schema: v.GenericSchema<unknown, T>;
  /** `migrations[n]` makes version n + 1 out of version n. */
  migrations?: Record<number, (old: Json) => Json>;
  empty: () => T;
  /** How many earlier versions to keep for undo. */
  keepVersions?: number;
}

export type DocumentReading<T> =
  | { state: 'ok'; value: T }
  | { state: 'missing'; value: T }
  /** Not JSON, or JSON of another shape. */
  | { state: 'broken'; reason: Message }
  /**
   * Cannot be read now (permission, written by a newer Memory Keeper): must not be replaced either.
   */
  | { state: 'refused'; reason: Message };

export function readDocument<T extends object>(
  path: string,
  kind: DocumentKind<T>,
): DocumentReading<T> {
  const file = readSmallFile(path, MAX_DOCUMENT_BYTES);
  if (file.state === 'refused') return file;
  if (file.state === 'missing') return { state: 'missing', value: kind.empty() };
  return parseDocument(path, file.text, kind);
}

export interface DocumentChange<T> {
  value: T;
  /** Where a file that could not be understood was set aside. */
  setAside?: string;
}

/**
 * Reads, changes and writes under the file's lock. A change that gives back the very object it got
 * writes nothing.
 */
export function updateDocument<T extends object>(
  path: string,
  kind: DocumentKind<T>,
  change: (current: T) => T | T,
  options: LockOptions = {},
): DocumentChange<T> {
  const file = followLink(path);
  return withLock(
    file,
    (lock) => {
      const current = readDocument(file, kind);
      if (current.state === 'refused') throw new ExpectedError(current.reason);
      const before = current.state === 'broken' ? kind.empty() : current.value;
      const value = change(before);
      if (value === before) return { value };
      const setAside = current.state === 'broken' ? `${file}.broken-${timeStamp()}` : undefined;
      writeFileAtomic(file, `${JSON.stringify({ ...value, version: kind.version }, null, 2)}\n`, {
        beforeCommit: () => {
          if (setAside !== undefined) keepUnder(file, setAside);
          if (kind.keepVersions !== undefined) keepVersion(file, kind.keepVersions);
          lock.assertHeld();
        },
      });
      if (kind.keepVersions !== undefined) markAsOurs(file);
      return { value, ...(setAside !== undefined && { setAside }) };
    },
    options,
  );
}

/**
 * Takes the last change back; false if there is none. A file that was changed outside since then is
 * left alone (M19).
 */
export function undoDocument(path: string): boolean {
  const file = followLink(path);
  const [newest] = listVersions(file).slice(-1);
  if (newest === undefined) return false;
  return withLock(file, (lock) => {
    if (!isAsWeLeftIt(file))
      throw new ExpectedError(message('store.changedOutside', { file, version: newest }));
    lock.assertHeld();
    restoreNewestVersion(file);
    markAsOurs(file);
    return true;
  });
}

export function parseDocument<T extends object>(
  path: string,
  text: string,
  kind: DocumentKind<T>,
): DocumentReading<T> {
  const file = basename(path);
  let raw: unknown;
  try {
    raw = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const words = (error as Error).message;
    return { state: 'broken', reason: message('store.notJson', { file, words }) };
  }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return { state: 'broken', reason: message('store.notObject', { file }) };
  let json = raw as Json;
  // A file without a version is one that a person wrote by hand, in today's words.
  const version = json.version ?? kind.version;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    return { state: 'broken', reason: message('store.badVersion', { file }) };
  if (version > kind.version)
    return {
      state: 'refused',
      reason: message('store.newer', { file, version, known: kind.version }),
    };
  for (let step = version; step < kind.version; step++) {
    const migrate = kind.migrations?.[step];
    if (migrate === undefined)
      return { state: 'refused', reason: message('store.tooOld', { file, version: step }) };
    try {
      json = migrate(json);
    } catch (error) {
      const words = (error as Error).message;
      return {
        state: 'broken',
        reason: message('store.notUpgraded', { file, version: step, words }),
      };
    }
  }
  const parsed = v.safeParse(kind.schema, json);
  if (parsed.success) return { state: 'ok', value: parsed.output };
  const [issue] = parsed.issues;
  const place = v.getDotPath(issue) ?? 'content';
  const { expected, received } = issue;
  return {
    state: 'broken',
    reason: message('store.badContent', {
      file,
      place,
      expected: expected ?? issue.message,
      received,
    }),
  };
}
