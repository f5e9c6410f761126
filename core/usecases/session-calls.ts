/**
 * What the window may do with sessions (A6, G1): look, have a clear explained, begin one, stop it
 * or hurry it, pause all.
 */

import type { SessionStatus } from '../claude/status/session-status.ts';
import { assertSameTerminal, assertStoppable, readRecord } from '../clear/clear-record.ts';
import { makeWish, pauseClears, resumeClears } from '../clear/wishes.ts';
import { ExpectedError } from '../messages/expected-error.ts';
import { message } from '../messages/message.ts';
import type { Places } from '../platform/store/places.ts';
import type { Handlers, MethodOf } from './contract/contract.ts';
import type { StateFeed } from './state-feed.ts';

export function sessionCalls(places: Places, feed: StateFeed): Handlers<MethodOf<'sessions'>> {
  return {
    'sessions.state': () => feed.state,

    'sessions.explain': async ({ sessionId, pid }) =>
      feed.clears.explain(await running(feed, sessionId, pid)),

    'sessions.clear': async ({ sessionId, pid }) => {
      const session = await running(feed, sessionId, pid);
      const outcome = feed.clears.clear(session);
      if ('begun' in outcome) return outcome.begun;
      assertSameTerminal(outcome.taken, session);
      // Announced already, here or by another application: it need not wait any longer.
      if (!feed.clears.wish(sessionId, 'now')) makeWish(places, sessionId, 'now');
      return outcome.taken;
    },

    'sessions.wish': ({ sessionId, wish }) => {
      if (feed.clears.wish(sessionId, wish)) return {};
      assertStoppable(readRecord(places, sessionId));
      makeWish(places, sessionId, wish);
      return {};
    },

    'sessions.pause': ({ isPaused }) => {
      if (isPaused) pauseClears(places);
      else resumeClears(places);
      feed.tellSoon();
      return {};
    },
  };
}

async function running(
  feed: StateFeed,
  sessionId: string,
  pid: number | undefined,
): Promise<SessionStatus> {
  const sessions = await feed.look();
  const [session, other] = sessions.filter(
    (one) => one.sessionId === sessionId && (pid === undefined || one.pid === pid),
  );
  if (session === undefined) throw new ExpectedError(message('clear.noSession'));
  if (other !== undefined) throw new ExpectedError(message('clear.twoTerminals'));
  return session;
}
