/**
 * What 0.1.0 left in a project and nothing proves to be the user's (M1, T1): the user looks at it,
 * takes it over in parts or as a whole, or says that it is not theirs.
 */
import {
  type Adoptable,
  adoptEarlier,
  type EarlierPreview,
  previewEarlier,
} from '../../memory/portable/adopt-earlier.ts';
import {
  type EarlierOffer,
  earlierOffers,
  offerEarlier,
  refuseEarlier,
} from '../../memory/portable/earlier-offers.ts';
import { moveEarlierOf } from '../../memory/portable/move-earlier.ts';
import { ExpectedError, isExpected } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { noteMove, noteTakenOver } from '../hooks/note-move.ts';
import type { System } from './memory-context.ts';

type Machine = Pick<System, 'places' | 'env'>;

/** Also what was refused, marked so. What is proven moves first, as at the start of a session. */
export function listEarlier({ places, env }: Machine, memory: ProjectMemory): EarlierOffer[] {
  try {
    const move = moveEarlierOf(places, memory.root, env);
    if (move !== undefined) noteMove(places, move);
  } catch (error) {
    if (!isExpected(error)) throw error; // the doctor reports it
  }
  return earlierOffers(places, memory);
}

export function previewOffered(
  { places }: Machine,
  memory: ProjectMemory,
  path: string,
): EarlierPreview {
  const { root } = offered({ places }, memory, path);
  const preview = previewEarlier(places, root);
  if (preview === undefined) throw gone(path);
  return preview;
}

export function adoptOffered(
  { places, env }: Machine,
  memory: ProjectMemory,
  path: string,
  what: readonly Adoptable[],
): void {
  const { root, left, isRefused } = offered({ places }, memory, path);
  if (isRefused) throw new ExpectedError(message('memory.earlierRefused', { path }));
  adoptEarlier(places, memory, root, what, env);
  noteTakenOver(places, root, takenOver(left, what));
}

export function refuseOffered({ places }: Machine, memory: ProjectMemory, path: string): void {
  refuseEarlier(places, offered({ places }, memory, path));
}

export function offerAgain({ places }: Machine, memory: ProjectMemory, path: string): void {
  offerEarlier(places, offered({ places }, memory, path));
}

/** A window can name any path: only one of this project's own is used. */
function offered(
  { places }: Pick<Machine, 'places'>,
  memory: ProjectMemory,
  path: string,
): EarlierOffer {
  const offer = earlierOffers(places, memory).find((one) => one.path === path);
  if (offer === undefined) throw gone(path);
  return offer;
}

const gone = (path: string) => new ExpectedError(message('memory.earlierNone', { path }));

function takenOver(left: EarlierOffer['left'], what: readonly Adoptable[]): Message {
  const parts = [
    what.includes('sessions') && message('memory.earlierSessions', { count: left.sessions }),
    what.includes('edits') && message('memory.earlierEdits', { count: left.edits }),
    what.includes('rules') && message('memory.earlierRules'),
    what.includes('settings') && message('memory.earlierSettings'),
  ];
  return message('memory.earlierAdopted', { parts: parts.filter((part) => part !== false) });
}
