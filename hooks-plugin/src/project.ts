/** Which project's memory a hook is about, and who sees to its models. */

import { type ProjectMemory, projectMemory } from '../../core/memory/project/project-memory.ts';
import { isModPresent } from '../../core/memory/work/mod-presence.ts';
import { projectRoot } from '../../core/store/places.ts';
import type { HookInput } from './hook-input.ts';

export function memoryOf({ projectDir, places, env }: HookInput): ProjectMemory {
  return projectMemory(places, projectRoot(projectDir, env));
}

/** Where a mod is at work, it asks models itself, and the session's agents are left alone. */
export function isModAtWork({ isFromMod, claudePid, places }: HookInput): boolean {
  return isFromMod || isModPresent(places, claudePid);
}
