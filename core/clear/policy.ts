/**
 * Whether a session is to be cleared by itself now, or from when on (A6, A7, C4): its figures, the
 * user's settings and what happened before come in.
 */
import { thresholdTokens } from '../context/thresholds.ts';
import type { AutoClearSettings } from '../settings/settings.ts';
import type { SessionStatus } from '../status/session-status.ts';
import { type ClearRecord, isFinal } from './clear-record.ts';

/** `isForNow`: time alone may change it. */
export type Decision = { clear: true } | { clear: false; reason: string; isForNow: boolean };

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
  if (settings.mode === 'off')
    return no('automatic clears are switched off here (autoClear.mode is off)');
  if (!isOverThreshold(facts.session, settings)) return no(belowText(facts.session, settings));
  if (isPaused) return notNow('Memory Keeper is paused until you resume it');
  if (quietUntil(settings, now) !== undefined)
    return notNow('these are your quiet hours (autoClear.quietHours)');
  // What was put off is that session's clear: one that began since, by a /clear of the user, is
  // another matter.
  const ofSession = facts.records.filter(({ sessionId }) => sessionId === facts.session.sessionId);
  const putOff = Math.max(0, ...ofSession.map(putOffUntil));
  if (putOff > now.getTime())
    return notNow(`you put it off until ${new Date(putOff).toTimeString().slice(0, 5)}`);
  if (coolUntil(facts) > now.getTime())
    return notNow(
      `the last clear there was less than ${minutesText(settings.cooldownMinutes)} ago (autoClear.cooldownMinutes)`,
    );
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

function belowText(
  { tokens, window, percent }: PolicyFacts['session'],
  { threshold }: AutoClearSettings,
): string {
  if (tokens === null || window === null) return 'nothing is known of its context yet';
  const limit =
    'percent' in threshold
      ? `${threshold.percent} %`
      : `${threshold.tokens.toLocaleString('en-US')} tokens`;
  return `its context (${percent} %, ${tokens.toLocaleString('en-US')} tokens) is below the threshold of ${limit}`;
}

export const minutesText = (minutes: number): string =>
  minutes === 1 ? '1 minute' : `${minutes} minutes`;

/** The user's word counts until the session was cleared after all. */
function putOffUntil({ state, notBefore = '' }: ClearRecord): number {
  return state === 'restored' ? 0 : Date.parse(notBefore) || 0;
}

/**
 * Of one that was cleared or failed; what the user cancelled is put off by itself, and the rest
 * never came that far.
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

function no(reason: string): Decision {
  return { clear: false, reason, isForNow: false };
}

function notNow(reason: string): Decision {
  return { clear: false, reason, isForNow: true };
}
