/** Searches one project or all of them for the window, and returns the best hits first (M17). */

import { type MemoryHit, searchMemory } from '../../memory/search/memory-search.ts';
import type { Places } from '../../platform/store/places.ts';
import { knownProjects } from '../../projects/known-projects.ts';
import { isOwnMemory, type ProjectMemory } from '../../projects/project-memory.ts';
import type { Parsed } from '../contract/contract.ts';

interface SearchPlace {
  places: Places;
  env: NodeJS.ProcessEnv;
}

/** Without a project: all that are known. */
export function find(
  { places, env }: SearchPlace,
  project: ProjectMemory | undefined,
  { words, layers, since, until, count }: Parsed<'search.find'>,
): MemoryHit[] {
  const memories =
    project === undefined ? knownProjects(places, env).filter(isOwnMemory) : [project];
  const options = {
    limit: count,
    ...(layers && { layers }),
    ...(since && { since }),
    ...(until && { until }),
  };
  return memories
    .flatMap((memory) => searchMemory(places, memory, words, options))
    .sort((a, b) => b.score - a.score)
    .slice(0, count);
}
