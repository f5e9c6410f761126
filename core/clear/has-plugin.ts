/**
 * Whether the plugin is at work in a session: without it, a session that is cleared is given
 * nothing back (M13).
 */
import { givenAt } from '../memory/restore/given.ts';
import type { Places } from '../platform/store/places.ts';
import type { ClearTarget } from './delivery/driver.ts';
import { isModIn } from './delivery/mod.ts';

export function hasPlugin(places: Places, session: ClearTarget): boolean {
  return isModIn(places, session) || givenAt(places, session.sessionId) !== undefined;
}
