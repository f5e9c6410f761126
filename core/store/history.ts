/**
 * Earlier versions of a file, for undo (M19): `<folder>/.history/<name>/<time>-<n>`, made without copying a byte.
 */
import { mkdir, readdir, readFile, rm, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { exists, keepUnder, PRIVATE_FOLDER, writeFileAtomic } from './atomic-write.ts';

/** Marks that there was no file: taking the first change back removes it again. */
const ABSENT = '.absent';
const VERSION_NAME = /^\d{4}-\d{2}-\d{2}T[\d-]+Z-\d{3}(\.absent)?$/;
/** What the file was when we last wrote it, so that a change from outside is noticed. */
const OURS = 'ours.sha256';

/** Keeps the file as it is now, and of all earlier versions the newest `limit`. To be called under the file's lock. */
export async function keepVersion(path: string, limit: number): Promise<void> {
  const folder = historyFolder(path);
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const name = await freeName(folder);
  if (await exists(path)) await keepUnder(path, name);
  else await writeFileAtomic(name + ABSENT, '');
  const versions = await listVersions(path);
  for (const old of versions.slice(0, Math.max(0, versions.length - limit))) await unlink(old);
}

/** Paths of the kept versions, oldest first. */
export async function listVersions(path: string): Promise<string[]> {
  const folder = historyFolder(path);
  const names = await readdir(folder).catch(() => []); // nothing kept yet
  const versions = names.filter((name) => VERSION_NAME.test(name)).sort();
  return versions.map((name) => join(folder, name));
}

/** Makes the newest kept version the current one again and takes it off the history; false if there is none. */
export async function restoreNewestVersion(path: string): Promise<boolean> {
  const newest = (await listVersions(path)).at(-1);
  if (newest === undefined) return false;
  if (newest.endsWith(ABSENT)) await rm(path, { force: true });
  else await writeFileAtomic(path, await readFile(newest));
  await unlink(newest);
  return true;
}

export async function markAsOurs(path: string): Promise<void> {
  await writeFileAtomic(join(historyFolder(path), OURS), await digest(path), { durable: false });
}

export async function isAsWeLeftIt(path: string): Promise<boolean> {
  const ours = await readFile(join(historyFolder(path), OURS), 'utf8').catch(() => ''); // never marked
  return ours === (await digest(path));
}

async function digest(path: string): Promise<string> {
  const content = await readFile(path).catch(() => ''); // taken back to where there was no file
  const { createHash } = await import('node:crypto'); // dear to load, and hooks never come here
  return createHash('sha256').update(content).digest('hex');
}

/** A time that can stand in a file name and sorts as time does. */
export function timeStamp(): string {
  return new Date().toISOString().replace(/[:.]/g, '-');
}

function historyFolder(path: string): string {
  return join(dirname(path), '.history', basename(path));
}

/** Several versions can be kept within one millisecond. */
async function freeName(folder: string): Promise<string> {
  const stamp = timeStamp();
  const taken = (await readdir(folder)).filter((name) => name.startsWith(stamp)).length;
  return join(folder, `${stamp}-${String(taken).padStart(3, '0')}`);
}
