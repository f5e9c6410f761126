/**
 * Does what is due in a project's memory (M8, M12, F8): a session's start for its own project, and
 * the application every day for all projects, also for those that nobody opens any more.
 */
import { sweepLeftovers } from '../../platform/store/lock.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { type MemoryIndex, readMemoryIndex, updateMemoryIndex } from '../log/memory-index.ts';
import {
  doAllJobsWithoutModel,
  doJobsThatNeedNoModel,
  type ProjectContext,
} from '../model/jobs.ts';
import { compressIfDue } from './compress.ts';
import { isLongSilent, type RetentionOutcome } from './tiers.ts';

/** Returns what retention did, if that was due. */
export function tidyUp(project: ProjectContext): RetentionOutcome | undefined {
  const { memory, settings } = project;
  doJobsThatNeedNoModel(project);
  const retention = compressIfDue(memory, settings);
  for (const folder of [memory.folder, memory.sessions]) sweepLeftovers(folder);
  return retention;
}

/** A project without a session for a week gets none soon that could ask a model: do without one. */
export function tidyUpForgotten(
  project: ProjectContext,
  now = new Date(),
): RetentionOutcome | undefined {
  const { memory } = project;
  if (isForgotten(memory, readMemoryIndex(memory), now)) {
    updateMemoryIndex(memory, withAllOver);
    doAllJobsWithoutModel(project);
  }
  return tidyUp(project);
}

function isForgotten({ sessions }: ProjectMemory, index: MemoryIndex, now: Date): boolean {
  const files = Object.values(index.sessions).flatMap(({ file }) => (file === '' ? [] : [file]));
  return files.length > 0 && files.every((file) => isLongSilent(sessions, file, now));
}

/** Killed sessions could not report their end. One that goes on is reopened by its next entry. */
function withAllOver(index: MemoryIndex): MemoryIndex {
  const open = Object.entries(index.sessions).filter(([, { isOver }]) => isOver !== true);
  if (open.length === 0) return index;
  const over = open.map(([id, progress]) => [id, { ...progress, isOver: true }]);
  return { ...index, sessions: { ...index.sessions, ...Object.fromEntries(over) } };
}
