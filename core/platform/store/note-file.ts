/**
 * Writes a small note that must get through where nothing else does (T6). On a full disk there is
 * still room for an empty file, and its name alone says enough. The folder may be one that everybody
 * writes to: a link or a file that others have put there is never written through.
 */
import { PRIVATE_FILE, tempPath } from './atomic-write.ts';
import { attempt } from './attempt.ts';
import { disk } from './disk.ts';

const NO_ROOM = ['ENOSPC', 'EDQUOT'];

/** Appears as a whole, or empty or cut off where there is no room for it. */
export function writeNote(path: string, text: string): void {
  const temp = tempPath(path);
  const file = disk.openSync(temp, 'wx', PRIVATE_FILE);
  try {
    try {
      attempt(() => disk.writeFileSync(file, text), undefined, NO_ROOM);
    } finally {
      disk.closeSync(file);
    }
    disk.renameSync(temp, path); // replaces a link, and fails where the file is another user's
  } catch (error) {
    attempt(() => disk.unlinkSync(temp), undefined); // the first error is the one to report
    throw error;
  }
}
