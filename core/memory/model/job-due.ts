/**
 * Decides from the index alone when memory.md must be updated and when to look for facts (M6, M8,
 * M9, F8).
 */

import type { WorkMarks } from '../log/memory-index.ts';
import { isJobFree } from './job-attempts.ts';

type SessionMarks = WorkMarks['sessions'][string];

/** Facts are asked for less often than summaries: the same words cost less in one go. */
const DELTAS_PER_FACTS = 2;

/**
 * Whether there may be a job for a model. Cheap enough for every prompt: reads only the index.
 * `withPast`: a session that a backfill brought counts too.
 */
export function isJobDue(
  index: WorkMarks,
  saveInterval: number,
  { withPast = false } = {},
): boolean {
  if (isJobFree(index, 'delta', 'agent') && isDeltaDue(index, saveInterval)) return true;
  return Object.entries(index.sessions).some(
    ([session, progress]) =>
      isJobFree(index, `facts ${session}`, 'agent') &&
      (isFactsDue(progress, saveInterval) ||
        isSecondLookDue(progress) ||
        (withPast && isPastFactsDue(progress))),
  );
}

/**
 * How long no job can be due for agents while the index stays as it is: without `until` for ever,
 * undefined if one is due or may be at any time.
 */
export function notDueUntil(
  index: WorkMarks,
  saveInterval: number,
): { until?: number } | undefined {
  if (!isJobDue({ ...index, attempts: {} }, saveInterval)) return {};
  if (isJobDue(index, saveInterval)) return undefined;
  const attempts = Object.values(index.attempts ?? {});
  // Another process asks, and may end.
  if (attempts.some(({ claudePid }) => claudePid !== undefined)) return undefined;
  const leases = attempts.map(({ busyUntil = 0 }) => busyUntil);
  return { until: Math.min(...leases.filter((until) => until >= Date.now())) };
}

/** A backfill brought the session, and nobody has said anything in it since (L1d). */
function isPast({ l1Bytes, backfilled }: SessionMarks): boolean {
  return backfilled !== undefined && l1Bytes <= backfilled.bytes;
}

/** Waits for a model for as long as it takes; there may be hundreds of them. */
export function isPastFactsDue(progress: SessionMarks): boolean {
  const { file, l1Bytes, factsBytes = 0 } = progress;
  return file !== '' && isPast(progress) && l1Bytes > factsBytes;
}

/** Enough was done since the last summary, or a session has ended with something left (M8). */
export function isDeltaDue({ toolCount = 0, sessions }: WorkMarks, saveInterval: number): boolean {
  const hasLeftovers = ({ isOver, file, l1Bytes, summarisedBytes = 0 }: SessionMarks) =>
    isOver && file !== '' && l1Bytes > summarisedBytes;
  return toolCount >= saveInterval || Object.values(sessions).some(hasLeftovers);
}

export function isFactsDue(progress: SessionMarks, saveInterval: number): boolean {
  const { file, l1Bytes, factsBytes = 0, isOver, toolsSinceFacts = 0 } = progress;
  if (isPast(progress)) return false;
  const isLongEnough = isOver === true || toolsSinceFacts >= saveInterval * DELTAS_PER_FACTS;
  return file !== '' && l1Bytes > factsBytes && isLongEnough;
}

/** Once after each look for facts, at the entries that none of them came from. */
export function isSecondLookDue(progress: SessionMarks): boolean {
  const { file, factsBytes = 0, coveredBytes = 0 } = progress;
  return file !== '' && coveredBytes < factsBytes && !isPast(progress);
}
