/** Where the note about a session's keeping lies (T6): alone, because every prompt looks there. */
import { join } from 'node:path';
import type { Places } from '../../platform/store/places.ts';

export const keepingFolder = (places: Places): string => join(places.home, 'keeping');

export function keepingNotePath(places: Places, sessionId: string): string {
  return join(keepingFolder(places), `${sessionId}.json`);
}
