/**
 * Finds the memory of a project that a window asks about. Refuses roots that Memory Keeper does not
 * know, and memories that lead out of their project by a link.
 */
import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import type { Places } from '../../platform/store/places.ts';
import { linkOutAtTop, type ProjectMemory, projectMemory } from '../../projects/project-memory.ts';

export function knownProject(
  places: Places,
  root: string,
  isKnown: (root: string) => boolean,
): ProjectMemory {
  const refused = new ExpectedError(message('memory.unknownProject', { path: root }));
  if (!isAbsolute(root) || resolve(root) !== root || root.includes('\0')) throw refused;
  const memory = projectMemory(places, root);
  if (!existsSync(memory.index) && !isKnown(root)) throw refused;
  if (!existsSync(root) && !existsSync(memory.index))
    throw new ExpectedError(message('memory.projectGone', { path: root }));
  const problem = linkOutAtTop(memory);
  if (problem !== undefined) throw new ExpectedError(problem);
  return memory;
}
