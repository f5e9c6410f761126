/** Opens a memory with its settings for longer work, which reads all of it. */
import type { Workplace } from '../../memory/model/jobs.ts';
import type { Places } from '../../platform/store/places.ts';
import { assertOwnMemory, type ProjectMemory } from '../../projects/project-memory.ts';
import { readSettings } from '../../settings/settings.ts';

export function workplaceFor(places: Places, memory: ProjectMemory): Workplace {
  assertOwnMemory(memory);
  return { places, memory, settings: readSettings(places, memory.root).settings };
}
