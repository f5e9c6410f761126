/** Which layers of memory nothing was added to today (M15, F8). */
import { readFileSync, statSync } from 'node:fs';
import { attempt } from '../../platform/store/attempt.ts';
import { dayStamp } from '../../platform/text/stamp.ts';
import { conceptsPath, memoryMdPath, sessionFactsPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import type { MemoryIndex } from '../log/memory-index.ts';

export type EnforcedLayer = 'l2' | 'l3' | 'l4' | 'memory';

export function missingLayers(memory: ProjectMemory, index: MemoryIndex): EnforcedLayer[] {
  const today = dayStamp(new Date());
  const isOfToday = (path: string) => {
    const info = statSync(path, { throwIfNoEntry: false });
    return info !== undefined && dayStamp(info.mtime) === today;
  };
  const files = Object.values(index.sessions).flatMap(({ file }) =>
    file === '' ? [] : [sessionFactsPath(memory, file)],
  );
  const isThere: Record<EnforcedLayer, boolean> = {
    l2: files.some(isOfToday),
    l3: isOfToday(conceptsPath(memory)),
    l4: index.compressedAt !== undefined && dayStamp(new Date(index.compressedAt)) === today,
    memory: attempt(() => readFileSync(memoryMdPath(memory), 'utf8'), '').includes(today),
  };
  return (Object.keys(isThere) as EnforcedLayer[]).filter((layer) => !isThere[layer]);
}
