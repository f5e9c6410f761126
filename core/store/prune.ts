/** Removes what nobody will ask for again. */
import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';

export async function removeFilesOlderThan(folder: string, ageMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const info = await stat(path).catch(() => undefined); // another cleaner was faster
    if (info !== undefined && Date.now() - info.mtimeMs > ageMs) await unlink(path).catch(() => undefined);
  }
}
