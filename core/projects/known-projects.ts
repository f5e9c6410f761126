/** Lists every project that has a memory (M17): each has its place in the user's home. */
import { existsSync } from 'node:fs';
import { allProjectPlaces } from '../platform/project/project-place.ts';
import type { Places } from '../platform/store/places.ts';
import { memoryAt, type ProjectMemory } from './project-memory.ts';

export function knownProjects(places: Places): ProjectMemory[] {
  return allProjectPlaces(places)
    .map(memoryAt)
    .filter(({ index }) => existsSync(index));
}
