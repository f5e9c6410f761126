/** Removes what nobody will ask for again. */
import { readdirSync, rmSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from './attempt.ts';

export function removeFilesOlderThan(folder: string, ageMs: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const info = statSync(path, { throwIfNoEntry: false }); // another cleaner was faster
    if (info !== undefined && Date.now() - info.mtimeMs > ageMs) attempt(() => unlinkSync(path), undefined);
  }
}

/** One that is gone already is as good. */
export function removeFile(path: string): void {
  rmSync(path, { force: true });
}
