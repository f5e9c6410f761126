/**
 * Writes a whole file so that a reader, at any moment and after any crash, finds the old content or
 * the new and never a mix (M21): temporary file beside it, fsync, rename, fsync of the folder.
 */
import { constants, existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attempt, errorCode } from './attempt.ts';
import { disk } from './disk.ts';
import { isAlive, randomHex, thisProcess } from './owner.ts';
import { pause } from './pause.ts';

export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;
export const PRIVATE_PROGRAM = 0o700;

const TEMP_NAME = /^\..+\.(\d+)-([0-9a-f]{8})-[0-9a-f]{12}\.tmp$/;
const RENAME_TRIES = 12;
const RENAME_FIRST_WAIT_MS = 5;

export interface WriteOptions {
  /** False for files that can be made again (a derived reading): saves the two fsyncs. */
  durable?: boolean;
  /** PRIVATE_FILE by default. */
  mode?: number;
  /** Runs when the bytes are safe but not yet visible; throwing cancels the write. */
  beforeCommit?: () => void;
}

export function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  { durable = true, mode = PRIVATE_FILE, beforeCommit }: WriteOptions = {},
): void {
  const target = followLink(path);
  const folder = dirname(target);
  makePrivateFolder(folder);
  const temp = tempPath(target);
  try {
    const file = disk.openSync(temp, 'wx', mode);
    try {
      disk.writeFileSync(file, data);
      if (durable) disk.fsyncSync(file);
    } finally {
      disk.closeSync(file);
    }
    beforeCommit?.();
    renameWithRetries(temp, target);
  } catch (error) {
    attempt(() => disk.unlinkSync(temp), undefined); // the first error is the one to report
    throw error;
  }
  if (durable) syncFolder(folder);
}

export function makePrivateFolder(folder: string): void {
  const make = () => disk.mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  try {
    make();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    // Node says so of a disk that is read-only too; making one folder alone tells the reason.
    const first = firstMissing(folder);
    attempt(() => disk.mkdirSync(first, { mode: PRIVATE_FOLDER }), undefined, ['EEXIST']);
    make();
  }
}

function firstMissing(folder: string): string {
  const above = dirname(folder);
  return above === folder || existsSync(above) ? folder : firstMissing(above);
}

/** A hidden name beside the file that says who writes it, for `sweepTempFiles`. */
export function tempPath(target: string): string {
  const { pid, host } = thisProcess();
  return join(dirname(target), `.${basename(target)}.${pid}-${host}-${randomHex(12)}.tmp`);
}

/** Removes temporary files whose writer was killed before it could rename them. */
export function sweepTempFiles(folder: string): void {
  for (const name of attempt(() => readdirSync(folder), [])) {
    const [, pid, host] = TEMP_NAME.exec(name) ?? [];
    const isOurs = host === thisProcess().host;
    // another sweep may be faster
    if (isOurs && !isAlive(Number(pid)))
      attempt(() => disk.unlinkSync(join(folder, name)), undefined);
  }
}

/** A user may keep a file elsewhere and link to it: we write that file, and the link stays. */
export function followLink(path: string): string {
  return attempt(() => realpathSync.native(path), path); // not there yet
}

/** Windows refuses a rename while a virus scanner or indexer has the target open (B13). */
export function renameWithRetries(from: string, to: string): void {
  for (let tries = 1; ; tries++) {
    try {
      disk.renameSync(from, to);
      return;
    } catch (error) {
      const isPassing =
        process.platform === 'win32' && ['EPERM', 'EBUSY', 'EACCES'].includes(errorCode(error));
      if (!isPassing || tries === RENAME_TRIES) throw error;
      pause(RENAME_FIRST_WAIT_MS * tries);
    }
  }
}

/** Makes a rename survive a power cut. Windows has no such call and needs none. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = disk.openSync(folder, constants.O_RDONLY);
  try {
    disk.fsyncSync(handle);
  } finally {
    disk.closeSync(handle);
  }
}

/**
 * Gives a file's content a second name. A hard link costs nothing and is safe, because every write
 * replaces the file by rename and leaves the old content as it is.
 */
export function linkOrCopy(path: string, name: string): void {
  try {
    disk.linkSync(path, name);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw error;
    disk.copyFileSync(path, name, constants.COPYFILE_EXCL); // a file system without hard links
  }
}
