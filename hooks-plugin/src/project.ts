/** Which project's memory a hook is about, and who sees to its models. */
import { ExpectedError } from '../../core/messages/expected-error.ts';
import { projectRoot } from '../../core/platform/store/places.ts';
import { isModPresent } from '../../core/projects/mod-presence.ts';
import {
  linkOutAtTop,
  type ProjectMemory,
  projectMemory,
} from '../../core/projects/project-memory.ts';
import type { HookInput } from './hook-input.ts';

export function memoryOf({ projectDir, places, env }: HookInput): ProjectMemory {
  return projectMemory(places, projectRoot(projectDir, env));
}

/**
 * The same for whoever reads or writes it: nothing is done where a link leads out of the project
 * (M1).
 */
export function ownMemoryOf(input: HookInput): ProjectMemory {
  const memory = memoryOf(input);
  const problem = linkOutAtTop(memory);
  if (problem !== undefined) throw new ExpectedError(problem);
  return memory;
}

/** Where a mod is at work, it asks models itself, and the session's agents are left alone. */
export function isModAtWork({ isFromMod, claudePid, places }: HookInput): boolean {
  return isFromMod || isModPresent(places, claudePid);
}
