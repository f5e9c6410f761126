/**
 * Gives a repository that was moved, renamed or cloned anew its memory back (M1). Nothing of it
 * happens by itself: what lies in a folder proves nothing, so the likely memories are offered and the
 * user chooses.
 */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { removeFolder } from '../store/file-changes.ts';
import type { Places } from '../store/places.ts';
import { isSameMark, keysTo, markOf, pointKey, writeKey } from './project-keys.ts';
import {
  allProjectPlaces,
  findProject,
  findProjectPlace,
  nameOf,
  noteIn,
  type ProjectPlace,
  pathsOf,
  placesLeftBehind,
  projectPlace,
  rootOf,
  writeNote,
} from './project-place.ts';

const KEEP_LEFT_BEHIND_MS = 30 * 24 * 60 * 60 * 1000;

export interface LinkOffer {
  place: ProjectPlace;
  /** Where its project was. */
  formerRoot: string;
  /** moved: it is the very same folder; replaced: it was at this path; name: it has the same name. */
  why: 'moved' | 'replaced' | 'name';
}

/** Memories whose own checkout is gone and that may belong to the project in a folder. */
export function linkOffers(places: Places, folder: string, env?: NodeJS.ProcessEnv): LinkOffer[] {
  const found = findProject(places, folder, env);
  const own = findProjectPlace(places, folder, env);
  const { apart = [] } = own === undefined ? {} : noteIn(own.base);
  const root = rootOf(found);
  const mark = markOf(pathsOf(found)[0] ?? '');
  return allProjectPlaces(places).flatMap((place): LinkOffer[] => {
    if (place.base === own?.base || apart.includes(place.id)) return [];
    const { root: formerRoot = '', mark: formerMark = '' } = noteIn(place.base);
    const isLeft = place.root === place.base || !existsSync(formerRoot);
    if (!isLeft) return [];
    if (isSameMark(mark, formerMark)) return [{ place, formerRoot, why: 'moved' }];
    if (formerRoot === root) return [{ place, formerRoot, why: 'replaced' }];
    return nameOf(formerRoot) === nameOf(root) ? [{ place, formerRoot, why: 'name' }] : [];
  });
}

/**
 * From now on the project in a folder has this place, and its own is not offered for it. All that led
 * to its own leads here too: a kill before the last and surest path leaves the project where it was.
 */
export function linkPlace(
  places: Places,
  folder: string,
  { id, base }: ProjectPlace,
  env?: NodeJS.ProcessEnv,
): ProjectPlace {
  const found = findProject(places, folder, env);
  const root = rootOf(found);
  const paths = pathsOf(found);
  const own = findProjectPlace(places, folder, env);
  const note = noteIn(base);
  const apart = [note, own === undefined ? {} : noteIn(own.base)].flatMap((one) => one.apart ?? []);
  if (own !== undefined && own.id !== id) apart.push(own.id);
  writeNote(base, { ...note, id, root, mark: markOf(paths[0] ?? ''), apart });
  for (const key of own === undefined ? [] : keysTo(places, basename(own.base)))
    if (!paths.includes(key.path)) pointKey(places, key, basename(base));
  for (const path of paths.toReversed()) writeKey(places, path, basename(base));
  return { id, root, name: nameOf(root), base };
}

/** Call before its project leads to another place, so that the rest can be done after a kill. */
export function markJoining({ base }: ProjectPlace, into: ProjectPlace): void {
  writeNote(base, { ...noteIn(base), joins: into.id });
}

/** Those that shall be joined into this one, and that no project leads to any more. */
export function placesJoining(places: Places, { id }: ProjectPlace): ProjectPlace[] {
  return allProjectPlaces(places).filter(
    ({ root, base }) => root === base && noteIn(base).joins === id,
  );
}

/** Call once nobody writes to it and all of its memory is in another. */
export function markJoined({ base }: ProjectPlace): void {
  writeNote(base, { ...noteIn(base), joinedAt: new Date().toISOString() });
}

/** Removes what was joined some weeks ago: retention would never come to it. */
export function removeLeftBehind(places: Places, now = new Date()): void {
  for (const { base, joinedAt } of placesLeftBehind(places))
    if (now.getTime() - Date.parse(joinedAt) > KEEP_LEFT_BEHIND_MS) removeFolder(base);
}

/** This memory is not offered again for the project in the folder. */
export function refuseLink(
  places: Places,
  folder: string,
  { id }: ProjectPlace,
  env?: NodeJS.ProcessEnv,
): void {
  const { base } = projectPlace(places, folder, env);
  const note = noteIn(base);
  writeNote(base, { ...note, apart: [...new Set([...(note.apart ?? []), id])] });
}
