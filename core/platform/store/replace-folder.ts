/**
 * Replaces a folder by a copy of another. A reader finds the old one whole or the new one whole: we
 * copy beside it first, and swap with two renames. Abandoned copies, also of killed processes, are
 * removed.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PRIVATE_FOLDER } from './atomic-write.ts';
import { attempt } from './attempt.ts';
import { disk } from './disk.ts';
import { unlikelyName } from './owner.ts';

/**
 * Only one process at a time may call it for the same place: to be called under a lock. `finish`
 * may change the copy before it is seen.
 */
export function replaceFolder(from: string, to: string, finish: (copy: string) => void): void {
  const folder = dirname(to);
  disk.mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  sweep(to);
  const coming = beside(to, 'new');
  const going = beside(to, 'old');
  try {
    disk.cpSync(from, coming, { recursive: true, dereference: true });
    finish(coming);
    if (existsSync(to)) disk.renameSync(to, going);
    try {
      disk.renameSync(coming, to);
    } catch (error) {
      // the old one goes on; the error that led here is the one to tell
      attempt(() => disk.renameSync(going, to), undefined);
      throw error;
    }
  } finally {
    attempt(() => sweep(to), undefined); // open in a running program: the next time
  }
}

export function removeFolder(folder: string): void {
  disk.rmSync(folder, { recursive: true, force: true });
}

const beside = (to: string, kind: 'new' | 'old') =>
  join(dirname(to), `.${basename(to)}.${unlikelyName(8)}.${kind}`);

/** Killed between the two renames, only the old one under its other name is left: it comes back. */
function sweep(to: string): void {
  const isOurs = (name: string) =>
    name.startsWith(`.${basename(to)}.`) && /\.[0-9a-f]{8}\.(new|old)$/.test(name);
  for (const name of readdirSync(dirname(to)).filter(isOurs)) {
    const path = join(dirname(to), name);
    if (name.endsWith('.old') && !existsSync(to)) disk.renameSync(path, to);
    else disk.rmSync(path, { recursive: true, force: true });
  }
}
