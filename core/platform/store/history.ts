/**
 * Earlier versions of a file, for undo (M19): `<folder>/.history/<name>/<time>-<n>`, made without
 * copying a byte.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { linkOrCopy, makePrivateFolder, writeFileAtomic } from './atomic-write.ts';
import { attempt } from './attempt.ts';
import { disk } from './disk.ts';
import { fileMark } from './file-mark.ts';

/** Marks that there was no file: undoing the first change removes it again. */
const ABSENT = '.absent';
const VERSION_NAME = /^\d{4}-\d{2}-\d{2}T[\d-]+Z-\d{3}(\.absent)?$/;
/** The file's mark when we last wrote it, so that a change from outside is noticed. */
const OURS = 'ours';
/** Its content then, for those who need to know what was changed outside. */
const OUR_COPY = 'ours.copy';

/** Keeps the file as it is now, and the newest `limit` versions. Call under the file's lock. */
export function keepVersion(path: string, limit: number): void {
  const folder = historyFolder(path);
  makePrivateFolder(folder);
  const name = freeName(folder);
  if (existsSync(path)) linkOrCopy(path, name);
  else writeFileAtomic(name + ABSENT, '');
  const versions = listVersions(path);
  for (const old of versions.slice(0, Math.max(0, versions.length - limit))) disk.unlinkSync(old);
}

/** Paths of the kept versions, oldest first. */
export function listVersions(path: string): string[] {
  const folder = historyFolder(path);
  const names = attempt(() => readdirSync(folder), []); // nothing kept yet
  const versions = names.filter((name) => VERSION_NAME.test(name)).sort();
  return versions.map((name) => join(folder, name));
}

/** Makes the newest version current again and drops it from the history; false if there is none. */
export function restoreNewestVersion(path: string): boolean {
  const newest = listVersions(path).at(-1);
  if (newest === undefined) return false;
  if (newest.endsWith(ABSENT)) disk.rmSync(path, { force: true });
  else writeFileAtomic(path, readFileSync(newest));
  disk.unlinkSync(newest);
  return true;
}

export function markAsWritten(path: string): void {
  writeFileAtomic(join(historyFolder(path), OURS), fileMark(path), { durable: false });
}

export function isUnchangedOutside(path: string): boolean {
  const ours = attempt(() => readFileSync(join(historyFolder(path), OURS), 'utf8'), ''); // never marked
  return ours === fileMark(path);
}

/** Also keeps the content for `contentAsWritten`. A true copy, because editors may write in place. */
export function markContentAsWritten(path: string, content: string | Uint8Array): void {
  writeFileAtomic(copyAsWritten(path), content);
  markAsWritten(path);
}

export function contentAsWritten(path: string): string | undefined {
  return attempt(() => readFileSync(copyAsWritten(path), 'utf8'), undefined); // never marked
}

/** The path of the copy that `contentAsWritten` reads; there is none if it was never marked. */
export function copyAsWritten(path: string): string {
  return join(historyFolder(path), OUR_COPY);
}

/** A time that can stand in a file name and sorts as time does. */
export function timeStamp(): string {
  return new Date().toISOString().replace(/[:.]/g, '-');
}

function historyFolder(path: string): string {
  return join(dirname(path), '.history', basename(path));
}

/** Several versions can be kept within one millisecond. */
function freeName(folder: string): string {
  const stamp = timeStamp();
  const taken = readdirSync(folder).filter((name) => name.startsWith(stamp)).length;
  return join(folder, `${stamp}-${String(taken).padStart(3, '0')}`);
}
