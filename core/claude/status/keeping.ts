/**
 * Whether a session is being kept (T6), as a note per session: why its words could not be saved and
 * since when, or that they are saved again and the user is to be told. The hooks write it, prompts
 * and status reports read it. It lies in our own folder, or in the folder for temporary files where
 * ours takes nothing.
 */
import { readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Message, message } from '../../messages/message.ts';
import { makePrivateFolder } from '../../platform/store/atomic-write.ts';
import { attempt, parseJson } from '../../platform/store/attempt.ts';
import { removeFile, removeFilesOlderThan } from '../../platform/store/file-changes.ts';
import { writeNote } from '../../platform/store/note-file.ts';
import type { Places } from '../../platform/store/places.ts';
import { readOwnFile } from '../../platform/store/read-file.ts';
import { isSessionId } from '../../platform/store/session-id.ts';
import { isRecord, numberAt, recordAt, stringAt } from '../../platform/text/json.ts';
import {
  keepingFolder,
  keepingNotePath,
  TEMPORARY_SUFFIX,
  temporaryFolder,
  temporaryNotePath,
  temporaryPrefix,
} from './keeping-note-path.ts';

/** `since`: an ISO time. */
export type Keeping = { ok: true } | { ok: false; reason: Message; since: string };

/** The session, and where notes about it lie. */
export interface KeptSession {
  sessionId: string;
  places: Places;
  env: NodeJS.ProcessEnv;
}

export interface KeepingNote {
  reason: Message;
  since: string;
  /** The user has been told in the session. */
  isTold: boolean;
  /** How much there was to save: what is not there any more when it can be saved is missing. */
  unsaved?: { inode: number; size: number };
  /** All is well again; what the user is told at the next prompt. */
  savedAgain?: Message;
}

const MAX_NOTE_BYTES = 64 * 1024;
const KEEP_MS = 30 * 24 * 60 * 60 * 1000;

export function keepingOf(session: KeptSession): Keeping {
  const note = readKeepingNote(session);
  if (note === undefined || note.savedAgain !== undefined) return { ok: true };
  return { ok: false, reason: note.reason, since: note.since };
}

export function readKeepingNote(session: KeptSession): KeepingNote | undefined {
  for (const path of notePaths(session)) {
    // a folder above it may be out of reach, or none at all
    const file = attempt(() => readOwnFile(path, MAX_NOTE_BYTES), undefined);
    if (file?.state === 'ok') return parseNote(path, file.text);
  }
  return undefined;
}

/** Keeps the time of the first failure. Where no note can be written, prompts find out by themselves. */
export function noteNotKept(
  session: KeptSession,
  reason: Message,
  { transcript = '', isTold = false } = {},
): void {
  const before = readKeepingNote(session);
  const open = before?.savedAgain === undefined ? before : undefined;
  const isSame = JSON.stringify(open?.reason) === JSON.stringify(reason);
  if (open !== undefined && isSame && (open.isTold || !isTold)) return;
  const info = attempt(() => statSync(transcript), undefined);
  const unsaved = open?.unsaved ?? (info && { inode: info.ino, size: info.size });
  const note: KeepingNote = {
    reason,
    since: open?.since ?? new Date().toISOString(),
    isTold: isTold || open?.isTold === true,
    ...(unsaved !== undefined && { unsaved }),
  };
  const [temporary, own] = notePaths(session);
  const isWritten = attempt(() => writeOwn(own, note), false);
  if (isWritten) attempt(() => removeFile(temporary), undefined);
  else attempt(() => writeNote(temporary, textOf(note)), undefined);
}

/** For the next prompt. */
export function noteSavedAgain(session: KeptSession, news: Message): void {
  const { reason, since } = readKeepingNote(session) ?? { reason: news, since: '' };
  const [temporary, own] = notePaths(session);
  writeOwn(own, { reason, since, isTold: true, savedAgain: news });
  attempt(() => removeFile(temporary), undefined);
}

export function forgetKeepingNote(session: KeptSession): void {
  for (const path of notePaths(session)) attempt(() => removeFile(path), undefined);
}

/** Of sessions whose transcript is gone, so that nothing can be saved any more. */
export function removeOldKeepingNotes(places: Places): void {
  attempt(() => removeFilesOlderThan(keepingFolder(places), KEEP_MS), undefined, ['ENOENT']);
}

/** Sessions with a note, by id. */
export function notedSessions({ places, env }: Omit<KeptSession, 'sessionId'>): string[] {
  const ids = (folder: string, before: string, behind: string) =>
    attempt(() => readdirSync(folder), [])
      .filter((name) => name.startsWith(before) && name.endsWith(behind))
      .map((name) => name.slice(before.length, name.length - behind.length));
  const all = [
    ...ids(keepingFolder(places), '', '.json'),
    ...ids(temporaryFolder(env), temporaryPrefix(), TEMPORARY_SUFFIX),
  ];
  return [...new Set(all.filter(isSessionId))];
}

/** What is to be said once a session with this note is saved; undefined if nobody was told of it. */
export function savedAgainNews(
  note: KeepingNote | undefined,
  transcript: string,
): Message | undefined {
  if (note === undefined || note.savedAgain !== undefined) return note?.savedAgain;
  if (!note.isTold) return undefined;
  const { unsaved, since } = note;
  const info = attempt(() => statSync(transcript), undefined);
  const isWhole =
    unsaved === undefined || (info?.ino === unsaved.inode && info.size >= unsaved.size);
  return isWhole ? message('hooks.savedAgain') : message('hooks.savedAgainPart', { since });
}

/** The temporary one first: it is written where ours could not be brought up to date. */
function notePaths({ places, env, sessionId }: KeptSession): [temporary: string, own: string] {
  return [temporaryNotePath(env, sessionId), keepingNotePath(places, sessionId)];
}

function writeOwn(path: string, note: KeepingNote): true {
  makePrivateFolder(dirname(path));
  writeNote(path, textOf(note));
  return true;
}

function textOf(note: KeepingNote): string {
  return JSON.stringify({ version: 1, ...note });
}

/** What cannot be understood was cut off, because there was no room for it. */
function parseNote(path: string, text: string): KeepingNote {
  const json = parseJson(text);
  const fields = isRecord(json) ? json : {};
  const unsaved = recordAt(fields, 'unsaved') ?? {};
  const [inode, size] = [numberAt(unsaved, 'inode'), numberAt(unsaved, 'size')];
  const savedAgain = messageAt(fields, 'savedAgain');
  const reason = messageAt(fields, 'reason');
  return {
    reason: reason ?? message('system.diskFull', { place: dirname(path), code: 'ENOSPC' }),
    since: stringAt(fields, 'since') ?? writtenAt(path),
    isTold: reason === undefined || fields.isTold === true,
    ...(inode !== undefined && size !== undefined && { unsaved: { inode, size } }),
    ...(savedAgain !== undefined && { savedAgain }),
  };
}

function messageAt(fields: Record<string, unknown>, field: string): Message | undefined {
  const said = recordAt(fields, field);
  return said !== undefined && stringAt(said, 'code') !== undefined
    ? (said as unknown as Message)
    : undefined;
}

function writtenAt(path: string): string {
  return attempt(() => statSync(path).mtime, new Date()).toISOString();
}
