/** Changes whole files and folders: removes, copies, moves and replaces them. */
import { existsSync, lstatSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makePrivateFolder, PRIVATE_FILE, renameWithRetries, syncFolder } from './atomic-write.ts';
import { attempt } from './attempt.ts';
import { disk } from './disk.ts';
import { randomHex } from './owner.ts';

/** `mayGo` is asked for each old file, by its name. */
export function removeFilesOlderThan(
  folder: string,
  ageMs: number,
  mayGo: (name: string) => boolean = () => true,
): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const info = statSync(path, { throwIfNoEntry: false }); // another cleaner may be faster
    const isOld = info !== undefined && Date.now() - info.mtimeMs > ageMs;
    if (isOld && mayGo(name)) attempt(() => disk.unlinkSync(path), undefined);
  }
}

/** Does nothing if the file is gone already. */
export function removeFile(path: string): void {
  disk.rmSync(path, { force: true });
}

export function removeFolder(folder: string): void {
  disk.rmSync(folder, { recursive: true, force: true });
}

/** Within one file system: after a kill it is in one place or the other. The caller owns `to`. */
export function moveFile(from: string, to: string): void {
  makePrivateFolder(dirname(to));
  renameWithRetries(from, to);
  syncFolder(dirname(to));
}

/** A folder that still has something in it stays. */
export function removeEmptyFolder(folder: string): void {
  attempt(() => disk.rmdirSync(folder), undefined);
}

/** Never through a link, which may lead to a file that is not ours. */
export function changeMode(path: string, mode: number): void {
  if (!lstatSync(path).isSymbolicLink()) disk.chmodSync(path, mode);
}

/** A true copy, private and with the times of the original. */
export function copyPrivately(from: string, to: string): void {
  makePrivateFolder(dirname(to));
  disk.copyFileSync(from, to);
  const { atime, mtime } = statSync(from);
  disk.chmodSync(to, PRIVATE_FILE);
  disk.utimesSync(to, atime, mtime);
}

const PIECE_BYTES = 1024 * 1024;

/** Copies the first bytes of an opened file to a new one. On disk when this returns. */
export function copyOpened(from: number, bytes: number, to: string): void {
  makePrivateFolder(dirname(to));
  const file = disk.openSync(to, 'wx', PRIVATE_FILE);
  try {
    const piece = Buffer.allocUnsafe(Math.max(1, Math.min(bytes, PIECE_BYTES)));
    for (let done = 0; done < bytes; ) {
      const length = readSync(from, piece, 0, Math.min(piece.length, bytes - done), done);
      if (length === 0) break; // it has become shorter
      for (let at = 0; at < length; ) at += disk.writeSync(file, piece.subarray(at, length));
      done += length;
    }
    disk.fsyncSync(file);
  } finally {
    disk.closeSync(file);
  }
}

/**
 * Replaces a folder by a copy of another, to be called under a lock. A reader finds the old one
 * whole or the new one whole: we copy beside it and swap with two renames. `finish` may change the
 * copy before it is visible.
 */
export function replaceFolder(from: string, to: string, finish: (copy: string) => void): void {
  makePrivateFolder(dirname(to));
  sweepCopies(to);
  const beside = (kind: 'new' | 'old') =>
    join(dirname(to), `.${basename(to)}.${randomHex(8)}.${kind}`);
  const [copy, old] = [beside('new'), beside('old')];
  try {
    disk.cpSync(from, copy, { recursive: true, dereference: true });
    finish(copy);
    if (existsSync(to)) disk.renameSync(to, old);
    try {
      disk.renameSync(copy, to);
    } catch (error) {
      attempt(() => disk.renameSync(old, to), undefined); // the first error is the one to report
      throw error;
    }
  } finally {
    attempt(() => sweepCopies(to), undefined); // open in a running program: next time
  }
}

/** After a kill between the two renames only the old folder is left: it gets its name back. */
function sweepCopies(to: string): void {
  const isOurs = (name: string) =>
    name.startsWith(`.${basename(to)}.`) && /\.[0-9a-f]{8}\.(new|old)$/.test(name);
  for (const name of readdirSync(dirname(to)).filter(isOurs)) {
    const path = join(dirname(to), name);
    if (name.endsWith('.old') && !existsSync(to)) disk.renameSync(path, to);
    else removeFolder(path);
  }
}
