/** Adds what Memory Keeper has decided about each session to a status report (T5). */
import type { SessionStatus } from '../claude/status/session-status.ts';
import type { StatusReport } from '../claude/status/status-tracker.ts';
import { type Breaker, breakerOf } from '../clear/breaker.ts';
import { readRecords } from '../clear/clear-record.ts';
import { kindRefusal } from '../clear/policy.ts';
import type { Message } from '../messages/message.ts';
import type { Places } from '../platform/store/places.ts';
import { readSettingsOfAll } from '../settings/settings.ts';

export interface WatchedSession extends SessionStatus {
  /** Why it is left alone for now; null if it is not. */
  breaker: Breaker | null;
  /** Why sessions of its kind are cleared by hand alone; null if they are not. */
  kindRefusal: Message | null;
}

export interface WatchedReport extends StatusReport {
  sessions: WatchedSession[];
}

export function watchedReport(places: Places, report: StatusReport): WatchedReport {
  const settings = readSettingsOfAll(places, [
    ...new Set(report.sessions.map(({ projectRoot }) => projectRoot)),
  ]);
  const records = readRecords(places);
  const sessions = report.sessions.map((session) => {
    const autoClear = settings.get(session.projectRoot)?.settings.autoClear;
    return {
      ...session,
      breaker: (autoClear && breakerOf(records, session, autoClear)) ?? null,
      kindRefusal: (autoClear && kindRefusal(session, autoClear)) ?? null,
    };
  });
  return { ...report, sessions };
}
