/** The files of a project's memory, in its place in the user's home (M1, F5). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../messages/expected-error.ts';
import type { Message } from '../messages/message.ts';
import {
  findProjectPlace,
  type ProjectPlace,
  projectPlace,
} from '../platform/project/project-place.ts';
import { writeFileAtomic } from '../platform/store/atomic-write.ts';
import { assertNoLinkOut, linkAtTop, linkLeadingOut } from '../platform/store/own-files.ts';
import type { Places } from '../platform/store/places.ts';

export interface ProjectMemory {
  root: string;
  name: string;
  /** memory.md, facts.json, concepts.json, config.json, memory-index.json. */
  folder: string;
  /** `YYYY-MM-DD_HHMM.l1.jsonl` and what is made from it. */
  sessions: string;
  index: string;
  /** No link in it may lead out of here. */
  within: string;
  /** Why nothing can be written. */
  problem?: Message;
}

/** Of the project that a folder belongs to; the first time, the project gets its place. */
export function projectMemory(
  places: Places,
  folder: string,
  env?: NodeJS.ProcessEnv,
): ProjectMemory {
  return memoryAt(projectPlace(places, folder, env));
}

/** Undefined if the project has no place yet. */
export function findProjectMemory(places: Places, folder: string): ProjectMemory | undefined {
  const place = findProjectPlace(places, folder);
  return place && memoryAt(place);
}

export function memoryAt({ root, name, base, problem }: ProjectPlace): ProjectMemory {
  const folder = join(base, 'memory');
  return {
    root,
    name,
    folder,
    sessions: join(base, 'sessions'),
    index: join(folder, 'memory-index.json'),
    within: base,
    ...(problem !== undefined && { problem }),
  };
}

/** People keep their home in git too. */
const GITIGNORE = '# Memory Keeper: what was said in this project stays on this machine.\n*\n';

/** Call before the first write. A `.gitignore` that the user has changed stays as it is. */
export function prepareProjectMemory(memory: ProjectMemory): void {
  const problem = memory.problem ?? linkOutAtTop(memory);
  if (problem !== undefined) throw new ExpectedError(problem);
  const { folder, sessions } = memory;
  for (const path of [join(folder, '.gitignore'), join(sessions, '.gitignore')])
    if (!existsSync(path)) writeFileAtomic(path, GITIGNORE);
}

/** Why a memory must not be used. Checks only what a hook reads: the top of its folder, and L1. */
export function linkOutAtTop({ folder, sessions, within }: ProjectMemory): Message | undefined {
  return linkAtTop([folder, sessions], within);
}

/** The same for a link anywhere in the memory. */
export function linkOut({ folder, sessions, within }: ProjectMemory): Message | undefined {
  return linkLeadingOut([folder, sessions], within);
}

/** Call before all of a memory is read or changed. */
export function assertOwnMemory({ folder, sessions, within }: ProjectMemory): void {
  assertNoLinkOut([folder, sessions], within);
}

/** For a filter over many projects; the doctor reports why one is left out. */
export function isOwnMemory(memory: ProjectMemory): boolean {
  return linkOut(memory) === undefined;
}
