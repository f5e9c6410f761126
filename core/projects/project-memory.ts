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
import type { Places } from '../platform/store/places.ts';

export interface ProjectMemory {
  root: string;
  name: string;
  /** memory.md, facts.json, concepts.json, config.json, memory-index.json. */
  folder: string;
  /** `YYYY-MM-DD_HHMM-<hash>.l1.jsonl` and what is made from it. */
  sessions: string;
  index: string;
  /** The project's place in the home, with all of this in it. */
  base: string;
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
    base,
    ...(problem !== undefined && { problem }),
  };
}

/** People keep their home in git too. */
export const GITIGNORE =
  '# Memory Keeper: what was said in this project stays on this machine.\n*\n';

/** Call before the first write. A `.gitignore` that the user has changed stays as it is. */
export function prepareProjectMemory(memory: ProjectMemory): void {
  const { folder, sessions, problem } = memory;
  if (problem !== undefined) throw new ExpectedError(problem);
  for (const path of [join(folder, '.gitignore'), join(sessions, '.gitignore')])
    if (!existsSync(path)) writeFileAtomic(path, GITIGNORE);
}
