/**
 * Writes a whole file so that a reader, at any moment and after any crash, finds the old content or
 * the new and never a mix (M21): temporary file beside it, fsync, rename, fsync of the folder.
 */
import { constants, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attempt } from './attempt.ts';
import { disk } from './disk.ts';
import { isAlive, thisProcess, unlikelyName } from './owner.ts';
import { pause } from './pause.ts';

export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;
export const PRIVATE_PROGRAM = 0o700;

const TEMP_NAME = /^\..+\.(\d+)-([0-9a-f]{8})-[0-9a-f]{12}\.tmp$/;
const RENAME_TRIES = 12;
const RENAME_FIRST_WAIT_MS = 5;

export interface WriteOptions {
  /** False for files that can be had again (a derived reading): saves the two fsyncs. */
  durable?: boolean;
  /** PRIVATE_FILE unless told otherwise. */
  mode?: number;
  /**
   * Looked at after the bytes are safe and just before they become visible; throwing gives the
   * write up.
   */
  beforeCommit?: () => void;
}

export function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): void {
  const durable = options.durable ?? true;
  const target = followLink(path);
  const folder = dirname(target);
  disk.mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const temp = join(folder, tempName(target));
  try {
    const file = disk.openSync(temp, 'wx', options.mode ?? PRIVATE_FILE);
    try {
      disk.writeFileSync(file, data);
      if (durable) disk.fsyncSync(file);
    } finally {
      disk.closeSync(file);
    }
    options.beforeCommit?.();
    renameWithPatience(temp, target);
  } catch (error) {
    // it may never have come to be; the error that led here is the one to tell
    attempt(() => disk.unlinkSync(temp), undefined);
    throw error;
  }
  if (durable) syncFolder(folder);
}

export function makePrivateFolder(folder: string): void {
  disk.mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
}

function tempName(target: string): string {
  const { pid, host } = thisProcess();
  return `.${basename(target)}.${pid}-${host}-${unlikelyName(12)}.tmp`;
}

/** Removes temporary files whose writer was killed before it could rename them. */
export function sweepTempFiles(folder: string): void {
  for (const name of attempt(() => readdirSync(folder), [])) {
    const [, pid, host] = TEMP_NAME.exec(name) ?? [];
    const isOurs = host === thisProcess().host;
    // another sweep was faster
    if (isOurs && !isAlive(Number(pid)))
      attempt(() => disk.unlinkSync(join(folder, name)), undefined);
  }
}

/**
 * A user may keep a file elsewhere and link to it: then the file behind the link is written, the
 * link stays.
 */
export function followLink(path: string): string {
  return attempt(() => realpathSync.native(path), path); // not there yet
}

/**
 * Windows refuses a rename while a virus scanner or indexer has the target open (B13); it lets go
 * soon.
 */
function renameWithPatience(from: string, to: string): void {
  for (let tries = 1; ; tries++) {
    try {
      disk.renameSync(from, to);
      return;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      const passing = process.platform === 'win32' && ['EPERM', 'EBUSY', 'EACCES'].includes(code);
      if (!passing || tries === RENAME_TRIES) throw error;
      pause(RENAME_FIRST_WAIT_MS * tries);
    }
  }
}

/** Makes a rename survive a power cut. Windows has no such call and needs none. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = disk.openSync(folder, constants.O_RDONLY);
  try {
    disk.fsyncSync(handle);
  } finally {
    disk.closeSync(handle);
  }
}

/**
 * Gives the content of a file a second name. A hard link costs nothing and is safe, because every
 * write replaces the file by rename and leaves the old content as it is.
 */
export function keepUnder(path: string, name: string): void {
  try {
    disk.linkSync(path, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    disk.copyFileSync(path, name, constants.COPYFILE_EXCL); // a file system without hard links
  }
}
