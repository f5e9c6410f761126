/**
 * Where a project's memory lies, and linking it again after a repository was moved, renamed or
 * cloned anew (M1): the likely memories are offered, the user chooses one by its name or id.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { addActivity } from '../../clear/activity.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import {
  type LinkOffer,
  linkOffers,
  linkPlace,
  markJoined,
  markJoining,
  placesJoining,
  refuseLink,
} from '../../platform/project/link-place.ts';
import {
  allProjectPlaces,
  findProjectPlace,
  noteIn,
  type ProjectPlace,
} from '../../platform/project/project-place.ts';
import { attempt } from '../../platform/store/attempt.ts';
import type { Places } from '../../platform/store/places.ts';
import { memoryAt } from '../../projects/project-memory.ts';
import { joinMemory } from './join-memory.ts';

const LIKELY: readonly LinkOffer['why'][] = ['moved', 'replaced', 'name'];

export interface OfferedMemory {
  id: string;
  name: string;
  formerRoot: string;
  why: LinkOffer['why'];
  sessions: number;
}

export interface MemoryPlace {
  /** Null if the project has no memory yet. */
  place: { id: string; name: string; root: string; folder: string } | null;
  offers: OfferedMemory[];
}

export function whereMemoryIs(places: Places, folder: string): MemoryPlace {
  const place = findProjectPlace(places, folder);
  const offers = linkOffers(places, folder).map(
    ({ place: { id, name, base }, formerRoot, why }) => {
      const sessions = sessionsIn(base);
      return { id, name, formerRoot, why, sessions };
    },
  );
  return {
    place: place ? { id: place.id, name: place.name, root: place.root, folder: place.base } : null,
    // An empty memory is of no use to anybody. The likeliest comes first.
    offers: offers
      .filter(({ sessions }) => sessions > 0)
      .sort((one, other) => LIKELY.indexOf(one.why) - LIKELY.indexOf(other.why)),
  };
}

/**
 * `name`: of a memory, its id, its folder, or where its project was. What the project has kept on its
 * own joins it. A kill at any step leaves every word in the memory that the project has; linking it
 * again does the rest.
 */
export function linkMemory(places: Places, folder: string, name: string): ProjectPlace {
  const wanted = placeCalled(places, name);
  const own = findProjectPlace(places, folder);
  const linked = own?.base === wanted.base ? own : linkAnew(places, folder, own, wanted);
  // Once more, for what a session has saved meanwhile; now nobody writes there any more.
  for (const left of placesJoining(places, linked)) {
    if (hasMemory(left.base)) joinMemory(places, memoryAt(linked), memoryAt(left));
    markJoined(left);
  }
  return linked;
}

function linkAnew(
  places: Places,
  folder: string,
  own: ProjectPlace | undefined,
  wanted: ProjectPlace,
): ProjectPlace {
  const path = noteIn(wanted.base).root ?? wanted.root;
  if (own !== undefined) {
    if (hasMemory(own.base)) joinMemory(places, memoryAt(wanted), memoryAt(own));
    markJoining(own, wanted);
  }
  const linked = linkPlace(places, folder, wanted);
  const note = message('memory.linked', { path });
  addActivity(places, [{ what: 'note', note, project: linked.root }]);
  return linked;
}

export function refuseOffer(places: Places, folder: string, id: string): void {
  refuseLink(places, folder, placeCalled(places, id));
}

function placeCalled(places: Places, name: string): ProjectPlace {
  const all = allProjectPlaces(places).filter(({ base }) => hasMemory(base));
  const found = all.filter((place) =>
    [place.id, place.base, place.root, place.name].includes(name),
  );
  const [place] = found;
  if (place === undefined) throw new ExpectedError(message('memory.noSuchMemory', { name }));
  if (found.length > 1) {
    const ids = found.map(({ id }) => id);
    throw new ExpectedError(message('memory.severalMemories', { name, ids }));
  }
  return place;
}

const hasMemory = (base: string) => existsSync(join(base, 'memory', 'memory-index.json'));

function sessionsIn(base: string): number {
  const { sessions } = memoryAt({ id: '', root: '', name: '', base });
  const names = attempt(() => readdirSync(sessions), []); // none yet
  return names.filter((name) => /\.l1\.jsonl(?:\.gz)?$/.test(name)).length;
}
