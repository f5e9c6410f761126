/** Reads a range of L1, plain or gzipped once it has become old (M12). */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readBehind } from '../../platform/store/append-only.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import type { L1Entry } from './l1-refine.ts';
import { parseL1 } from './l1-store.ts';

/**
 * The entries between two places of a session's L1 file; undefined if the file is kept no longer.
 */
export function readKeptL1(
  memory: ProjectMemory,
  file: string,
  from = 0,
  to = Number.POSITIVE_INFINITY,
): L1Entry[] | undefined {
  const path = join(memory.sessions, file);
  if (existsSync(path)) return parseL1(readBehind(path, from, to).toString('utf8'));
  if (!existsSync(`${path}.gz`)) return undefined;
  return parseL1(
    gunzipSync(readFileSync(`${path}.gz`))
      .subarray(from, Math.min(to, 2 ** 31))
      .toString('utf8'),
  );
}
