/** Updates the index by a journal event: how far L1 is summarised and searched (M7, F2). */
import { laterClock } from './clock.ts';
import type { JournalEvent } from './journal.ts';
import type { MemoryIndex, SessionProgress } from './memory-index.ts';

type DeltaEvent = Extract<JournalEvent, { type: 'delta' }>;

/** May run again with the same events: no mark ever goes back. */
export function moveWatermarks(index: MemoryIndex, event: JournalEvent): MemoryIndex {
  const clock = laterClock(index.clock, event.clock);
  return moveMarks(clock === index.clock ? index : { ...index, clock }, event);
}

function moveMarks(index: MemoryIndex, event: JournalEvent): MemoryIndex {
  if (event.type === 'compress') return { ...index, compressedAt: event.at };
  if (event.type === 'facts')
    return changeOf(index, event.session, event.file, ({ factsBytes = 0, coveredBytes = 0 }) =>
      event.cover
        ? { coveredBytes: Math.max(coveredBytes, event.to) }
        : { factsBytes: Math.max(factsBytes, event.to), toolsSinceFacts: 0 },
    );
  if (event.type === 'takeBack') return withoutSessions(index, event.files);
  if (event.type !== 'delta') return index;
  if (event.backfill !== undefined) return withDated(index, event);
  const { delta: _, ...rest } = index;
  const moved = Object.entries(event.ends).reduce(
    (changed, [session, end]) =>
      changeOf(changed, session, event.files?.[session], ({ summarisedBytes = 0 }) => ({
        summarisedBytes: Math.max(summarisedBytes, end),
      })),
    rest as MemoryIndex,
  );
  return { ...moved, lastMemoryUpdateTs: event.upTo, toolCount: 0 };
}

/** What was asked of a model about other sessions goes on as it is. */
function withDated(index: MemoryIndex, { ends, files, upTo, backfill }: DeltaEvent): MemoryIndex {
  const moved = Object.entries(ends).reduce(
    (changed, [session, end]) =>
      changeOf(changed, session, files?.[session], ({ summarisedBytes = 0, backfilled }) => ({
        summarisedBytes: Math.max(summarisedBytes, end),
        backfilled: {
          bytes: end,
          size: 0,
          ...backfilled,
          dated: Math.max(backfilled?.dated ?? 0, end),
          name: backfill?.name,
        },
      })),
    index,
  );
  const { lastMemoryUpdateTs = '' } = index;
  return upTo > lastMemoryUpdateTs ? { ...moved, lastMemoryUpdateTs: upTo } : moved;
}

/** A session that began another file since stays. */
function withoutSessions(index: MemoryIndex, files: Record<string, string>): MemoryIndex {
  const kept = Object.entries(index.sessions).filter(([id, { file }]) => files[id] !== file);
  return { ...index, sessions: Object.fromEntries(kept) };
}

/** Whether another answer about the same range came first. */
export function isDoneAlready({ sessions }: MemoryIndex, event: JournalEvent): boolean {
  if (event.type === 'facts') {
    const { file, factsBytes = 0, coveredBytes = 0 } = sessions[event.session] ?? {};
    return (
      file === event.file && event.to > 0 && event.to <= (event.cover ? coveredBytes : factsBytes)
    );
  }
  if (event.type !== 'delta') return false;
  if (event.backfill !== undefined) return isDated(sessions, event);
  const ends = Object.entries(event.ends);
  return (
    ends.length > 0 &&
    ends.every(([session, end]) => end <= (sessions[session]?.summarisedBytes ?? -1))
  );
}

function isDated(sessions: MemoryIndex['sessions'], { ends }: DeltaEvent): boolean {
  return Object.entries(ends).every(
    ([session, end]) => end <= (sessions[session]?.backfilled?.dated ?? -1),
  );
}

/** Restores a session missing from the index; skips one that continues in another L1 file. */
function changeOf(
  index: MemoryIndex,
  session: string,
  file: string | undefined,
  change: (progress: SessionProgress) => Partial<SessionProgress>,
): MemoryIndex {
  const missing = file && { file, offset: 0, inode: 0, l1Bytes: 0, pending: {} };
  const progress = index.sessions[session] ?? missing;
  if (!progress || (file !== undefined && progress.file !== file)) return index;
  const changed = { ...progress, ...change(progress) };
  return { ...index, sessions: { ...index.sessions, [session]: changed } };
}
