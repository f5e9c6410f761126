/** Where the records of clears lie. A hook needs no more of them, so it does not load the rest. */
import { join } from 'node:path';
import type { Places } from '../platform/store/places.ts';

export function recordsFolder(places: Places): string {
  return join(places.home, 'clears');
}

export function recordPath(places: Places, sessionId: string): string {
  return join(recordsFolder(places), `${sessionId}.json`);
}
