/**
 * Decides from the index alone when memory.md must be updated and when to look for facts (M6, M8,
 * M9, F8).
 */

import type { WorkMarks } from '../log/memory-index.ts';
import { isJobFree } from './job-attempts.ts';

type SessionMarks = WorkMarks['sessions'][string];

/** Facts are asked for less often than summaries: the same words cost less in one go. */
const DELTAS_PER_FACTS = 2;

/** Whether there may be a job for a model. Cheap enough for every prompt: reads only the index. */
export function isJobDue(index: WorkMarks, saveInterval: number): boolean {
  if (isJobFree(index, 'delta', 'agent') && isDeltaDue(index, saveInterval)) return true;
  return Object.entries(index.sessions).some(
    ([session, progress]) =>
      isJobFree(index, `facts ${session}`, 'agent') &&
      (isFactsDue(progress, saveInterval) || isSecondLookDue(progress)),
  );
}

/** Enough was done since the last summary, or a session has ended with something left (M8). */
export function isDeltaDue({ toolCount = 0, sessions }: WorkMarks, saveInterval: number): boolean {
  const hasLeftovers = ({ isOver, file, l1Bytes, summarisedBytes = 0 }: SessionMarks) =>
    isOver && file !== '' && l1Bytes > summarisedBytes;
  return toolCount >= saveInterval || Object.values(sessions).some(hasLeftovers);
}

export function isFactsDue(
  { file, l1Bytes, factsBytes = 0, isOver, toolsSinceFacts = 0 }: SessionMarks,
  saveInterval: number,
): boolean {
  const isLongEnough = isOver === true || toolsSinceFacts >= saveInterval * DELTAS_PER_FACTS;
  return file !== '' && l1Bytes > factsBytes && isLongEnough;
}

/** Once after each look for facts, at the entries that none of them came from. */
export function isSecondLookDue({ file, factsBytes = 0, coveredBytes = 0 }: SessionMarks): boolean {
  return file !== '' && coveredBytes < factsBytes;
}
