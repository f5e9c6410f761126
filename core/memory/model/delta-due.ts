/**
 * Decides from the index alone when memory.md must be updated and when to look for facts (M6, M8,
 * M9, F8).
 */

import type { WorkMarks } from '../log/memory-index.ts';
import { isUntaken } from './job-attempts.ts';

type SessionMarks = WorkMarks['sessions'][string];

/**
 * Facts are looked for less often than memory.md is brought up to date: the same words cost less in
 * one go.
 */
const DELTAS_PER_LOOK = 2;

/**
 * Whether there may be something to ask a model for. Cheap enough for every prompt: no file but the
 * index is looked at.
 */
export function isWorkDue(index: WorkMarks, saveInterval: number): boolean {
  if (isUntaken(index, 'delta', 'agent') && isDeltaDue(index, saveInterval)) return true;
  return Object.entries(index.sessions).some(
    ([session, progress]) =>
      isUntaken(index, `facts ${session}`, 'agent') &&
      (isFactsDue(progress, saveInterval) || isSecondLookDue(progress)),
  );
}

/**
 * Enough was done since the last summary, or a session has ended with something left to summarise.
 */
export function isDeltaDue({ toolCount = 0, sessions }: WorkMarks, saveInterval: number): boolean {
  return toolCount >= saveInterval || hasLeftovers(sessions);
}

export function isFactsDue(
  { file, l1Bytes, factsBytes = 0, isOver, toolsSinceFacts = 0 }: SessionMarks,
  saveInterval: number,
): boolean {
  const isLongEnough = isOver === true || toolsSinceFacts >= saveInterval * DELTAS_PER_LOOK;
  return file !== '' && l1Bytes > factsBytes && isLongEnough;
}

/** After a look for facts, once: at the entries that none of them came from. */
export function isSecondLookDue({ file, factsBytes = 0, coveredBytes = 0 }: SessionMarks): boolean {
  return file !== '' && coveredBytes < factsBytes;
}

/** A session has ended and not all of it stands in memory.md: nothing waits for ever (M8). */
function hasLeftovers(sessions: WorkMarks['sessions']): boolean {
  return Object.values(sessions).some(
    ({ isOver, file, l1Bytes, summarisedBytes = 0 }) =>
      isOver && file !== '' && l1Bytes > summarisedBytes,
  );
}
