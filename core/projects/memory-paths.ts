/** The names of a project's memory files (M2, F5). */
import { join } from 'node:path';
import type { ProjectMemory } from './project-memory.ts';

export function factsPath(memory: ProjectMemory): string {
  return join(memory.folder, 'facts.json');
}

export function conceptsPath(memory: ProjectMemory): string {
  return join(memory.folder, 'concepts.json');
}

export function memoryMdPath(memory: ProjectMemory): string {
  return join(memory.folder, 'memory.md');
}

/** `archive/YYYY-MM.md`: what was rotated out of memory.md, word for word. */
export function rotatedEntriesPath(memory: ProjectMemory, stamp: string): string {
  return join(memory.folder, 'archive', `${stamp.slice(0, 'YYYY-MM'.length)}.md`);
}

/** `2026-11-16_0232-1f3a90bc.l2.json` beside `2026-11-16_0232-1f3a90bc.l1.jsonl`. */
export function sessionFactsPath(memory: ProjectMemory, l1File: string): string {
  return join(memory.sessions, l1File.replace(/\.l1\.jsonl$/, '.l2.json'));
}
