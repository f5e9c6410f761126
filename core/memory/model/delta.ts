/**
 * The delta (M6, M7, F2): what was said in all of the project's sessions since memory.md was last
 * updated. It is in `delta_temp.txt` until memory.md has its summary; only then the watermark moves
 * and the file is deleted. If any step fails nothing moves, and the next delta holds all that has
 * accumulated.
 */
import { join } from 'node:path';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { removeFile } from '../../platform/store/prune.ts';
import { minuteStamp } from '../../platform/text/stamp.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { DELTA_FILE, type DeltaText, deltaText } from '../log/delta-text.ts';
import { isLocalCommand } from '../log/hand-over.ts';
import type { Way } from '../log/journal.ts';
import type { L1Entry } from '../log/l1-refine.ts';
import { readKeptL1 } from '../log/l1-store.ts';
import { type MemoryIndex, readMemoryIndex, updateMemoryIndex } from '../log/memory-index.ts';
import { record } from '../state/derive.ts';

const FIRST_RUN_ENTRIES = 50;

/** How far a delta reaches. */
export interface DeltaReach {
  /** How much of each session's L1 file it takes in. */
  ends: Record<string, number>;
  /** Time of its newest entry. */
  upTo: string;
}

export interface Delta extends DeltaText, DeltaReach {
  entries: L1Entry[];
}

/**
 * Writes down what is not summarised yet; undefined, and the counter begins anew, if that is
 * nothing.
 */
export function extractDelta(memory: ProjectMemory): Delta | undefined {
  const delta = pendingDelta(memory, readMemoryIndex(memory));
  if (delta === undefined) {
    updateMemoryIndex(memory, withoutWork);
    return undefined;
  }
  writeFileAtomic(join(memory.folder, DELTA_FILE), `${delta.text}\n`);
  updateMemoryIndex(memory, (index) => ({
    ...index,
    delta: { ends: delta.ends, upTo: delta.upTo },
  }));
  return delta;
}

/**
 * There is nothing to sum up: neither the counter nor a session that has ended may say so again.
 */
function withoutWork(index: MemoryIndex): MemoryIndex {
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
 * The delta as it stands, without a trace on disk. Undefined while nothing was done, unless a
 * request was left when its session ended.
 */
export function pendingDelta(memory: ProjectMemory, index: MemoryIndex): Delta | undefined {
  const { entries, ends, isRequestLeft } = unsummarised(memory, index);
  if (!isRequestLeft && !entries.some(({ role }) => role !== 'user')) return undefined;
  const isFirst = index.lastMemoryUpdateTs === undefined;
  const chosen = isFirst ? entries.slice(-FIRST_RUN_ENTRIES) : entries;
  return { ...deltaText(chosen), entries: chosen, ends, upTo: entries.at(-1)?.ts ?? '' };
}

/** Of a delta that was asked about, what stands in no summary yet; undefined if all of it does. */
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

/** The summary goes into memory.md, the watermark moves, the file goes. */
export function saveDelta(
  memory: ProjectMemory,
  reach: DeltaReach,
  summary: string,
  way: Way,
): void {
  const { sessions } = readMemoryIndex(memory);
  const files = Object.keys(reach.ends).flatMap((session) =>
    sessions[session] ? [[session, sessions[session].file]] : [],
  );
  const now = new Date();
  record(memory, {
    type: 'delta',
    at: now.toISOString(),
    way,
    text: summary,
    ends: reach.ends,
    upTo: reach.upTo,
    files: Object.fromEntries(files),
    stamp: minuteStamp(now),
  });
}

/** Gives a delta up without a summary: what it holds counts as not summarised. */
export function dropDelta(memory: ProjectMemory): void {
  removeFile(join(memory.folder, DELTA_FILE));
  updateMemoryIndex(memory, ({ delta: _, ...index }) => index);
}

interface Unsummarised {
  entries: L1Entry[];
  ends: Record<string, number>;
  /** A session has ended before anybody did what it was asked for. */
  isRequestLeft: boolean;
}

function unsummarised(memory: ProjectMemory, index: MemoryIndex): Unsummarised {
  const entries: L1Entry[] = [];
  const ends: Record<string, number> = {};
  let isRequestLeft = false;
  for (const [sessionId, { file, summarisedBytes = 0, l1Bytes, isOver }] of Object.entries(
    index.sessions,
  )) {
    if (file === '' || l1Bytes <= summarisedBytes) continue;
    const own = readKeptL1(memory, file, summarisedBytes, l1Bytes) ?? [];
    isRequestLeft ||=
      isOver === true && own.some((entry) => entry.role === 'user' && !isLocalCommand(entry));
    entries.push(...own);
    ends[sessionId] = l1Bytes;
  }
  return {
    entries: entries.sort((a, b) => (a.ts < b.ts ? -1 : Number(a.ts > b.ts))),
    ends,
    isRequestLeft,
  };
}
