/** Removes files that are no longer needed. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from './attempt.ts';
import { disk } from './disk.ts';

/** `isDone` says by its name which of the old ones may go. */
export function removeFilesOlderThan(
  folder: string,
  ageMs: number,
  isDone: (name: string) => boolean = () => true,
): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const info = statSync(path, { throwIfNoEntry: false }); // another cleaner was faster
    const isOld = info !== undefined && Date.now() - info.mtimeMs > ageMs;
    if (isOld && isDone(name)) attempt(() => disk.unlinkSync(path), undefined);
  }
}

/** One that is gone already is as good. */
export function removeFile(path: string): void {
  disk.rmSync(path, { force: true });
}
