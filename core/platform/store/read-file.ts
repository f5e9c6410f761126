/**
 * Reads a small file whole. A path may lead to nothing, a folder, a device, a pipe that never ends,
 * or something far too large. None of that may hang or flood us, so only plain files up to a limit
 * are read.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type Message, message } from '../../messages/message.ts';

export type FileReading =
  | { state: 'ok'; text: string }
  | { state: 'missing' }
  | { state: 'refused'; reason: Message };

/** Opening a pipe for reading waits for a writer unless told not to. Windows has no such flag. */
const NO_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
export const NO_LINKS = NO_WAITING | (constants.O_NOFOLLOW ?? 0);

export function readSmallFile(path: string, maxBytes: number, flags = NO_WAITING): FileReading {
  // Most settings and notes do not exist, and an exception costs more than a check.
  if (!existsSync(path) && hasFolder(path)) return { state: 'missing' };
  try {
    const file = openSync(path, flags);
    try {
      const info = fstatSync(file);
      if (!info.isFile()) return refused(message('store.notFile', { path }));
      if (info.size > maxBytes)
        return refused(message('store.tooLarge', { path, kilobytes: Math.round(maxBytes / 1024) }));
      return { state: 'ok', text: readFileSync(file, 'utf8') };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const { code, message: words } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { state: 'missing' };
    if (code === 'ENOTDIR') return refused(message('store.notInFolder', { path }));
    if (code === 'EACCES') return refused(message('store.noPermission', { path }));
    return refused(message('system.words', { words }));
  }
}

/** False if a file stands where a folder above the path should be. */
function hasFolder(path: string): boolean {
  const folder = dirname(path);
  const info = statSync(folder, { throwIfNoEntry: false });
  return info === undefined ? folder === path || hasFolder(folder) : info.isDirectory();
}

function refused(reason: Message): FileReading {
  return { state: 'refused', reason };
}

/** For a file that others may try to plant: refuses a link and another user's file. */
export function readOwnFile(path: string, maxBytes: number): FileReading {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info === undefined) return { state: 'missing' };
  if (info.isSymbolicLink()) return refused(message('store.isLink', { path }));
  const user = process.getuid?.();
  if (user !== undefined && info.uid !== user)
    return refused(message('store.otherOwner', { path }));
  return readSmallFile(path, maxBytes, NO_LINKS);
}
