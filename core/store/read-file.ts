/**
 * Reads a small file whole. What stands at a path may be anything: nothing, a folder, a device, a pipe that never ends, or far too
 * large. None of that may hang or flood us, so only plain files up to a limit are read.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

export type FileReading = { state: 'ok'; text: string } | { state: 'missing' } | { state: 'refused'; reason: string };

/** Opening a pipe for reading waits for a writer unless told not to. Windows has no such flag. */
const WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export async function readSmallFile(path: string, maxBytes: number): Promise<FileReading> {
  try {
    const file = await open(path, WITHOUT_WAITING);
    try {
      const info = await file.stat();
      if (!info.isFile()) return { state: 'refused', reason: `${path} is not a file` };
      if (info.size > maxBytes)
        return { state: 'refused', reason: `${path} is larger than ${Math.round(maxBytes / 1024).toLocaleString('en-US')} KB` };
      return { state: 'ok', text: await file.readFile('utf8') };
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { state: 'missing' };
    if (code === 'ENOTDIR') return { state: 'refused', reason: `${path} cannot be there: a part of its path is not a folder` };
    return { state: 'refused', reason: code === 'EACCES' ? `no permission to read ${path}` : message };
  }
}
