/**
 * The activity log, `activity.jsonl` in our own folder: what was done and why. It has each step of
 * a clear, what was saved before it, refused signals and notes. Appends lines and reads the newest;
 * the command line and the window show them.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { StoredMessage } from '../messages/message.ts';
import { appendRotating } from '../platform/store/append-log.ts';
import { readBehind } from '../platform/store/append-only.ts';
import { attempt, parseJson } from '../platform/store/attempt.ts';
import type { Places } from '../platform/store/places.ts';

const MAX_ACTIVITY_BYTES = 4 * 1024 * 1024;
const READ_BYTES = 256 * 1024;

/**
 * A time that a window can show and ask on from; the form alone lets some pass that no `Date`
 * understands.
 */
export const ActivityTime = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.check((at) => !Number.isNaN(Date.parse(at))),
);

const Activity = v.object({
  at: ActivityTime,
  /**
   * A state of a clear, `saved` for what was brought into safety before it, `refused` for a signal
   * that was not followed, or `note`.
   */
  what: v.string(),
  note: v.fallback(v.optional(StoredMessage), undefined),
  sessionId: v.fallback(v.optional(v.string()), undefined),
  project: v.fallback(v.optional(v.string()), undefined),
  /** By which way a session is cleared. */
  way: v.fallback(v.optional(v.string()), undefined),
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
  // With a full disk there is still a clear to finish; whoever watches is told anyway.
  attempt(
    () =>
      appendRotating(
        activityPath(places),
        stamped.map((activity) => JSON.stringify(activity)),
        MAX_ACTIVITY_BYTES,
      ),
    undefined,
  );
  return stamped;
}

/** The newest, oldest first. */
export function readActivity(places: Places, limit: number): Activity[] {
  const path = activityPath(places);
  const { size } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0 };
  const lines = attempt(
    () => readBehind(path, Math.max(0, size - READ_BYTES)).toString('utf8'),
    '',
  ).split('\n');
  return lines.flatMap((line) => parseActivity(line) ?? []).slice(-limit);
}

/** Undefined if it is torn, or none. */
export function parseActivity(line: string): Activity | undefined {
  const parsed = v.safeParse(Activity, parseJson(line));
  return parsed.success ? parsed.output : undefined;
}
