/**
 * Where something that is not there yet would be made (G8): the nearest folder above it that is
 * there, and whether it lets us.
 */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { PRIVATE_FOLDER } from './atomic-write.ts';
import { attempt } from './attempt.ts';

const ALL_RIGHTS = constants.R_OK | constants.W_OK | constants.X_OK;

export function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

/**
 * By the rights of its owner and not only by trying: for an administrator everything can be
 * written, and for the hooks of a session it may not be.
 */
export function isShut(folder: string): boolean {
  const { mode, uid } = statSync(folder);
  if (uid === process.geteuid?.() && (mode & PRIVATE_FOLDER) !== PRIVATE_FOLDER) return true;
  return attempt(() => accessSync(folder, ALL_RIGHTS), false) === false;
}
