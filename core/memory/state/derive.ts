/**
 * Brings the documents up to date with the journal, and can rebuild them all (M2, M21). Applies a
 * new event in memory, then appends it to the journal, and only then writes the documents: a kill
 * at any moment loses nothing, and nothing is done twice.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { removeFile } from '../../platform/store/file-changes.ts';
import { type HeldLock, withLock } from '../../platform/store/lock.ts';
import { grouped } from '../../platform/text/grouped.ts';
import { rotatedEntriesPath } from '../../projects/memory-paths.ts';
import { type ProjectMemory, prepareProjectMemory } from '../../projects/project-memory.ts';
import { FACT_LISTS } from '../l2-facts/facts-file.ts';
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
import { EventStamps } from '../log/stamp-events.ts';
import { isDoneAlready, moveWatermarks } from '../log/watermarks.ts';
import { applyEvents } from './apply-event.ts';
import { writeDigest } from './digest.ts';
import { areDocumentsKept, Documents } from './documents.ts';
import { giveMissingUids } from './give-uids.ts';
import { outsideChanges } from './outside-edits.ts';
import { finishWriting, isWritingUnfinished } from './write-together.ts';

/** Long, because thousands of facts take a while to rebuild; a killed owner is noticed sooner. */
const EXPIRY_MS = 10 * 60 * 1000;

/** Appends events to the journal and updates the documents; skips what is done already. */
export function record(memory: ProjectMemory, ...events: JournalEvent[]): void {
  checkEvents(events);
  update(memory, events);
}

/** Decides on edits from the documents as they are; nobody can write in between (M19). */
export type EditDecision = (
  documents: Documents,
  found: { outsideEdits: number },
) => readonly EditEvent[];

/** Returns the documents after the edits. */
export function recordDecided(memory: ProjectMemory, decide: EditDecision): Documents {
  return update(memory, decide).documents;
}

/** Finishes what a killed run left behind; costs next to nothing if there is nothing. */
export function catchUp(memory: ProjectMemory): void {
  const isBehind = journalBytes(memory) !== (readMemoryIndex(memory).journal ?? 0);
  if (isBehind || isWritingUnfinished(memory)) record(memory);
}

export interface Rebuilt {
  events: number;
  facts: number;
  concepts: number;
}

/** Rebuilds every document from L1 and the journal. The history keeps the current ones. */
export function rebuild(memory: ProjectMemory): Rebuilt {
  const { documents, count } = update(memory, [], { isRebuild: true });
  return {
    events: count,
    facts: FACT_LISTS.flatMap((list) => documents.facts[list]).length,
    concepts: documents.concepts.concepts.length,
  };
}

/** Rebuilds documents that were lost, too. */
function update(
  memory: ProjectMemory,
  events: readonly JournalEvent[] | EditDecision,
  { isRebuild = false } = {},
): { documents: Documents; count: number } {
  prepareProjectMemory(memory);
  return withLock(
    journalPath(memory),
    (lock) => {
      const isLost = journalBytes(memory) > 0 && !areDocumentsKept(memory);
      return updateLocked(memory, lock, events, isRebuild || isLost);
    },
    { expiryMs: EXPIRY_MS },
  );
}

/** Throws if an event cannot be applied, before it is in the journal for ever. */
function updateLocked(
  memory: ProjectMemory,
  lock: HeldLock,
  events: readonly JournalEvent[] | EditDecision,
  isRebuild: boolean,
): { documents: Documents; count: number } {
  finishWriting(memory);
  const written = new Documents(memory);
  const unwritten = readJournal(memory, written.facts._meta.journal).events;
  const stamps = new EventStamps(memory);
  const changes = outsideChanges(memory, unwritten);
  const outside = { ...changes, edits: stamps.stamp(changes.edits) };
  const documents = isRebuild ? new Documents(memory, { isRebuild }) : written;
  if (!isRebuild) giveMissingUids(memory, documents, outside.edits);
  const journal = isRebuild ? readJournal(memory, 0).events : unwritten;
  const found = [...journal, ...outside.edits];
  let decided: readonly JournalEvent[];
  let hasRotated: boolean;
  if (typeof events === 'function') {
    hasRotated = applyEvents(memory, documents, found).hasRotated;
    decided = stamps.stamp(events(documents, { outsideEdits: outside.edits.length }));
    checkEvents(decided);
    applyEvents(memory, documents, decided);
  } else {
    const index = unwritten.reduce(moveWatermarks, readMemoryIndex(memory));
    decided = stamps.stamp(events.filter((event) => !isDoneAlready(index, event)));
    hasRotated = applyEvents(memory, documents, [...found, ...decided]).hasRotated;
  }
  const added = [...outside.edits, ...decided];
  lock.assertHeld();
  documents.facts._meta.journal = appendToJournal(memory, added);
  saveRotatedEntries(memory, documents);
  documents.write(outside, () => lock.assertHeld());
  writeDigest(memory, documents.facts, documents.concepts);
  updateIndex(memory, { hasRotated, isRebuild });
  return { documents, count: journal.length + added.length };
}

function saveRotatedEntries(memory: ProjectMemory, documents: Documents): void {
  // An import may bring hundreds: each file is written once for all of them.
  const files = grouped(documents.rotated.splice(0), ({ stamp }) =>
    rotatedEntriesPath(memory, stamp),
  );
  for (const [path, entries] of files) {
    const saved = existsSync(path) ? readFileSync(path, 'utf8') : '';
    let text = saved;
    for (const { stamp, body } of entries) {
      const entry = `### ${stamp}\n\n${body}\n`;
      if (!text.includes(entry)) text += `${text && '\n'}${entry}`;
    }
    if (text !== saved) writeFileAtomic(path, text);
  }
}

/** Last of all: a run killed before this is found by the journal's length, and done again. */
function updateIndex(
  memory: ProjectMemory,
  { hasRotated, isRebuild }: { hasRotated: boolean; isRebuild: boolean },
): void {
  const from = isRebuild ? 0 : (readMemoryIndex(memory).journal ?? 0);
  const { events } = readJournal(memory, from);
  updateMemoryIndex(memory, (index): MemoryIndex => {
    const moved = events.reduce(moveWatermarks, index);
    return { ...moved, journal: journalBytes(memory), ...(hasRotated && { rotated: true }) };
  });
  const isAnswered = events.some((event) => event.type === 'delta' && event.backfill === undefined);
  if (isAnswered) removeFile(join(memory.folder, DELTA_FILE));
}
