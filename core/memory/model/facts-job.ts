/**
 * Decides when to look for facts and in which range of which session (M9, F8), and writes the
 * question.
 */
import { readDocument } from '../../platform/store/document.ts';
import { conceptsPath, factsPath, sessionFactsPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import {
  FACT_LISTS,
  factsFile,
  MAX_FACTS_PER_SESSION,
  type SessionFacts,
  sessionFactsFile,
} from '../l2-facts/facts-file.ts';
import { conceptsFile } from '../l3-concepts/concepts-file.ts';
import type { L1Entry } from '../log/l1-refine.ts';
import { readKeptL1 } from '../log/l1-store.ts';
import {
  changeProgress,
  type MemoryIndex,
  type SessionProgress,
  updateMemoryIndex,
} from '../log/memory-index.ts';
import { uncoveredEntries } from '../state/accept-facts.ts';
import { isFactsDue, isSecondLookDue } from './delta-due.ts';
import { FACTS_SYSTEM, factsPrompt } from './l2-ask.ts';
import { extractFacts } from './l2-extract.ts';

/** A stretch of one session's L1 file, in bytes. */
export interface FactsStretch {
  session: string;
  file: string;
  from: number;
  to: number;
  /** The second look, at what the first left uncovered. */
  cover: boolean;
}

export function factsDue(
  memory: ProjectMemory,
  index: MemoryIndex,
  saveInterval: number,
  isFree: (key: string) => boolean,
): FactsStretch | undefined {
  return firstStretch(index, isFree, (session, progress) => {
    if (!isFactsDue(progress, saveInterval)) return undefined;
    const { file, l1Bytes, factsBytes = 0 } = progress;
    const stretch = { session, file, from: factsBytes, to: l1Bytes, cover: false };
    return room(memory, stretch) > 0 && spoken(entriesOf(memory, stretch)).length > 0
      ? stretch
      : passOver(memory, stretch);
  });
}

/** After a look for facts, once: the entries that none of them came from. */
export function coverDue(
  memory: ProjectMemory,
  index: MemoryIndex,
  isFree: (key: string) => boolean,
): FactsStretch | undefined {
  return firstStretch(index, isFree, (session, progress) => {
    if (!isSecondLookDue(progress)) return undefined;
    const { file, factsBytes = 0, coveredBytes = 0 } = progress;
    const stretch = { session, file, from: coveredBytes, to: factsBytes, cover: true };
    return room(memory, stretch) > 0 && entriesOf(memory, stretch).length > 0
      ? stretch
      : passOver(memory, stretch);
  });
}

/** There is nothing to be found in it: it counts as looked at, so that nobody opens it again. */
function passOver(memory: ProjectMemory, { session, to, cover }: FactsStretch): undefined {
  updateMemoryIndex(memory, (index) => {
    const { factsBytes = 0, coveredBytes = 0 } = index.sessions[session] ?? {};
    const passed = cover
      ? { coveredBytes: Math.max(coveredBytes, to) }
      : { factsBytes: Math.max(factsBytes, to), toolsSinceFacts: 0 };
    return changeProgress(index, session, passed);
  });
}

export function factsJob(
  memory: ProjectMemory,
  stretch: FactsStretch,
): { system: string; prompt: string } {
  const facts = readDocument(factsPath(memory), factsFile);
  const concepts = readDocument(conceptsPath(memory), conceptsFile);
  const known =
    'value' in facts
      ? FACT_LISTS.flatMap((list) => facts.value[list]).filter(
          ({ supersededBy }) => supersededBy === undefined,
        )
      : [];
  const prompt = factsPrompt({
    entries: entriesOf(memory, stretch),
    room: room(memory, stretch),
    concepts: 'value' in concepts ? concepts.value.concepts : [],
    known,
    isSecondLook: stretch.cover,
  });
  return { system: FACTS_SYSTEM, prompt };
}

export function extractSessionFacts(memory: ProjectMemory, stretch: FactsStretch): string {
  return extractFacts(entriesOf(memory, stretch), room(memory, stretch));
}

function entriesOf(
  memory: ProjectMemory,
  { file, from, to, cover, session }: FactsStretch,
): L1Entry[] {
  const entries = readKeptL1(memory, file, from, to) ?? [];
  return cover ? uncoveredEntries(sessionFacts(memory, file, session), entries) : entries;
}

function room(memory: ProjectMemory, { file, session }: FactsStretch): number {
  return MAX_FACTS_PER_SESSION - sessionFacts(memory, file, session).facts.length;
}

function sessionFacts(memory: ProjectMemory, file: string, session: string): SessionFacts {
  const reading = readDocument(sessionFactsPath(memory, file), sessionFactsFile);
  return reading.state === 'ok' ? reading.value : { ...sessionFactsFile.empty(), session };
}

function spoken(entries: readonly L1Entry[]): L1Entry[] {
  return entries.filter(({ role }) => role !== 'tool');
}

function firstStretch(
  index: MemoryIndex,
  isFree: (key: string) => boolean,
  stretchOf: (session: string, progress: SessionProgress) => FactsStretch | undefined,
): FactsStretch | undefined {
  for (const [session, progress] of Object.entries(index.sessions)) {
    const stretch = isFree(`facts ${session}`) ? stretchOf(session, progress) : undefined;
    if (stretch !== undefined) return stretch;
  }
  return undefined;
}
