/**
 * Brings the documents up to date with the journal, event by event, and can rebuild them all (M2,
 * M21). A new event is applied in memory, then appended to the journal, and only then are the
 * documents written. So a kill at any moment loses nothing, and nothing is done twice.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { type HeldLock, withLock } from '../../platform/store/lock.ts';
import { removeFile } from '../../platform/store/prune.ts';
import { archivePath } from '../../projects/memory-paths.ts';
import {
  assertOwnMemory,
  type ProjectMemory,
  prepareProjectMemory,
} from '../../projects/project-memory.ts';
import { DELTA_FILE } from '../log/delta-text.ts';
import {
  appendToJournal,
  checkEvents,
  type EditEvent,
  type JournalEvent,
  journalBytes,
  journalPath,
  readJournal,
} from '../log/journal.ts';
import { type MemoryIndex, readMemoryIndex, updateMemoryIndex } from '../log/memory-index.ts';
import { isDoneAlready, moveWatermarks } from '../log/watermarks.ts';
import { applyEvents } from './apply-event.ts';
import { writeDigest } from './digest.ts';
import { areDocumentsKept, Documents } from './documents.ts';
import { type OutsideChanges, outsideChanges } from './outside-edits.ts';
import { finishWriting, isWritingUnfinished } from './write-together.ts';

/**
 * Thousands of facts take a while to make anew. A process that was killed is not waited for so
 * long.
 */
const EXPIRY_MS = 10 * 60 * 1000;

/**
 * Writes down what happened and brings the documents up to date with it. What has been done
 * meanwhile is not done again.
 */
export function record(memory: ProjectMemory, ...events: JournalEvent[]): void {
  checkEvents(events);
  inOrder(memory, (lock, isAnew) => bringUpToDate(memory, lock, events, { isAnew }));
}

/**
 * What a person's change comes to is seen from what stands there now: nobody can write between the
 * look and the change (M19).
 */
export type EditDecision = (
  documents: Documents,
  found: { outsideEdits: number },
) => readonly EditEvent[];

/** Gives back the documents as they are then. */
export function recordDecided(memory: ProjectMemory, decide: EditDecision): Documents {
  return inOrder(memory, (lock, isAnew) => bringUpToDate(memory, lock, decide, { isAnew }))
    .documents;
}

function inOrder<T>(memory: ProjectMemory, action: (lock: HeldLock, isAnew: boolean) => T): T {
  prepareProjectMemory(memory);
  assertOwnMemory(memory);
  const isAnew = () => journalBytes(memory) > 0 && !areDocumentsKept(memory);
  return withLock(journalPath(memory), (lock) => action(lock, isAnew()), { expiryMs: EXPIRY_MS });
}

/** For what a run that was killed has left; costs next to nothing if there is nothing. */
export function catchUp(memory: ProjectMemory): void {
  const isBehind = journalBytes(memory) !== (readMemoryIndex(memory).journal ?? 0);
  if (isBehind || isWritingUnfinished(memory)) record(memory);
}

export interface Rebuilt {
  events: number;
  facts: number;
  concepts: number;
}

/**
 * Makes every document anew from L1 and the journal. What stands there now can be had back from the
 * history.
 */
export function rebuild(memory: ProjectMemory): Rebuilt {
  prepareProjectMemory(memory);
  assertOwnMemory(memory);
  return withLock(
    journalPath(memory),
    (lock) => {
      const { documents, count } = bringUpToDate(memory, lock, [], { isAnew: true });
      const { decisions, patterns, issues, notes } = documents.facts;
      return {
        events: count,
        facts: decisions.length + patterns.length + issues.length + notes.length,
        concepts: documents.concepts.concepts.length,
      };
    },
    { expiryMs: EXPIRY_MS },
  );
}

/**
 * What cannot be applied is an error before it is in the journal, where it would be one for ever.
 */
function bringUpToDate(
  memory: ProjectMemory,
  lock: HeldLock,
  events: readonly JournalEvent[] | EditDecision,
  { isAnew }: { isAnew: boolean },
): { documents: Documents; count: number } {
  finishWriting(memory);
  const written = new Documents(memory);
  const unwritten = readJournal(memory, written.facts._meta.journal).events;
  const outside = outsideChanges(memory, unwritten);
  const documents = isAnew ? new Documents(memory, { isAnew }) : written;
  const known = isAnew ? readJournal(memory, 0).events : unwritten;
  const found = [...known, ...outside.edits];
  let decided: readonly JournalEvent[];
  let hasRotated: boolean;
  if (typeof events === 'function') {
    hasRotated = applyEvents(memory, documents, found).hasRotated;
    decided = events(documents, { outsideEdits: outside.edits.length });
    checkEvents(decided);
    applyEvents(memory, documents, decided);
  } else {
    const index = unwritten.reduce(moveWatermarks, readMemoryIndex(memory));
    decided = events.filter((event) => !isDoneAlready(index, event));
    hasRotated = applyEvents(memory, documents, [...found, ...decided]).hasRotated;
  }
  const added = [...outside.edits, ...decided];
  lock.assertHeld();
  documents.facts._meta.journal = appendToJournal(memory, added);
  write(memory, documents, outside, lock);
  moveIndex(memory, { hasRotated, isAnew });
  return { documents, count: known.length + added.length };
}

function write(
  memory: ProjectMemory,
  documents: Documents,
  outside: OutsideChanges,
  lock: HeldLock,
): void {
  archive(memory, documents);
  documents.write(outside, () => lock.assertHeld());
  writeDigest(memory, documents.facts, documents.concepts);
}

function archive(memory: ProjectMemory, documents: Documents): void {
  for (const { stamp, body } of documents.rotated.splice(0)) {
    const path = archivePath(memory, stamp);
    const kept = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const entry = `### ${stamp}\n\n${body}\n`;
    if (!kept.includes(entry)) writeFileAtomic(path, `${kept}${kept === '' ? '' : '\n'}${entry}`);
  }
}

/** Last of all: until then what was recorded counts as not done, and is found in the journal. */
function moveIndex(
  memory: ProjectMemory,
  { hasRotated, isAnew }: { hasRotated: boolean; isAnew: boolean },
): void {
  const known = isAnew ? 0 : (readMemoryIndex(memory).journal ?? 0);
  const { events } = readJournal(memory, known);
  updateMemoryIndex(memory, (index): MemoryIndex => {
    const moved = events.reduce(moveWatermarks, index);
    return { ...moved, journal: journalBytes(memory), ...(hasRotated && { rotated: true }) };
  });
  if (events.some(({ type }) => type === 'delta')) removeFile(join(memory.folder, DELTA_FILE));
}
