/** Tells whether a file is still the same: another inode, size or time is another content. */
import { statSync } from 'node:fs';

/** The mark of a file that does not exist. */
export const NO_FILE = 'none';

/** When the file was changed, in ms. */
export function timeOfMark(mark: string): number {
  return Number(mark.split(' ').at(-1)) / 1e6;
}

export function fileMark(path: string): string {
  const info = statSync(path, { bigint: true, throwIfNoEntry: false });
  return info === undefined ? NO_FILE : `${info.ino} ${info.size} ${info.mtimeNs}`;
}
