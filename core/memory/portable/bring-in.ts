/**
 * Brings a memory from a folder of ours into a project's memory, without losing a word of either
 * (M20, M21). Where ours is a part of the other, the other takes its place as it is; else the two
 * are merged. All of it is prepared beside the memory and takes effect at once.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { removeFile, removeFolder } from '../../platform/store/file-changes.ts';
import { markContentAsWritten } from '../../platform/store/history.ts';
import type { HeldLock } from '../../platform/store/lock.ts';
import type { Places } from '../../platform/store/places.ts';
import { linkFile, linkFolder, makeStaging, swapIn } from '../../platform/store/staging.ts';
import { conceptsPath, factsPath, memoryMdPath } from '../../projects/memory-paths.ts';
import { type ProjectMemory, prepareProjectMemory } from '../../projects/project-memory.ts';
import { DELTA_FILE } from '../log/delta-text.ts';
import { type JournalEvent, readJournal, uidOf } from '../log/journal.ts';
import { readMemoryIndex, type SessionProgress, updateMemoryIndex } from '../log/memory-index.ts';
import { removeSearchIndex } from '../search/memory-search.ts';
import { record } from '../state/derive.ts';
import {
  holdWriters,
  listMemoryFiles,
  liveFolders,
  stagedMemory,
  stateOf,
  takeSnapshot,
  whileNobodyWrites,
} from './contents.ts';
import { l1Content, l1Names } from './merge-l1.ts';
import { mergeMemory } from './merge-memory.ts';
import { bringUpToDate } from './write-archive.ts';

/** Sessions save every few seconds; preparing usually takes less. The last try makes them wait. */
const TRIES = 4;

/** Both memories must be up to date. False if there was nothing new in it. */
export function bringIn(places: Places, memory: ProjectMemory, incoming: ProjectMemory): boolean {
  bringUpToDate(incoming);
  for (let tries = 1; tries <= TRIES; tries++) {
    prepareProjectMemory(memory);
    bringUpToDate(memory);
    if (isPartOf(incoming, memory)) return false;
    if (!swapInPrepared(memory, incoming, tries === TRIES)) continue;
    removeSearchIndex(places, memory);
    return true;
  }
  throw new ExpectedError(message('archive.busy', { file: memory.name }));
}

/** False if somebody has written to the memory meanwhile. */
function swapInPrepared(memory: ProjectMemory, incoming: ProjectMemory, isLast: boolean): boolean {
  const staging = makeStaging(memory.folder);
  const held = isLast ? holdWriters(memory) : undefined;
  const undisturbed = <T>(action: (lock: HeldLock) => T) =>
    held === undefined ? whileNobodyWrites(memory, action) : action(held);
  try {
    const { state } = undisturbed(() => takeSnapshot(memory, join(staging, 'new')));
    const coming = stagedMemory(join(staging, 'new'), memory);
    linkFolder(join(memory.folder, '.history'), join(coming.folder, '.history'));
    if (isPartOf(coming, incoming)) takeWhole(coming, incoming);
    else mergeMemory(coming, incoming);
    return undisturbed((lock) => {
      if (stateOf(memory) !== state) return false;
      lock.assertHeld(); // a large memory may have taken longer than the lock lasts
      swapIn(staging, liveFolders(memory), [DELTA_FILE]); // an agent may be reading it
      return true;
    });
  } finally {
    held?.release();
    removeFolder(staging);
  }
}

/** Whether one memory has all that was said in another, and all events but the daily upkeep. */
function isPartOf(part: ProjectMemory, whole: ProjectMemory): boolean {
  const known = new Set(eventsIn(whole).map(uidOf));
  const isKnown = (event: JournalEvent) => event.type === 'compress' || known.has(uidOf(event));
  return (
    eventsIn(part).every(isKnown) &&
    [...l1Names(part)].every((file) => {
      const [own, other] = [l1Content(part, file), l1Content(whole, file)];
      return own !== undefined && other?.subarray(0, own.length).equals(own) === true;
    })
  );
}

/** The other memory as it is, with what only ours has: settings, rules, pages, daily upkeep. */
function takeWhole(coming: ProjectMemory, incoming: ProjectMemory): void {
  prepareProjectMemory(coming);
  const before = readMemoryIndex(coming);
  const known = new Set(eventsIn(incoming).map(uidOf));
  const upkeep = eventsIn(coming).filter((event) => !known.has(uidOf(event)));
  for (const { name, path } of listMemoryFiles(incoming).files) {
    const own = join(coming.base, name);
    removeFile(own);
    linkFile(path, own);
  }
  // Our copies are of the documents before: compared with those, these would be a person's edits.
  for (const path of [memoryMdPath(coming), factsPath(coming), conceptsPath(coming)])
    if (existsSync(path)) markContentAsWritten(path, readFileSync(path, 'utf8'));
  updateMemoryIndex(coming, (index) => {
    const { cleared, askedFor, rulesInjectionCount = index.rulesInjectionCount } = before;
    const sessions = Object.entries(before.sessions).map(([id, own]) => {
      const theirs = index.sessions[id];
      return [id, theirs === undefined ? own : furtherProgress(own, theirs)] as const;
    });
    return {
      ...index,
      ...{ cleared, askedFor, rulesInjectionCount },
      sessions: { ...index.sessions, ...Object.fromEntries(sessions) },
    };
  });
  if (upkeep.length > 0) record(coming, ...upkeep);
  else bringUpToDate(coming);
}

/** Of one session: only the memory that has read on knows how far the transcript is read. */
function furtherProgress(own: SessionProgress, theirs: SessionProgress): SessionProgress {
  if (own.file === '' || own.l1Bytes < theirs.l1Bytes) return theirs;
  const { offset, inode, pending, isOver, transcript = theirs.transcript } = own;
  return {
    ...theirs,
    ...{ offset, inode, pending, isOver },
    ...(transcript !== undefined && { transcript }),
  };
}

function eventsIn(memory: ProjectMemory): JournalEvent[] {
  return readJournal(memory, 0).events;
}
