/** A true copy of a file, private and with the times of the first. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { PRIVATE_FILE, PRIVATE_FOLDER } from './atomic-write.ts';
import { disk } from './disk.ts';

export function copyInto(from: string, to: string): void {
  disk.mkdirSync(dirname(to), { recursive: true, mode: PRIVATE_FOLDER });
  disk.copyFileSync(from, to);
  const { atime, mtime } = statSync(from);
  disk.chmodSync(to, PRIVATE_FILE);
  disk.utimesSync(to, atime, mtime);
}
