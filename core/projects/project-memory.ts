/**
 * Where a project's memory lives (M1, F5): `<project>/.claude/memory/` and
 * `<project>/.claude/sessions/`, kept out of git by a `.gitignore` of their own.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../messages/expected-error.ts';
import type { Message } from '../messages/message.ts';
import { writeFileAtomic } from '../platform/store/atomic-write.ts';
import { assertNoLinkOut, linkAtTop, linkLeadingOut } from '../platform/store/own-files.ts';
import { type Places, projectFolders } from '../platform/store/places.ts';

export interface ProjectMemory {
  root: string;
  /** memory.md, facts.json, concepts.json, config.json, memory-index.json. */
  folder: string;
  /** `YYYY-MM-DD_HHMM.l1.jsonl` and what is made of it. */
  sessions: string;
  index: string;
  within: string;
}

export function projectMemory(places: Places, root: string): ProjectMemory {
  const { memory, sessions, within } = projectFolders(places, root);
  return { root, folder: memory, sessions, index: join(memory, 'memory-index.json'), within };
}

const GITIGNORE = '# Memory Keeper: what was said in this project stays on this machine.\n*\n';

/** Before the first word is written. A `.gitignore` that the user has changed stays as it is. */
export function prepareProjectMemory(memory: ProjectMemory): void {
  const problem = linkOutAtTop(memory);
  if (problem !== undefined) throw new ExpectedError(problem);
  const { folder, sessions } = memory;
  for (const path of [join(folder, '.gitignore'), join(sessions, '.gitignore')])
    if (!existsSync(path)) writeFileAtomic(path, GITIGNORE);
}

/**
 * Why a memory must be left alone, as far as can be told at once: a hook reads nothing but what
 * stands in its first folder, and L1.
 */
export function linkOutAtTop({ folder, sessions, within }: ProjectMemory): Message | undefined {
  return linkAtTop([folder, sessions], within);
}

/** The same, wherever in the memory the link stands. */
export function linkOut({ folder, sessions, within }: ProjectMemory): Message | undefined {
  return linkLeadingOut([folder, sessions], within);
}

/** Before all of a memory is read or changed. */
export function assertOwnMemory({ folder, sessions, within }: ProjectMemory): void {
  assertNoLinkOut([folder, sessions], within);
}

/**
 * Of many projects, those that may be read; why one may not is told by the doctor, and by whoever
 * asks about that one.
 */
export function isOwnMemory(memory: ProjectMemory): boolean {
  return linkOut(memory) === undefined;
}
