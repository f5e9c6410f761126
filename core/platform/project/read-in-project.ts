/**
 * The one way to open what lies in a project (T4). A repository is not the user: its files may be
 * links that lead anywhere, pipes that never end, devices, folders in the place of files, or far too
 * large. Reads only a plain file that lies inside the folder once all links are followed, up to a
 * limit, without ever waiting.
 */
import {
  closeSync,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { join, sep } from 'node:path';
import { message } from '../../messages/message.ts';
import { attempt, errorCode } from '../store/attempt.ts';
import { copyOpened, removeFile } from '../store/file-changes.ts';
import { fileMark, NO_FILE } from '../store/file-mark.ts';
import { type FileReading, NO_LINKS, readSmallFile } from '../store/read-file.ts';

/** `name` is a path within the folder, such as `.claude/memory/facts.json`. */
export function readInProject(folder: string, name: string, maxBytes: number): FileReading {
  const path = join(folder, name);
  const real = realPathWithin(folder, path);
  if (real === undefined) return { state: 'missing' };
  if (real === 'outside') return { state: 'refused', reason: message('store.leadsOut', { path }) };
  return readSmallFile(real, maxBytes, NO_LINKS);
}

/** The mark of a plain file; what a link leads to elsewhere may change all the time. */
export function markInProject(folder: string, name: string): string {
  const real = realPathWithin(folder, join(folder, name));
  const isFile = real !== undefined && real !== 'outside' && lstatSync(real).isFile();
  return isFile ? fileMark(real) : NO_FILE;
}

/** The first bytes of a file of any size; undefined where `readInProject` reads nothing. */
export function readHeadInProject(folder: string, name: string, bytes: number): Buffer | undefined {
  return withOpened(folder, name, (file) => {
    const head = Buffer.alloc(bytes);
    return head.subarray(0, readSync(file, head, 0, bytes, 0));
  });
}

/**
 * Copies a file of the project to a folder of ours, in pieces. Returns its length; undefined where
 * `readInProject` reads nothing for another reason than the size.
 */
export function copyFromProject(
  folder: string,
  name: string,
  to: string,
  maxBytes: number,
): number | 'tooLarge' | undefined {
  return withOpened(folder, name, (file, bytes) => {
    if (bytes > maxBytes) return 'tooLarge';
    copyOpened(file, bytes, to);
    return bytes;
  });
}

/** Removes a plain file of the project; never what a link leads to. Whether it was there. */
export function removeFromProject(folder: string, name: string): boolean {
  const path = join(folder, name);
  const real = realPathWithin(folder, path);
  if (real === undefined || real === 'outside') return false;
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  removeFile(real);
  return true;
}

/** Undefined if there is no plain file, or if it leads out of the folder. */
function withOpened<T>(
  folder: string,
  name: string,
  action: (file: number, bytes: number) => T,
): T | undefined {
  const real = realPathWithin(folder, join(folder, name));
  if (real === undefined || real === 'outside') return undefined;
  const file = attempt(() => openSync(real, NO_LINKS), undefined);
  if (file === undefined) return undefined;
  try {
    const info = fstatSync(file);
    return info.isFile() ? action(file, info.size) : undefined;
  } finally {
    closeSync(file);
  }
}

/** Whether the file or a folder on the way to it is a link, so that a new file could land elsewhere. */
export function hasLinkInProject(folder: string, name: string): boolean {
  const parts = name.split('/');
  return parts.some((_, at) => {
    const path = join(folder, ...parts.slice(0, at + 1));
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  });
}

export interface Listing {
  /** Of plain files and folders; links and all else are left out. */
  files: string[];
  folders: string[];
  /** There are more than were asked for. */
  isCut: boolean;
}

/** What is directly in a folder of the project; nothing if it leads out of it or is no folder. */
export function listInProject(folder: string, name: string, most: number): Listing {
  const found: Listing = { files: [], folders: [], isCut: false };
  const real = realPathWithin(folder, join(folder, name));
  if (real === undefined || real === 'outside') return found;
  const entries = attempt(() => opendirSync(real), undefined);
  if (entries === undefined) return found;
  try {
    for (let count = 0; ; count++) {
      const entry = entries.readSync();
      if (entry === null) return found;
      if (count === most) return { ...found, isCut: true };
      if (entry.isFile()) found.files.push(entry.name);
      if (entry.isDirectory()) found.folders.push(entry.name);
    }
  } finally {
    entries.closeSync();
  }
}

/** Undefined if there is nothing; `outside` if a link leads out of the folder. */
function realPathWithin(folder: string, path: string): string | undefined {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  try {
    const [root, real] = [realpathSync.native(folder), realpathSync.native(path)];
    return real.startsWith(root.endsWith(sep) ? root : `${root}${sep}`) ? real : 'outside';
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? undefined : 'outside'; // a link to nothing, or to itself
  }
}
