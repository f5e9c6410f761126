/**
 * Search in the window (M17): words come in, hits of one project or of all go out, the best first.
 */

import { isOwnMemory, type ProjectMemory } from '../../memory/project/project-memory.ts';
import { knownProjects } from '../../memory/search/known-projects.ts';
import { type MemoryHit, searchMemory } from '../../memory/search/memory-search.ts';
import type { Places } from '../../store/places.ts';
import type { Parsed } from '../contract.ts';

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
