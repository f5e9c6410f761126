/**
 * Makes a memory of a part of an earlier one, in a folder of ours: with the wanted sessions, and
 * the events of the journal that are about nothing else; the documents are made anew from both (T1).
 */
import { join } from 'node:path';
import { removeFile, removeFolder } from '../../platform/store/file-changes.ts';
import { conceptsPath, factsPath, memoryMdPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { appendToJournal, type JournalEvent, journalPath, readJournal } from '../log/journal.ts';
import { updateMemoryIndex } from '../log/memory-index.ts';
import { rebuild } from '../state/derive.ts';
import type { EarlierMemory, Wanted } from './earlier-memory.ts';
import type { SessionProof } from './session-proof.ts';
import { bringUpToDate } from './write-archive.ts';

/** Returns the names of the copied files, and how many edits its journal has. */
export function stageEarlier(
  earlier: EarlierMemory,
  into: ProjectMemory,
  wanted: Wanted,
  proof: SessionProof,
): { files: string[]; edits: number } {
  const files = earlier.copyTo(into, wanted, proof);
  // Records what people changed with an editor, while their files are there.
  if (wanted.edits) bringUpToDate(into);
  const { events } = readJournal(into, 0);
  const isEmpty = wanted.sessions.length === 0 && !wanted.edits;
  if (!isEmpty && !(wanted.edits && wanted.isAll)) keepEvents(into, wantedEvents(events, wanted));
  return { files, edits: events.filter(({ type }) => type === 'edit').length };
}

function wantedEvents(events: readonly JournalEvent[], wanted: Wanted): JournalEvent[] {
  const isAbout = aboutOnly(wanted);
  const answers = events.filter(({ type }) => type === 'delta' || type === 'facts');
  // The summary of what left memory.md names no session.
  const isAllAnswered = wanted.isAll && answers.every(isAbout);
  return events.filter((event) => {
    if (event.type === 'edit') return wanted.edits;
    return event.type === 'rotation' ? isAllAnswered : isAbout(event);
  });
}

/** Whether an event is about these sessions alone. */
function aboutOnly({ sessions }: Wanted): (event: JournalEvent) => boolean {
  const ids = new Set(sessions.map(({ id }) => id));
  const idOf = new Map(sessions.map(({ id, file }) => [file, id]));
  return (event) => {
    if (event.type === 'facts')
      return ids.has(event.session) && idOf.get(event.file) === event.session;
    if (event.type !== 'delta') return event.type === 'compress';
    const named = Object.keys(event.ends);
    return named.length > 0 && named.every((id) => ids.has(id));
  };
}

/** How far the sessions are summarised and searched follows from the events. */
function keepEvents(memory: ProjectMemory, events: readonly JournalEvent[]): void {
  for (const path of [memoryMdPath(memory), factsPath(memory), conceptsPath(memory)])
    removeFile(path);
  removeFile(journalPath(memory));
  removeFolder(join(memory.folder, '.history'));
  appendToJournal(memory, events.map(withoutUid));
  updateMemoryIndex(memory, (index) => {
    const sessions = Object.entries(index.sessions).map(([id, progress]) => {
      const { summarisedBytes: _, factsBytes: _f, coveredBytes: _c, ...rest } = progress;
      return [id, rest];
    });
    return { sessions: Object.fromEntries(sessions) };
  });
  if (events.length > 0) rebuild(memory);
}

/** 0.1.0 wrote none: one that is there could stand for an event of ours. */
function withoutUid(event: JournalEvent): JournalEvent {
  const {
    uid: _,
    machine: _m,
    clock: _c,
    ...rest
  } = event as JournalEvent & {
    [field in 'uid' | 'machine' | 'clock']?: unknown;
  };
  return rest as JournalEvent;
}
