/** What was saved, cleared and restored (G2), and the very text that a session got. */
import * as v from 'valibot';
import { readActivity } from '../../clear/activity.ts';
import { briefedAt, readBriefing } from '../../memory/restore/briefing-file.ts';
import { anywhere, count, inThread, project, sessionId, time } from './method.ts';

export const activityMethods = {
  'activity.list': inThread(
    'activity',
    { project: v.optional(project), before: v.optional(time), count },
    ({ activity, projectsOfSessions }, query) => activity.list(query, projectsOfSessions),
  ),
  /** The newest clears, refusals and notes as they were logged, oldest first. */
  'activity.log': anywhere({ count }, ({ places }, args) => readActivity(places, args.count)),
  /** The briefing that a session got at its start. */
  'activity.given': anywhere({ sessionId }, ({ places }, args) => ({
    text: readBriefing(places, args.sessionId) ?? null,
    at: briefedAt(places, args.sessionId)?.toISOString() ?? null,
  })),
};
