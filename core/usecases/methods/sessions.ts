/**
 * What can be done with running sessions (A6, G1): see them, have a clear explained, begin one,
 * cancel, snooze or hurry it, reset the breaker, pause all.
 */
import * as v from 'valibot';
import type { SessionStatus } from '../../claude/status/session-status.ts';
import { resetBreaker } from '../../clear/breaker.ts';
import { assertSameTerminal, assertStoppable, readRecord } from '../../clear/clear-record.ts';
import {
  type ClearRequest,
  pauseClears,
  resumeClears,
  writeClearRequest,
} from '../../clear/clear-requests.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import type { Places } from '../../platform/store/places.ts';
import type { StateFeed } from '../live/state-feed.ts';
import { anywhere, DONE, inApplication, pid, sessionId } from './method.ts';

const oneSession = { sessionId, pid: v.optional(pid) };
const clearRequest = { sessionId, request: v.picklist(['cancel', 'snooze', 'now']) };

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
    if (!feed.clears.request(args.sessionId, 'now'))
      writeClearRequest(places, args.sessionId, 'now');
    return outcome.taken;
  }),

  'sessions.request': inApplication(clearRequest, ({ feed, system: { places } }, args) => {
    if (!feed.clears.request(args.sessionId, args.request)) askOwner(places, args);
    return DONE;
  }),
  /** The same for a command: leaves the request for the application that clears; returns its pid. */
  'sessions.askOwner': anywhere(clearRequest, ({ places }, args) => askOwner(places, args)),

  /** Clears a session automatically again that the breaker left alone (T5). */
  'sessions.resetBreaker': anywhere(
    { sessionId, pid },
    ({ places }, args) => {
      resetBreaker(places, args);
      return DONE;
    },
    { afterwards: ({ feed }) => feed.reportSoon() },
  ),

  'sessions.pause': anywhere(
    { isPaused: v.boolean() },
    ({ places }, { isPaused }) => {
      if (isPaused) pauseClears(places);
      else resumeClears(places);
      return DONE;
    },
    { afterwards: ({ feed }) => feed.reportSoon() },
  ),
};

/** Asks the application that is clearing a session. */
function askOwner(
  places: Places,
  { sessionId: id, request }: { sessionId: string; request: ClearRequest },
): { pid: number } {
  const record = readRecord(places, id);
  assertStoppable(record);
  writeClearRequest(places, id, request);
  return { pid: record.owner.pid };
}

async function running(
  feed: StateFeed,
  wanted: { sessionId: string; pid?: number | undefined },
): Promise<SessionStatus> {
  const sessions = await feed.readSessions();
  const [session, other] = sessions.filter(
    (one) =>
      one.sessionId === wanted.sessionId && (wanted.pid === undefined || one.pid === wanted.pid),
  );
  if (session === undefined) throw new ExpectedError(message('clear.noSession'));
  if (other !== undefined) throw new ExpectedError(message('clear.twoTerminals'));
  return session;
}
