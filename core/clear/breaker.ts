/**
 * The circuit breaker (T5): leaves a session alone when automatic clears follow each other too fast
 * or do not help, and no longer tells it to continue when the user is away. It knows nothing but
 * the records of clears in the same Claude Code process, so every application comes to the same
 * answer, after a crash too. The user closes it with a reset.
 */
import type { SessionStatus } from '../claude/status/session-status.ts';
import { type Message, message } from '../messages/message.ts';
import type { Places } from '../platform/store/places.ts';
import type { AutoClearSettings } from '../settings/settings.ts';
import { thresholdTokens } from '../settings/thresholds.ts';
import { addActivity } from './activity.ts';
import {
  automaticClears,
  type ClearRecord,
  isFinal,
  isSameProcess,
  readRecords,
  writeRecord,
} from './clear-record.ts';

/**
 * `no-help`: it was as full as its threshold right after the last clear. `too-many`: the hour's
 * clears are used up. `continued`: it was cleared, but not told to continue once more.
 */
export interface Breaker {
  why: 'no-help' | 'too-many' | 'continued';
  reason: Message;
  /** When it opened, ISO. */
  since: string;
  /** When it closes by itself; null if it stays until something changes. */
  until: string | null;
}

interface BreakerInput {
  session: Pick<SessionStatus, 'sessionId' | 'window' | 'lowestTokens'>;
  settings: Pick<AutoClearSettings, 'threshold' | 'maxPerHour'>;
  /** Of clears in the same Claude Code process. */
  records: readonly ClearRecord[];
  now: Date;
}

const HOUR_MS = 60 * 60 * 1000;
const MAX_CONTINUES = 3;

/** Why no automatic clear begins. */
export function clearBreaker(input: BreakerInput): Breaker | undefined {
  return noHelp(input) ?? tooMany(input);
}

/** The same for people, who also want to know why a cleared session does not go on. */
export function openBreaker(input: BreakerInput): Breaker | undefined {
  return clearBreaker(input) ?? continued(input);
}

/** False if the user typed nothing since it was told to continue for the first of three times. */
export function mayContinue(record: ClearRecord, records: readonly ClearRecord[]): boolean {
  let current = record;
  for (let count = 0; count < MAX_CONTINUES; count++) {
    const before = current.isPrompted ? undefined : clearBefore(current, records);
    if (before?.isContinued !== true) return true;
    current = before;
  }
  return false;
}

export const continuesUsedUp = (): Message =>
  message('clear.breakerContinued', { count: MAX_CONTINUES });

/** The clears so far in this process count no longer. */
export function resetBreaker(
  places: Places,
  { sessionId, pid }: Pick<SessionStatus, 'sessionId' | 'pid'>,
): void {
  const counted = readRecords(places).filter(
    (record) => record.pid === pid && isFinal(record) && record.isReset !== true,
  );
  for (const record of counted) writeRecord(places, { ...record, isReset: true });
  const project = counted.find(({ newSessionId }) => newSessionId === sessionId)?.projectRoot;
  addActivity(places, [{ what: 'note', note: message('clear.breakerReset'), sessionId, project }]);
}

/** A reply below the threshold, a higher threshold or another session shows that it can help. */
function noHelp({ session, settings, records }: BreakerInput): Breaker | undefined {
  const { sessionId, window } = session;
  const last = records.find((record) => nextIdOf(record) === sessionId && !record.isReset);
  // What the session had before it was compacted says nothing of what is left.
  const tokens = last?.tokensAfter ?? session.lowestTokens;
  const at = thresholdTokens(settings.threshold, window);
  if (last === undefined || at === null || tokens === null) return undefined;
  const limit = Math.round(at);
  if (tokens < limit) return undefined;
  const code = last.method === 'compact' ? 'clear.breakerCompactNoHelp' : 'clear.breakerNoHelp';
  const reason = message(code, { tokens, limit });
  return { why: 'no-help', reason, since: lastAt(last), until: null };
}

/** A session that was compacted keeps its id. */
function nextIdOf({ method, state, sessionId, newSessionId }: ClearRecord): string | undefined {
  return method === 'compact' && state === 'restored' ? sessionId : newSessionId;
}

function tooMany({ settings: { maxPerHour }, records, now }: BreakerInput): Breaker | undefined {
  const times = records
    .flatMap(automaticClears)
    .filter((at) => Date.parse(at) > now.getTime() - HOUR_MS)
    .sort();
  const [since, first] = [times.at(-1), times.at(-maxPerHour)];
  if (since === undefined || first === undefined) return undefined;
  const until = new Date(Date.parse(first) + HOUR_MS).toISOString();
  const reason = message('clear.breakerTooMany', { count: maxPerHour, until });
  return { why: 'too-many', reason, since, until };
}

/** Nobody tells it to go on but the user, so it holds until the first reply. */
function continued({ session, records }: BreakerInput): Breaker | undefined {
  const last = records.find(({ newSessionId }) => newSessionId === session.sessionId);
  const isOpen = last?.isLeftIdle === true && !last.isReset && session.lowestTokens === null;
  if (!isOpen) return undefined;
  return { why: 'continued', reason: continuesUsedUp(), since: lastAt(last), until: null };
}

/** The breaker of a session in its process, from what stands on disk. */
export function breakerOf(
  records: readonly ClearRecord[],
  session: SessionStatus,
  settings: AutoClearSettings,
): Breaker | undefined {
  const own = records.filter((record) => isSameProcess(record, session));
  return openBreaker({ session, settings, records: own, now: new Date() });
}

function clearBefore(
  { sessionId }: ClearRecord,
  records: readonly ClearRecord[],
): ClearRecord | undefined {
  return records.find((record) => record.newSessionId === sessionId && !record.isReset);
}

function lastAt({ steps }: ClearRecord): string {
  return steps.at(-1)?.at ?? '';
}
