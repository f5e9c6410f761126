/** As if the minutes had passed after which a job that nobody finished is free again. */
import { updateMemoryIndex } from '../../core/memory/log/memory-index.ts';
import type { ProjectMemory } from '../../core/projects/project-memory.ts';

export function letLeasesExpire(memory: ProjectMemory): void {
  updateMemoryIndex(memory, (index) => {
    const attempts = Object.entries(index.attempts ?? {}).map(
      ([key, { busyUntil: _, ...attempt }]) => [key, attempt],
    );
    return { ...index, attempts: Object.fromEntries(attempts) };
  });
}
