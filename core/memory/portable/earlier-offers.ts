/**
 * What 0.1.0 left in the checkouts of a project and nothing proves to be the user's (T1): offered
 * until the user takes it over or says that it is not theirs. Only looks at what the moves have
 * noted, so that a window can ask at any time.
 */
import type { Places } from '../../platform/store/places.ts';
import { findProjectMemory, type ProjectMemory } from '../../projects/project-memory.ts';
import { EarlierMemory } from './earlier-memory.ts';
import { allMoves, type Left, rememberRefusal } from './earlier-moves.ts';

export interface EarlierOffer {
  /** The folder that holds the old `memory` and `sessions`. */
  path: string;
  /** The checkout that it lies in. */
  root: string;
  left: Pick<Left, 'sessions' | 'edits' | 'rules' | 'settings'>;
  isRefused: boolean;
}

/** Also those that the user has refused. */
export function earlierOffers(places: Places, memory: ProjectMemory): EarlierOffer[] {
  return allMoves(places).flatMap(({ path, root, mark, left, adopted, problem, refusedAt }) => {
    const earlier = EarlierMemory.inProject(root);
    if (problem !== undefined || earlier.path !== path || earlier.mark() !== mark) return [];
    if (findProjectMemory(places, root)?.base !== memory.base) return [];
    const { edits, rules, settings } = left;
    // A file that names no session cannot be taken over, and must not be offered for ever.
    const sessions = adopted.includes('sessions') ? 0 : left.sessions;
    const isAny = sessions > 0 || edits > 0 || rules || settings;
    const isRefused = refusedAt !== undefined;
    return isAny ? [{ path, root, left: { sessions, edits, rules, settings }, isRefused }] : [];
  });
}

/** It is never offered again, whatever is pulled. */
export function refuseEarlier(places: Places, { path }: EarlierOffer): void {
  rememberRefusal(places, path, new Date().toISOString());
}

export function offerEarlier(places: Places, { path }: EarlierOffer): void {
  rememberRefusal(places, path, undefined);
}
