/**
 * `hand-overs.json`: the hand-overs that models wrote last, whole (K3). memory.md has the main
 * points of each, so that one long text does not push everything else out of it; the session after
 * the clear is given the whole.
 */
import { join } from 'node:path';
import * as v from 'valibot';
import { parseJson } from '../../platform/store/attempt.ts';
import { type DocumentKind, updateDocument } from '../../platform/store/document.ts';
import { NO_LINKS, readSmallFile } from '../../platform/store/read-file.ts';
import { isRecord, numberAt, recordAt, stringAt } from '../../platform/text/json.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { readL1Range } from '../log/l1-store.ts';
import type { MemoryIndex } from '../log/memory-index.ts';

interface WrittenHandOver {
  text: string;
  /** Where it ends in the session's L1 file. */
  end: number;
}

/** As many sessions of a project as are cleared side by side. */
const MAX_SESSIONS = 8;
const MAX_BYTES = 1024 * 1024;
const VERSION = 1;

export function handOversPath(memory: ProjectMemory): string {
  return join(memory.folder, 'hand-overs.json');
}

function handOversFile(): DocumentKind<{ sessions: Record<string, WrittenHandOver> }> {
  const HandOver = v.looseObject({ text: v.string(), end: v.number() });
  return {
    version: VERSION,
    schema: v.looseObject({ sessions: v.fallback(v.record(v.string(), HandOver), {}) }),
    empty: () => ({ sessions: {} }),
    maxBytes: MAX_BYTES,
    isDerived: true,
  };
}

export function keepWritten(
  memory: ProjectMemory,
  sessionId: string,
  written: WrittenHandOver,
): void {
  updateDocument(handOversPath(memory), handOversFile(), (file) => {
    const { [sessionId]: _, ...others } = file.sessions;
    const newest = Object.entries(others).slice(1 - MAX_SESSIONS);
    return { ...file, sessions: { ...Object.fromEntries(newest), [sessionId]: written } };
  });
}

/**
 * Undefined if there is none, or the session has worked on since. Read without the schema: a
 * session's start waits for it.
 */
export function writtenHandOver(
  memory: ProjectMemory,
  index: MemoryIndex,
  sessionId: string,
): string | undefined {
  const file = readSmallFile(handOversPath(memory), MAX_BYTES, NO_LINKS);
  const json = file.state === 'ok' ? parseJson(file.text) : undefined;
  if (!isRecord(json) || json.version !== VERSION) return undefined;
  const written = recordAt(recordAt(json, 'sessions') ?? {}, sessionId) ?? {};
  const end = numberAt(written, 'end');
  const { file: l1File, l1Bytes } = index.sessions[sessionId] ?? { file: '', l1Bytes: 0 };
  if (end === undefined || l1File === '') return undefined;
  const since = end < l1Bytes ? (readL1Range(memory, l1File, end, l1Bytes) ?? []) : [];
  return since.every(({ role }) => role === 'user') ? stringAt(written, 'text') : undefined;
}
