/** Tells whether a file is still the one it was: another inode, size or time is another content. */
import { statSync } from 'node:fs';

/** Of no file. */
export const NO_FILE = 'none';

export function fileMark(path: string): string {
  const info = statSync(path, { bigint: true, throwIfNoEntry: false });
  return info === undefined ? NO_FILE : `${info.ino} ${info.size} ${info.mtimeNs}`;
}
