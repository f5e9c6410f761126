/**
 * Decides whether to clear a session automatically now, and if not, until when not (A6, A7, C4).
 */

import type { SessionStatus } from '../claude/status/session-status.ts';
import { type Message, message } from '../messages/message.ts';
import type { AutoClearSettings } from '../settings/settings.ts';
import { thresholdTokens } from '../settings/thresholds.ts';
import { type ClearRecord, isFinal } from './clear-record.ts';

/**
 * `isForNow`: the reason is temporary (a pause, quiet hours, a snooze or a cooldown), so decide
 * again later.
 */
export type Decision = { clear: true } | { clear: false; reason: Message; isForNow: boolean };

export interface PolicyFacts {
  session: Pick<SessionStatus, 'sessionId' | 'tokens' | 'window' | 'percent'>;
  settings: AutoClearSettings;
  /** Of clears in the same Claude Code process. */
  records: readonly ClearRecord[];
  isPaused: boolean;
  now: Date;
}

export interface NotBefore {
  at: string;
  why: 'quiet-hours' | 'cooldown';
}

const MINUTE_MS = 60 * 1000;

export function decide(facts: PolicyFacts): Decision {
  const { settings, isPaused, now } = facts;
  if (settings.mode === 'off') return no(message('clear.off'));
  if (!isOverThreshold(facts.session, settings)) return no(below(facts.session, settings));
  if (isPaused) return notNow(message('clear.paused'));
  const quiet = quietUntil(settings, now);
  if (quiet !== undefined)
    return notNow(message('clear.quietHours', { until: quiet.toISOString() }));
  // What was put off is that session's clear: one that began since, by a /clear of the user, is
  // another matter.
  const ofSession = facts.records.filter(({ sessionId }) => sessionId === facts.session.sessionId);
  const putOff = Math.max(0, ...ofSession.map(putOffUntil));
  if (putOff > now.getTime())
    return notNow(message('clear.putOff', { until: new Date(putOff).toISOString() }));
  const cool = coolUntil(facts);
  if (cool > now.getTime())
    return notNow(message('clear.coolingDown', { until: new Date(cool).toISOString() }));
  return { clear: true };
}

/**
 * The first moment that neither cools down after a clear nor falls into the quiet hours; undefined:
 * that is now.
 */
export function notClearedBefore(
  facts: Pick<PolicyFacts, 'settings' | 'records' | 'now'>,
): NotBefore | undefined {
  const now = facts.now.getTime();
  const cool = Math.max(coolUntil(facts), now);
  const quiet = quietUntil(facts.settings, new Date(cool));
  if (quiet !== undefined) return { at: quiet.toISOString(), why: 'quiet-hours' };
  return cool > now ? { at: new Date(cool).toISOString(), why: 'cooldown' } : undefined;
}

export function isOverThreshold(
  { tokens, window }: Pick<SessionStatus, 'tokens' | 'window'>,
  { threshold }: AutoClearSettings,
): boolean {
  return tokens !== null && window !== null && tokens >= thresholdTokens(threshold, window);
}

function below(
  { tokens, window, percent }: PolicyFacts['session'],
  { threshold }: AutoClearSettings,
): Message {
  if (tokens === null || window === null || percent === null)
    return message('clear.contextUnknown');
  return 'percent' in threshold
    ? message('clear.belowPercent', { percent, tokens, limit: threshold.percent })
    : message('clear.belowTokens', { percent, tokens, limit: threshold.tokens });
}

/** The user's word counts until the session was cleared after all. */
function putOffUntil({ state, notBefore = '' }: ClearRecord): number {
  return state === 'restored' ? 0 : Date.parse(notBefore) || 0;
}

/**
 * Only finished and failed clears start a cooldown. A cancelled one carries its own `notBefore`.
 */
function endedAt(record: ClearRecord): number[] {
  const last = record.steps.at(-1);
  return isFinal(record) && record.state !== 'cancelled' && last !== undefined
    ? [Date.parse(last.at) || 0]
    : [];
}

function coolUntil({ records, settings }: Pick<PolicyFacts, 'records' | 'settings'>): number {
  return Math.max(0, ...records.flatMap(endedAt)) + settings.cooldownMinutes * MINUTE_MS;
}

/** The end of the quiet hours that the time falls into; undefined: into none. */
function quietUntil({ quietHours }: AutoClearSettings, time: Date): Date | undefined {
  if (quietHours === undefined) return undefined;
  const minute = time.getHours() * 60 + time.getMinutes();
  const { from, to } = quietHours;
  const isQuiet = from <= to ? minute >= from && minute < to : minute >= from || minute < to;
  const isTomorrow = minute >= to;
  const end = new Date(
    time.getFullYear(),
    time.getMonth(),
    time.getDate() + Number(isTomorrow),
    0,
    to,
  );
  return isQuiet ? end : undefined;
}

function no(reason: Message): Decision {
  return { clear: false, reason, isForNow: false };
}

function notNow(reason: Message): Decision {
  return { clear: false, reason, isForNow: true };
}
