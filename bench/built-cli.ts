/**
 * The command line as users have it: built. Without it, or with an old one, the figures would be of
 * something else.
 */
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CLI } from '../tests/bed/memory-keeper.ts';
import { NotRun } from './harness.ts';

const ROOT = join(import.meta.dirname, '..');
const SOURCE_FOLDERS = ['core', 'cli', 'resources'];

export function builtCli(): string {
  if (!existsSync(CLI))
    throw new NotRun('dist/cli/memory-keeper.js is missing; npm run build makes it');
  return CLI;
}

/** Undefined if there is nothing to warn of. */
export async function builtCliWarning(): Promise<string | undefined> {
  if (!existsSync(CLI)) return undefined;
  const built = (await stat(CLI)).mtimeMs;
  for (const folder of SOURCE_FOLDERS) {
    for (const entry of await readdir(join(ROOT, folder), {
      recursive: true,
      withFileTypes: true,
    })) {
      if (!entry.isFile() || entry.name.endsWith('.test.ts')) continue;
      if ((await stat(join(entry.parentPath, entry.name))).mtimeMs > built)
        return `dist/cli/memory-keeper.js is older than ${join(folder, entry.name)}: npm run build makes it new`;
    }
  }
  return undefined;
}
