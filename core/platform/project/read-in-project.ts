/**
 * The one way to open what lies in a project (T4). A repository is not the user: its files may be
 * links that lead anywhere, pipes that never end, devices, folders in the place of files, or far too
 * large. Reads only a plain file that lies inside the folder once all links are followed, up to a
 * limit, without ever waiting.
 */
import { lstatSync, opendirSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { message } from '../../messages/message.ts';
import { attempt, errorCode } from '../store/attempt.ts';
import { type FileReading, NO_LINKS, readSmallFile } from '../store/read-file.ts';

/** `name` is a path within the folder, such as `.claude/memory/facts.json`. */
export function readInProject(folder: string, name: string, maxBytes: number): FileReading {
  const path = join(folder, name);
  const real = realPathWithin(folder, path);
  if (real === undefined) return { state: 'missing' };
  if (real === 'outside') return { state: 'refused', reason: message('store.leadsOut', { path }) };
  return readSmallFile(real, maxBytes, NO_LINKS);
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
