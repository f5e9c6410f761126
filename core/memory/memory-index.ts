/** `memory-index.json` (F2): how far each transcript has been read, and the counters that go on across sessions. */
import * as v from 'valibot';
import type { DocumentKind } from '../store/document.ts';

const PendingTool = v.looseObject({ id: v.string(), ts: v.string(), role: v.literal('tool'), name: v.string(), cmd: v.string() });

const SessionProgress = v.looseObject({
  /** The session's L1 file in the sessions folder. */
  file: v.string(),
  /** How far the transcript has been read, and of which file. */
  offset: v.number(),
  inode: v.number(),
  /** How long the L1 file was when that was written down: what stands behind it was appended by a run that was cut short. */
  l1Bytes: v.number(),
  pending: v.fallback(v.record(v.string(), PendingTool), {}),
});

const MemoryIndex = v.looseObject({
  sessions: v.fallback(v.record(v.string(), SessionProgress), {}),
  /** Prompts of all sessions so far, for the rules that go along with every n-th. */
  rulesInjectionCount: v.fallback(v.optional(v.number()), undefined),
  /** The session that each process had before its `/clear`: what the next one takes over from. */
  cleared: v.fallback(v.optional(v.record(v.string(), v.string())), undefined),
});

export type SessionProgress = v.InferOutput<typeof SessionProgress>;
export type MemoryIndex = v.InferOutput<typeof MemoryIndex>;

export const memoryIndexFile: DocumentKind<MemoryIndex> = { version: 1, schema: MemoryIndex, empty: () => ({ sessions: {} }) };
