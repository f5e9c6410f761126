/**
 * The delta (M6, M7, F2): the entries of all of the project's sessions that memory.md does not
 * reflect yet. It stands in `delta_temp.txt` until memory.md has its summary; only then the
 * watermark moves. If any step fails, the next delta has everything again.
 */
import { join } from 'node:path';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { removeFile } from '../../platform/store/file-changes.ts';
import { minuteStamp } from '../../platform/text/stamp.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { DELTA_FILE, type DeltaText, deltaText } from '../log/delta-text.ts';
import { isLocalCommand } from '../log/hand-over.ts';
import type { AnsweredBy } from '../log/journal.ts';
import type { L1Entry } from '../log/l1-refine.ts';
import { readL1Range } from '../log/l1-store.ts';
import { type MemoryIndex, readMemoryIndex, updateMemoryIndex } from '../log/memory-index.ts';
import { record } from '../state/derive.ts';
import type { DeltaReach } from './job-attempts.ts';

const FIRST_RUN_ENTRIES = 50;

export interface Delta extends DeltaText, DeltaReach {
  entries: L1Entry[];
}

/** Writes the delta to its file; undefined, with the counter reset, if there is none. */
export function extractDelta(memory: ProjectMemory): Delta | undefined {
  const delta = pendingDelta(memory, readMemoryIndex(memory));
  if (delta === undefined) {
    updateMemoryIndex(memory, withNothingDue);
    return undefined;
  }
  const { text, ends, upTo } = delta;
  writeFileAtomic(join(memory.folder, DELTA_FILE), `${text}\n`);
  updateMemoryIndex(memory, (index) => ({ ...index, delta: { ends, upTo } }));
  return delta;
}

/** Neither the counter nor an ended session may ask for a summary of nothing again. */
function withNothingDue(index: MemoryIndex): MemoryIndex {
  const ended = Object.entries(index.sessions).filter(
    ([, { isOver, l1Bytes, summarisedBytes = 0 }]) => isOver && l1Bytes > summarisedBytes,
  );
  if (!index.toolCount && ended.length === 0) return index;
  const passed = ended.map(([id, progress]) => [
    id,
    { ...progress, summarisedBytes: progress.l1Bytes },
  ]);
  return { ...index, toolCount: 0, sessions: { ...index.sessions, ...Object.fromEntries(passed) } };
}

/**
 * The delta as it is now; writes nothing. Undefined while nothing was done, unless a session has
 * ended before anybody did what it was asked for.
 */
export function pendingDelta(memory: ProjectMemory, index: MemoryIndex): Delta | undefined {
  const entries: L1Entry[] = [];
  const ends: Record<string, number> = {};
  let isRequestLeft = false;
  for (const [id, progress] of Object.entries(index.sessions)) {
    const { file, summarisedBytes = 0, l1Bytes, isOver } = progress;
    if (file === '' || l1Bytes <= summarisedBytes) continue;
    const own = readL1Range(memory, file, summarisedBytes, l1Bytes) ?? [];
    const hasRequest = own.some((entry) => entry.role === 'user' && !isLocalCommand(entry));
    isRequestLeft ||= isOver === true && hasRequest;
    entries.push(...own);
    ends[id] = l1Bytes;
  }
  if (!isRequestLeft && entries.every(({ role }) => role === 'user')) return undefined;
  entries.sort((a, b) => (a.ts < b.ts ? -1 : Number(a.ts > b.ts)));
  const isFirst = index.lastMemoryUpdateTs === undefined;
  const chosen = isFirst ? entries.slice(-FIRST_RUN_ENTRIES) : entries;
  return { ...deltaText(chosen), entries: chosen, ends, upTo: entries.at(-1)?.ts ?? '' };
}

/** The part of a delta that is in no summary yet; undefined if all of it is. */
export function deltaWithin(
  memory: ProjectMemory,
  index: MemoryIndex,
  { ends }: DeltaReach,
): Delta | undefined {
  const sessions = Object.entries(index.sessions).flatMap(([id, progress]) => {
    const end = ends[id];
    return end === undefined
      ? []
      : [[id, { ...progress, l1Bytes: Math.min(end, progress.l1Bytes) }]];
  });
  return pendingDelta(memory, { ...index, sessions: Object.fromEntries(sessions) });
}

/** Adds the summary to memory.md, moves the watermark and removes the delta's file. */
export function saveDelta(
  memory: ProjectMemory,
  { ends, upTo }: DeltaReach,
  summary: string,
  way: AnsweredBy,
  { isHandOver }: { isHandOver?: true } = {},
): void {
  const { sessions } = readMemoryIndex(memory);
  const files = Object.keys(ends).flatMap((session) =>
    sessions[session] ? [[session, sessions[session].file]] : [],
  );
  const now = new Date();
  record(memory, {
    type: 'delta',
    at: now.toISOString(),
    way,
    text: summary,
    ends,
    upTo,
    files: Object.fromEntries(files),
    stamp: minuteStamp(now),
    ...(isHandOver && { isHandOver }),
  });
}

/** Gives a delta up: its entries still count as not summarised. */
export function dropDelta(memory: ProjectMemory): void {
  removeFile(join(memory.folder, DELTA_FILE));
  updateMemoryIndex(memory, ({ delta: _, ...index }) => index);
}
