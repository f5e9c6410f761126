/**
 * What can be done with running sessions (A6, G1): see them, have a clear explained, begin one,
 * cancel, snooze or hurry it, pause all.
 */
import * as v from 'valibot';
import type { SessionStatus } from '../../claude/status/session-status.ts';
import { assertSameTerminal, assertStoppable, readRecord } from '../../clear/clear-record.ts';
import { makeWish, pauseClears, resumeClears } from '../../clear/wishes.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import type { StateFeed } from '../live/state-feed.ts';
import { DONE, inApplication, pid, sessionId } from './method.ts';

const oneSession = { sessionId, pid: v.optional(pid) };

export const sessionMethods = {
  /** The newest state again; it also comes as an event whenever it changes. */
  'sessions.state': inApplication({}, ({ feed }) => feed.state),

  'sessions.explain': inApplication(oneSession, async ({ feed }, args) =>
    feed.clears.explain(await running(feed, args)),
  ),

  /** Begins; the steps come as events. */
  'sessions.clear': inApplication(oneSession, async ({ feed, system: { places } }, args) => {
    const session = await running(feed, args);
    const outcome = feed.clears.clear(session);
    if ('begun' in outcome) return outcome.begun;
    assertSameTerminal(outcome.taken, session);
    // Announced already, here or by another application: it need not wait any longer.
    if (!feed.clears.wish(args.sessionId, 'now')) makeWish(places, args.sessionId, 'now');
    return outcome.taken;
  }),

  'sessions.wish': inApplication(
    { sessionId, wish: v.picklist(['cancel', 'snooze', 'now']) },
    ({ feed, system: { places } }, { sessionId: id, wish }) => {
      if (feed.clears.wish(id, wish)) return DONE;
      assertStoppable(readRecord(places, id));
      makeWish(places, id, wish);
      return DONE;
    },
  ),

  'sessions.pause': inApplication({ isPaused: v.boolean() }, ({ feed, system }, { isPaused }) => {
    if (isPaused) pauseClears(system.places);
    else resumeClears(system.places);
    feed.tellSoon();
    return DONE;
  }),
};

async function running(
  feed: StateFeed,
  wanted: { sessionId: string; pid?: number | undefined },
): Promise<SessionStatus> {
  const sessions = await feed.look();
  const [session, other] = sessions.filter(
    (one) =>
      one.sessionId === wanted.sessionId && (wanted.pid === undefined || one.pid === wanted.pid),
  );
  if (session === undefined) throw new ExpectedError(message('clear.noSession'));
  if (other !== undefined) throw new ExpectedError(message('clear.twoTerminals'));
  return session;
}
