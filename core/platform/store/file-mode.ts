/**
 * Who may read and write a file of ours: changed here alone, and never through a link, which may
 * lead to somebody else's.
 */
import { lstatSync } from 'node:fs';
import { disk } from './disk.ts';

export function changeMode(path: string, mode: number): void {
  if (!lstatSync(path).isSymbolicLink()) disk.chmodSync(path, mode);
}
