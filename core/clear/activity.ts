/**
 * The activity log, `activity.jsonl` in our own folder: each step of a clear, what was saved before
 * it, refused signals and notes. The command line and the window show it.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { StoredMessage } from '../messages/message.ts';
import { appendRotating } from '../platform/store/append-log.ts';
import { readFrom } from '../platform/store/append-only.ts';
import { attempt } from '../platform/store/attempt.ts';
import type { Places } from '../platform/store/places.ts';
import { parseAs } from './delivery/parse-as.ts';

const MAX_ACTIVITY_BYTES = 4 * 1024 * 1024;
const READ_BYTES = 256 * 1024;

/** `isoTimestamp` checks only the form, and lets some pass that no `Date` understands. */
export const ActivityTime = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.check((at) => !Number.isNaN(Date.parse(at))),
);

const Activity = v.object({
  at: ActivityTime,
  /** A state of a clear, `saved`, `refused` for a signal that was not followed, or `note`. */
  what: v.string(),
  note: v.fallback(v.optional(StoredMessage), undefined),
  sessionId: v.fallback(v.optional(v.string()), undefined),
  project: v.fallback(v.optional(v.string()), undefined),
  way: v.fallback(v.optional(v.string()), undefined),
  /** Of a step: the session is compacted rather than cleared. */
  method: v.fallback(v.optional(v.literal('compact')), undefined),
  figures: v.fallback(v.optional(v.record(v.string(), v.number())), undefined),
});

export type Activity = v.InferOutput<typeof Activity>;

export function activityPath(places: Places): string {
  return join(places.home, 'activity.jsonl');
}

export function addActivity(
  places: Places,
  activities: readonly Omit<Activity, 'at'>[],
): Activity[] {
  const at = new Date().toISOString();
  const stamped = activities.map((activity) => ({ at, ...activity }));
  const lines = stamped.map((activity) => JSON.stringify(activity));
  // With a full disk there is still a clear to finish.
  attempt(() => appendRotating(activityPath(places), lines, MAX_ACTIVITY_BYTES), undefined);
  return stamped;
}

/** The newest, oldest first. */
export function readActivity(places: Places, limit: number): Activity[] {
  const path = activityPath(places);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const start = Math.max(0, size - READ_BYTES);
  const text = attempt(() => readFrom(path, start).toString('utf8'), '');
  const activities = text.split('\n').flatMap((line) => parseActivity(line) ?? []);
  return activities.slice(-limit);
}

/** Undefined if the line is torn, or no activity. */
export function parseActivity(line: string): Activity | undefined {
  return parseAs(Activity, line);
}
