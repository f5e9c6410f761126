/** A true copy of a file, private and with the times of the first. */
import { chmodSync, copyFileSync, mkdirSync, statSync, utimesSync } from 'node:fs';
import { dirname } from 'node:path';
import { PRIVATE_FILE, PRIVATE_FOLDER } from './atomic-write.ts';

export function copyInto(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: PRIVATE_FOLDER });
  copyFileSync(from, to);
  const { atime, mtime } = statSync(from);
  chmodSync(to, PRIVATE_FILE);
  utimesSync(to, atime, mtime);
}
