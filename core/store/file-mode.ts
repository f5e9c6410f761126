/**
 * Who may read and write a file of ours: changed here alone, and never through a link, which may
 * lead to somebody else's.
 */
import { chmodSync, lstatSync } from 'node:fs';

export function changeMode(path: string, mode: number): void {
  if (!lstatSync(path).isSymbolicLink()) chmodSync(path, mode);
}
