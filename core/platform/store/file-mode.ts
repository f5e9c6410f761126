/**
 * Sets who may read and write our files: only here, and never through a link, which may lead to a
 * file that is not ours.
 */
import { lstatSync } from 'node:fs';
import { disk } from './disk.ts';

export function changeMode(path: string, mode: number): void {
  if (!lstatSync(path).isSymbolicLink()) disk.chmodSync(path, mode);
}
