/** Finds the memory that a hook works on, and tells whether the mod or the hooks ask the models. */
import type { Workplace } from '../../memory/model/jobs.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { placesFrom, projectRoot } from '../../platform/store/places.ts';
import { isModPresent } from '../../projects/mod-presence.ts';
import {
  assertOwnMemory,
  linkOutAtTop,
  type ProjectMemory,
  projectMemory,
} from '../../projects/project-memory.ts';
import { readSettings } from '../../settings/settings.ts';
import type { HookInput } from './hook-input.ts';

export function memoryOf({ projectDir, places, env }: HookInput): ProjectMemory {
  return projectMemory(places, projectRoot(projectDir, env));
}

/** For hooks that read or write the memory: refuses one where a link leads out of the project (M1). */
export function ownMemoryOf(input: HookInput): ProjectMemory {
  const memory = memoryOf(input);
  const problem = linkOutAtTop(memory);
  if (problem !== undefined) throw new ExpectedError(problem);
  return memory;
}

/** For longer work, which reads all of the memory. */
export function workplaceIn(projectDir: string, env: NodeJS.ProcessEnv): Workplace {
  const places = placesFrom(env);
  const memory = projectMemory(places, projectRoot(projectDir, env));
  assertOwnMemory(memory);
  return { places, memory, settings: readSettings(places, memory.root).settings };
}

/** Where the mod runs, it asks the models itself; the hooks do not use the session's agents. */
export function isModRunning({ isFromMod, claudePid, places }: HookInput): boolean {
  return isFromMod || isModPresent(places, claudePid);
}
