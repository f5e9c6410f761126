/**
 * The last entries that no summary covers yet (M13), for a session that begins before they are
 * summarised.
 */
import { join } from 'node:path';
import { shortened } from '../../platform/text/sentences.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { readL1Tail } from '../log/l1-store.ts';
import type { MemoryIndex } from '../log/memory-index.ts';

const MAX_ENTRIES = 6;
const MAX_ENTRY_CHARS = 400;
const TAIL_BYTES = 32 * 1024;

/** Of the session that spoke last, if it has anything that memory.md does not have. */
export function unsummarisedText(
  memory: ProjectMemory,
  { sessions, lastMemoryUpdateTs = '' }: MemoryIndex,
): string {
  const newest = Object.values(sessions)
    .filter(({ file, l1Bytes, summarisedBytes = 0 }) => file !== '' && l1Bytes > summarisedBytes)
    .sort((a, b) => (a.file < b.file ? -1 : 1))
    .at(-1);
  if (newest === undefined) return '';
  const entries = readL1Tail(join(memory.sessions, newest.file), TAIL_BYTES).filter(
    (entry) => entry.role !== 'tool' && entry.ts > lastMemoryUpdateTs,
  );
  return entries
    .slice(-MAX_ENTRIES)
    .map(
      (entry) => `${entry.role}: ${shortened('text' in entry ? entry.text : '', MAX_ENTRY_CHARS)}`,
    )
    .join('\n');
}
