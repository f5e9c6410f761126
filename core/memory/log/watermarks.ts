/**
 * Moves the index on by a journal event: how far each session's L1 is summarised and searched for
 * facts (M7, F2).
 */

import type { JournalEvent } from './journal.ts';
import type { MemoryIndex, SessionProgress } from './memory-index.ts';

/** May be done again with the same events: no mark ever goes back. */
export function moveWatermarks(index: MemoryIndex, event: JournalEvent): MemoryIndex {
  if (event.type === 'compress') return { ...index, compressedAt: event.at };
  if (event.type === 'facts')
    return changeOf(index, event.session, event.file, ({ factsBytes = 0, coveredBytes = 0 }) =>
      event.cover
        ? { coveredBytes: Math.max(coveredBytes, event.to) }
        : { factsBytes: Math.max(factsBytes, event.to), toolsSinceFacts: 0 },
    );
  if (event.type !== 'delta') return index;
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

/** Another answer about the same words came first. */
export function isDoneAlready({ sessions }: MemoryIndex, event: JournalEvent): boolean {
  if (event.type === 'facts') {
    const { file, factsBytes = 0, coveredBytes = 0 } = sessions[event.session] ?? {};
    return (
      file === event.file && event.to > 0 && event.to <= (event.cover ? coveredBytes : factsBytes)
    );
  }
  if (event.type !== 'delta') return false;
  const ends = Object.entries(event.ends);
  return (
    ends.length > 0 &&
    ends.every(([session, end]) => end <= (sessions[session]?.summarisedBytes ?? -1))
  );
}

/**
 * A session that goes on in another L1 file begins anew. One that the index has lost is known again
 * by its file.
 */
function changeOf(
  index: MemoryIndex,
  session: string,
  file: string | undefined,
  change: (known: SessionProgress) => Partial<SessionProgress>,
): MemoryIndex {
  const known = index.sessions[session] ?? (file === undefined ? undefined : lostSession(file));
  if (known === undefined || (file !== undefined && known.file !== file)) return index;
  return { ...index, sessions: { ...index.sessions, [session]: { ...known, ...change(known) } } };
}

function lostSession(file: string): SessionProgress {
  return { file, offset: 0, inode: 0, l1Bytes: 0, pending: {} };
}
