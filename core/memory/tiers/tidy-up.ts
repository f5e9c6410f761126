/**
 * What is due in a project's memory without anybody asking (M8, M12, F8): a session's start does it
 * for its own project, and the application every day for all of them, also for those that nobody
 * opens any more.
 */
import { sweepLeftovers } from '../../platform/store/lock.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { type MemoryIndex, readMemoryIndex, updateMemoryIndex } from '../log/memory-index.ts';
import { doAllWithoutModel, doWhatNeedsNoModel, type Workplace } from '../model/jobs.ts';
import { compressIfDue } from './compress.ts';
import { isLongSilent } from './tiers.ts';

export function tidyUp(work: Workplace): void {
  doWhatNeedsNoModel(work);
  compressIfDue(work.memory, work.settings);
  for (const folder of [work.memory.folder, work.memory.sessions]) sweepLeftovers(folder);
}

/**
 * Where no session has said anything for a week, none will come soon that could ask a model: what
 * was left undone is done without one.
 */
export function tidyUpForgotten(work: Workplace, now = new Date()): void {
  const { memory } = work;
  if (isForgotten(memory, readMemoryIndex(memory), now)) {
    updateMemoryIndex(memory, withAllOver);
    doAllWithoutModel(work);
  }
  tidyUp(work);
}

function isForgotten({ sessions }: ProjectMemory, index: MemoryIndex, now: Date): boolean {
  const files = Object.values(index.sessions).flatMap(({ file }) => (file === '' ? [] : [file]));
  return files.length > 0 && files.every((file) => isLongSilent(sessions, file, now));
}

/** A killed session could not report its end. If one does go on, its next entry opens it again. */
function withAllOver(index: MemoryIndex): MemoryIndex {
  const open = Object.entries(index.sessions).filter(([, { isOver }]) => isOver !== true);
  if (open.length === 0) return index;
  const over = open.map(([id, progress]) => [id, { ...progress, isOver: true }]);
  return { ...index, sessions: { ...index.sessions, ...Object.fromEntries(over) } };
}
