/**
 * Decides whether to clear a session automatically now, and if not, why, and whether to decide again
 * later (A6, A7, C4, T5). `earliestClear` computes the time that the window shows.
 */
import type { SessionStatus } from '../claude/status/session-status.ts';
import { type Message, message } from '../messages/message.ts';
import type { AutoClearSettings } from '../settings/settings.ts';
import { thresholdTokens } from '../settings/thresholds.ts';
import { clearBreaker } from './breaker.ts';
import { type ClearRecord, isFinal } from './clear-record.ts';

/** `isTemporary`: a pause, quiet hours, a snooze, a breaker or a cooldown, so decide again later. */
type Decision = { clear: true } | { clear: false; reason: Message; isTemporary: boolean };

export interface PolicyInput {
  session: Pick<
    SessionStatus,
    'sessionId' | 'model' | 'tokens' | 'window' | 'percent' | 'lowestTokens' | 'sessionKind'
  >;
  settings: AutoClearSettings;
  /** Of clears in the same Claude Code process. */
  records: readonly ClearRecord[];
  isPaused: boolean;
  now: Date;
}

export interface EarliestClear {
  at: string;
  why: 'quiet-hours' | 'cooldown';
}

const MINUTE_MS = 60 * 1000;
const iso = (time: number) => new Date(time).toISOString();

export function decide(input: PolicyInput): Decision {
  const { session, settings, records, isPaused, now } = input;
  if (settings.mode === 'off') return refused(message('clear.off'), false);
  const otherKind = kindRefusal(session, settings);
  if (otherKind !== undefined) return refused(otherKind, false);
  if (!isOverThreshold(session, settings)) return refused(below(session, settings), false);
  if (isPaused) return refused(message('clear.paused'));
  const quietEnd = quietUntil(settings, now);
  if (quietEnd !== undefined) return refused(message('clear.quietHours', { until: quietEnd }));
  // A snooze holds for one session, not for the next one in the same process.
  const ofSession = records.filter(({ sessionId }) => sessionId === session.sessionId);
  const snoozeEnd = Math.max(0, ...ofSession.map(snoozedUntil));
  if (snoozeEnd > now.getTime()) return refused(message('clear.putOff', { until: iso(snoozeEnd) }));
  const breaker = clearBreaker(input);
  if (breaker !== undefined) return refused(breaker.reason);
  const cooldownEnd = cooldownUntil(input);
  if (cooldownEnd > now.getTime())
    return refused(message('clear.coolingDown', { until: iso(cooldownEnd) }));
  return { clear: true };
}

/** Why sessions of its kind are not cleared unless the user asks for it; undefined if they are. */
export function kindRefusal(
  { sessionKind }: Pick<SessionStatus, 'sessionKind'>,
  { kinds }: Pick<AutoClearSettings, 'kinds'>,
): Message | undefined {
  return kinds.includes(sessionKind) ? undefined : message(`clear.kindNotCleared.${sessionKind}`);
}

/** When both the cooldown and the quiet hours are over; undefined if that is now. */
export function earliestClear(
  input: Pick<PolicyInput, 'settings' | 'records' | 'now'>,
): EarliestClear | undefined {
  const now = input.now.getTime();
  const cooldownEnd = Math.max(cooldownUntil(input), now);
  const quietEnd = quietUntil(input.settings, new Date(cooldownEnd));
  if (quietEnd !== undefined) return { at: quietEnd, why: 'quiet-hours' };
  return cooldownEnd > now ? { at: iso(cooldownEnd), why: 'cooldown' } : undefined;
}

export function isOverThreshold(
  { tokens, window }: Pick<SessionStatus, 'tokens' | 'window'>,
  { threshold }: AutoClearSettings,
): boolean {
  const limit = thresholdTokens(threshold, window);
  return tokens !== null && limit !== null && tokens >= limit;
}

function below(
  { model, tokens, percent }: PolicyInput['session'],
  { threshold }: AutoClearSettings,
): Message {
  if (tokens === null || model === null) return message('clear.contextUnknown');
  if ('tokens' in threshold)
    return percent === null
      ? message('clear.belowTokensOnly', { tokens, limit: threshold.tokens })
      : message('clear.belowTokens', { percent, tokens, limit: threshold.tokens });
  return percent === null
    ? message('clear.windowUnknown', { model })
    : message('clear.belowPercent', { percent, tokens, limit: threshold.percent });
}

/** A snooze or a cancel counts until the session was cleared after all. */
function snoozedUntil({ state, notBefore = '' }: ClearRecord): number {
  return state === 'restored' ? 0 : Date.parse(notBefore) || 0;
}

/** Only restored and failed clears start a cooldown. A cancelled one has its own `notBefore`. */
function endedAt(record: ClearRecord): number[] {
  const last = record.steps.at(-1);
  return isFinal(record) && record.state !== 'cancelled' && last !== undefined
    ? [Date.parse(last.at) || 0]
    : [];
}

function cooldownUntil({ records, settings }: Pick<PolicyInput, 'records' | 'settings'>): number {
  return Math.max(0, ...records.flatMap(endedAt)) + settings.cooldownMinutes * MINUTE_MS;
}

/** The end of the quiet hours that the time falls into, if it does. */
function quietUntil({ quietHours }: AutoClearSettings, time: Date): string | undefined {
  if (quietHours === undefined) return undefined;
  const minute = time.getHours() * 60 + time.getMinutes();
  const { from, to } = quietHours;
  const isQuiet = from <= to ? minute >= from && minute < to : minute >= from || minute < to;
  if (!isQuiet) return undefined;
  const day = time.getDate() + (minute >= to ? 1 : 0);
  return new Date(time.getFullYear(), time.getMonth(), day, 0, to).toISOString();
}

function refused(reason: Message, isTemporary = true): Decision {
  return { clear: false, reason, isTemporary };
}
