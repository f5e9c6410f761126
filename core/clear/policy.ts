/** Whether a session is to be cleared by itself now (A6, A7, C4): its figures, the user's settings and what happened before come in. */
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

const MINUTE_MS = 60 * 1000;

export function decide(facts: PolicyFacts): Decision {
  const { settings, isPaused, now } = facts;
  if (settings.mode === 'off') return no('automatic clears are switched off here (autoClear.mode is off)');
  if (!isOverThreshold(facts.session, settings)) return no(belowText(facts.session, settings));
  if (isPaused) return notNow('Memory Keeper is paused until you resume it');
  if (isQuiet(settings, now)) return notNow('these are your quiet hours (autoClear.quietHours)');
  // What was put off is that session's clear: one that began since, by a /clear of the user, is another matter.
  const ofSession = facts.records.filter(({ sessionId }) => sessionId === facts.session.sessionId);
  const putOff = Math.max(0, ...ofSession.map(putOffUntil));
  if (putOff > now.getTime()) return notNow(`you put it off until ${new Date(putOff).toTimeString().slice(0, 5)}`);
  const last = Math.max(0, ...facts.records.flatMap(endedAt));
  const coolUntil = last + settings.cooldownMinutes * MINUTE_MS;
  if (coolUntil > now.getTime())
    return notNow(`the last clear there was less than ${minutesText(settings.cooldownMinutes)} ago (autoClear.cooldownMinutes)`);
  return { clear: true };
}

export function isOverThreshold(
  { tokens, window }: Pick<SessionStatus, 'tokens' | 'window'>,
  { threshold }: AutoClearSettings,
): boolean {
  return tokens !== null && window !== null && tokens >= thresholdTokens(threshold, window);
}

function belowText({ tokens, window, percent }: PolicyFacts['session'], { threshold }: AutoClearSettings): string {
  if (tokens === null || window === null) return 'nothing is known of its context yet';
  const limit = 'percent' in threshold ? `${threshold.percent} %` : `${threshold.tokens.toLocaleString('en-US')} tokens`;
  return `its context (${percent} %, ${tokens.toLocaleString('en-US')} tokens) is below the threshold of ${limit}`;
}

export const minutesText = (minutes: number): string => (minutes === 1 ? '1 minute' : `${minutes} minutes`);

/** The user's word counts until the session was cleared after all. */
function putOffUntil({ state, notBefore = '' }: ClearRecord): number {
  return state === 'restored' ? 0 : Date.parse(notBefore) || 0;
}

/** Of one that was cleared or failed; what the user cancelled is put off by itself, and the rest never came that far. */
function endedAt(record: ClearRecord): number[] {
  const last = record.steps.at(-1);
  return isFinal(record) && record.state !== 'cancelled' && last !== undefined ? [Date.parse(last.at) || 0] : [];
}

function isQuiet({ quietHours }: AutoClearSettings, now: Date): boolean {
  if (quietHours === undefined) return false;
  const minute = now.getHours() * 60 + now.getMinutes();
  const { from, to } = quietHours;
  return from <= to ? minute >= from && minute < to : minute >= from || minute < to;
}

function no(reason: string): Decision {
  return { clear: false, reason, isForNow: false };
}

function notNow(reason: string): Decision {
  return { clear: false, reason, isForNow: true };
}
