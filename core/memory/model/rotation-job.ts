/**
 * Asks a model to summarise what was rotated out of memory.md (M3). Until it answers, the summary
 * is the first sentences of that text.
 */
import { readFileSync } from 'node:fs';
import { attempt } from '../../platform/store/attempt.ts';
import { archivePath, memoryMdPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import type { MemoryIndex } from '../log/memory-index.ts';
import { earlierContext } from '../memory-md/memory-md.ts';

export interface Rotation {
  /** The newest of the rotated entries. */
  stamp: string;
  /** What is told of all that was ever rotated, and the newest of it word for word. */
  told: string;
  archived: string;
}

const MAX_ARCHIVED_CHARS = 40_000;

export function rotationDue(memory: ProjectMemory, index: MemoryIndex): Rotation | undefined {
  if (index.rotated !== true) return undefined;
  const earlier = earlierContext(attempt(() => readFileSync(memoryMdPath(memory), 'utf8'), ''));
  if (earlier === undefined) return undefined;
  const path = archivePath(memory, earlier.upTo);
  return {
    stamp: earlier.upTo,
    told: earlier.told,
    archived: attempt(() => readFileSync(path, 'utf8'), '').slice(-MAX_ARCHIVED_CHARS),
  };
}

export function rotationPrompt({ told, archived }: Rotation): string {
  return `These notes about a project are leaving its memory for the archive. Sum them up in at most five plain sentences: what was decided and what still matters.\n\n<notes>\n${told}\n\n${archived}\n</notes>`;
}
