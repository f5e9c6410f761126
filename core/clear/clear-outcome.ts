/**
 * Watches what a clear leads to: a new session, its briefing, work that goes on; or a compaction of
 * the same session (A7, A10, K4).
 */
import type { SessionStatus } from '../claude/status/session-status.ts';
import { lastCompaction } from '../claude/transcript/context-history.ts';
import { readBriefing } from '../memory/restore/briefing-file.ts';
import { ExpectedError } from '../messages/expected-error.ts';
import { type Message, message } from '../messages/message.ts';
import { type ClearRecord, isSameProcess } from './clear-record.ts';
import type { RunTools } from './clear-run.ts';
import { outcomeOf } from './cleared-words.ts';
import { type Driver, FIXED_TEXTS } from './delivery/driver.ts';
import { hasPlugin } from './delivery/mod.ts';
import { poll } from './delivery/poll.ts';

const POLL_INTERVAL_MS = 25;
const SESSION = { timeoutMs: 20_000, intervalMs: POLL_INTERVAL_MS };
/** Longer than Claude Code waits for the hook that restores (hooks.json). */
const BRIEFING_TIMEOUT_MS = 12_000;
/** The plugin may have been installed a moment ago, so wait a little even if it was not seen. */
const NO_PLUGIN_TIMEOUT_MS = 5000;

/** A new session in the same process is what a clear is (A7). */
export async function waitForNewSession(
  { listSessions }: RunTools,
  record: ClearRecord,
): Promise<SessionStatus> {
  const read = async () => {
    const session = (await listSessions()).find((one) => isSameProcess(one, record));
    if (session === undefined) throw new ExpectedError(message('clear.claudeCodeEnded'));
    return session;
  };
  const isNew = ({ sessionId }: SessionStatus) => sessionId !== record.sessionId;
  const session = await poll(read, isNew, SESSION);
  if (!isNew(session)) throw new ExpectedError(message('clear.noNewSession'));
  return session;
}

const COMPACTION = { timeoutMs: 60_000, intervalMs: 200 };

/**
 * The row that Claude Code writes when it has compacted is the proof: the mod may be told that the
 * command was run when it is only about to (A7).
 */
export async function waitForCompaction(
  { listSessions }: RunTools,
  record: ClearRecord,
): Promise<{ note: Message; tokensAfter: number | undefined }> {
  const since = record.steps.findLast(({ state }) => state === 'delivering')?.at ?? '';
  const read = async () => {
    const session = (await listSessions()).find((one) => isSameProcess(one, record));
    if (session === undefined) throw new ExpectedError(message('clear.claudeCodeEnded'));
    if (session.sessionId !== record.sessionId)
      throw new ExpectedError(message('clear.sessionReplaced'));
    return session.transcript === null ? undefined : lastCompaction(session.transcript, since);
  };
  const found = await poll(read, (compaction) => compaction !== undefined, COMPACTION);
  if (found === undefined) throw new ExpectedError(message('clear.notCompacted'));
  const { tokensBefore: before, tokensAfter: after } = found;
  const note =
    before === undefined || after === undefined
      ? message('clear.compacted')
      : message('clear.compactedTo', { before, after });
  return { note, tokensAfter: after };
}

/** What the new session was given. */
export async function waitForBriefing(
  { places }: RunTools,
  cleared: ClearRecord,
  { sessionId }: SessionStatus,
): Promise<Message> {
  const timeoutMs = hasPlugin(places, cleared) ? BRIEFING_TIMEOUT_MS : NO_PLUGIN_TIMEOUT_MS;
  const isThere = (text: string | undefined) => text !== undefined;
  const options = { timeoutMs, intervalMs: POLL_INTERVAL_MS };
  const briefing = await poll(() => readBriefing(places, sessionId), isThere, options);
  return outcomeOf(cleared, briefing);
}

/** Tells a new session to go on, unless work has begun there; returns the outcome with that. */
export async function continueWork(
  { listSessions, refusal }: RunTools,
  driver: Driver | undefined,
  session: SessionStatus,
  outcome: Message,
): Promise<Message> {
  const notContinued = (reason: Message) => message('clear.notContinued', { outcome, reason });
  const isIdle = (reason: Message | undefined) => reason === undefined;
  if (!isIdle(await poll(() => refusal(session), isIdle, SESSION)))
    return notContinued(message('clear.notIdle'));
  const now = (await listSessions()).find(({ pid }) => pid === session.pid);
  if (now?.sessionId !== session.sessionId || now.lastReplyAt !== null)
    return message('clear.continuedAlready', { outcome });
  if (driver === undefined) return notContinued(message('driver.unknown'));
  const delivery = await driver.deliver(session, FIXED_TEXTS.continue);
  return delivery.done ? message('clear.continued', { outcome }) : notContinued(delivery.reason);
}
