/**
 * Makes a briefing out of the memory and of the work of the session that is continued (M13). A hook
 * loads it only where none is prepared.
 */
import { join } from 'node:path';
import { readL1Tail } from '../../memory/log/l1-store.ts';
import { type MemoryIndex, readMemoryIndex } from '../../memory/log/memory-index.ts';
import {
  type BriefingSources,
  composeBriefing,
  lastWordsText,
  unsummarisedText,
} from '../../memory/restore/briefing.ts';
import { writtenHandOver } from '../../memory/restore/written-hand-over.ts';
import { readDigest } from '../../memory/state/digest.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import type { Message } from '../../messages/message.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { memoryMdPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';

const MAX_MEMORY_BYTES = 4 * 1024 * 1024;
/** Of a session's L1: weeks of work are more than a briefing can tell. */
export const WORK_BYTES = 1024 * 1024;

/** For another program, in which our errors are of another class. */
export function composeContinued(
  memory: ProjectMemory,
  from: string | undefined,
  maxChars: number,
): { pages: string[]; problem?: Message } {
  try {
    return { pages: continuedBriefing(memory, readMemoryIndex(memory), from, maxChars) };
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    return { pages: [], problem: error.reason };
  }
}

/** `from`: the session that is continued, if there is one. */
export function continuedBriefing(
  memory: ProjectMemory,
  index: MemoryIndex,
  from: string | undefined,
  maxChars: number,
): string[] {
  const file = from === undefined ? '' : (index.sessions[from]?.file ?? '');
  const work = file === '' ? undefined : readL1Tail(join(memory.sessions, file), WORK_BYTES);
  const written = from && writtenHandOver(memory, index, from);
  const unsummarised = work === undefined ? unsummarisedText(memory, index) : '';
  const pages = briefingPages(memory, { work, written, unsummarised }, maxChars);
  if (pages.length > 0) return pages;
  // Never empty when something was said (L1d): memory.md may be lost, or its summary still missing.
  return briefingPages(memory, { unsummarised: lastWordsText(memory, index) }, maxChars);
}

export function briefingPages(
  memory: ProjectMemory,
  sources: Pick<BriefingSources, 'work' | 'written' | 'unsummarised'>,
  maxChars: number,
): string[] {
  const file = readSmallFile(memoryMdPath(memory), MAX_MEMORY_BYTES);
  const all = {
    projectName: memory.name,
    ...sources,
    memory: file.state === 'ok' ? file.text : undefined,
    digest: readDigest(memory),
  };
  return composeBriefing(all, maxChars);
}
