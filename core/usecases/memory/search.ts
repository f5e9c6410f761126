/** Searches one project or all of them, and returns the best hits first (M17). */
import type { Layer } from '../../memory/search/entry-table.ts';
import { bestOfAll, type MemoryHit, searchMemory } from '../../memory/search/memory-search.ts';
import { knownProjects } from '../../projects/known-projects.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import type { System } from './memory-context.ts';

export interface SearchQuery {
  words: string;
  layers?: Layer[] | undefined;
  session?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  count: number;
}

/** Without a project: in all of them. */
export function searchProjects(
  { places }: Pick<System, 'places'>,
  project: ProjectMemory | undefined,
  { words, layers, session, since, until, count }: SearchQuery,
): MemoryHit[] {
  const memories = project === undefined ? knownProjects(places) : [project];
  const options = {
    limit: count,
    ...(layers && { layers }),
    ...(session && { session }),
    ...(since && { since }),
    ...(until && { until }),
  };
  return bestOfAll(
    memories.map((memory) => searchMemory(places, memory, words, options)),
    count,
  );
}
