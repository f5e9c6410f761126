/**
 * `memory-index.json` (F2): how far each transcript has been read, how far what was said has been
 * summarised and searched for facts, and the counters that go on across sessions.
 */
import * as v from 'valibot';
import { parseJson } from '../../platform/store/attempt.ts';
import {
  type DocumentKind,
  MAX_DOCUMENT_BYTES,
  readDocument,
  updateDocument,
} from '../../platform/store/document.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import {
  isRecord,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
} from '../../platform/text/json.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';

const FILE_NAME = /^[^/\\]*$/;

/** Made when the index is read or written: most hooks of a session with a mod do neither. */
function schemas() {
  const PendingTool = v.looseObject({
    id: v.string(),
    ts: v.string(),
    role: v.literal('tool'),
    name: v.string(),
    cmd: v.string(),
  });

  const count = v.fallback(v.optional(v.number()), undefined);

  const SessionProgress = v.looseObject({
    /** The session's L1 file in the sessions folder: a plain file name, no path. */
    file: v.pipe(v.string(), v.regex(FILE_NAME)),
    /** Claude Code's own file. */
    transcript: v.fallback(v.optional(v.string()), undefined),
    /** How far the transcript has been read, and of which file. */
    offset: v.number(),
    inode: v.number(),
    /**
     * How long the L1 file was when that was written down: what stands behind it was appended by a
     * run that was cut short.
     */
    l1Bytes: v.number(),
    pending: v.fallback(v.record(v.string(), PendingTool), {}),
    /** The session has ended; it may be resumed. */
    isOver: v.fallback(v.optional(v.boolean()), undefined),
    /** How much of the L1 file stands in memory.md as a summary. */
    summarisedBytes: count,
    /** How much of the L1 file has been searched for facts. */
    factsBytes: count,
    /** The same once more, for what the first facts left uncovered. */
    coveredBytes: count,
    /** Tool uses since facts were last looked for. */
    toolsSinceFacts: count,
  });

  const Attempt = v.looseObject({
    /** How often it was asked for so far. */
    tries: v.number(),
    /** Until then somebody is at it. */
    busyUntil: v.fallback(v.optional(v.number()), undefined),
    /** What exactly was asked about. */
    subject: v.unknown(),
    /** How many tokens the question has, about. */
    tokens: count,
    /**
     * Asked through a session's agent. Its answer does not say which question it is for, so it is
     * matched against the open ones.
     */
    isOfAgent: v.fallback(v.optional(v.boolean()), undefined),
    /** The Claude Code whose mod asks: once it has ended, no answer comes. */
    claudePid: count,
  });

  /** One that cannot be understood costs nobody the others: its transcript is read anew. */
  const understood = (
    sessions: Record<string, unknown>,
  ): Record<string, v.InferOutput<typeof SessionProgress>> =>
    Object.fromEntries(
      Object.entries(sessions).flatMap(([id, known]) => {
        const parsed = v.safeParse(SessionProgress, known);
        return parsed.success ? [[id, parsed.output]] : [];
      }),
    );

  const MemoryIndex = v.looseObject({
    sessions: v.fallback(v.pipe(v.record(v.string(), v.unknown()), v.transform(understood)), {}),
    /** Prompts of all sessions so far, for the rules that go along with every n-th. */
    rulesInjectionCount: count,
    /** The session that each process had before its `/clear`: what the next one takes over from. */
    cleared: v.fallback(v.optional(v.record(v.string(), v.string())), undefined),
    /** Time of the newest entry that stands in memory.md as a summary. */
    lastMemoryUpdateTs: v.fallback(v.optional(v.string()), undefined),
    /** Tool uses since then. */
    toolCount: count,
    /** The delta that lies in delta_temp.txt: up to where it reaches in each session's L1. */
    delta: v.fallback(
      v.optional(v.looseObject({ ends: v.record(v.string(), v.number()), upTo: v.string() })),
      undefined,
    ),
    /** Work for a model, by what it is: tried, and perhaps being done. */
    attempts: v.fallback(v.optional(v.record(v.string(), Attempt)), undefined),
    /** When memory was last tidied up (tiers, permanent facts). */
    compressedAt: v.fallback(v.optional(v.string()), undefined),
    /** How much of the journal these marks are made from. */
    journal: count,
    /** Entries have left memory.md since a model last told of them. */
    rotated: v.fallback(v.optional(v.boolean()), undefined),
    /** Which layers a session has been asked for (M15). */
    askedFor: v.fallback(v.optional(v.record(v.string(), v.array(v.string()))), undefined),
  });
  return { Attempt, SessionProgress, MemoryIndex };
}

type Schemas = ReturnType<typeof schemas>;
let made: Schemas | undefined;

export type SessionProgress = v.InferOutput<Schemas['SessionProgress']>;
export type Attempt = v.InferOutput<Schemas['Attempt']>;
export type MemoryIndex = v.InferOutput<Schemas['MemoryIndex']>;

export const memoryIndexFile: DocumentKind<MemoryIndex> = {
  version: 1,
  get schema() {
    made ??= schemas();
    return made.MemoryIndex;
  },
  empty: () => ({ sessions: {} }),
};

/** As it is now; empty if nothing has been kept yet or it cannot be read. */
export function readMemoryIndex(memory: ProjectMemory): MemoryIndex {
  const reading = readDocument(memory.index, memoryIndexFile);
  return reading.state === 'ok' ? reading.value : memoryIndexFile.empty();
}

export type SavedProgress = Pick<
  SessionProgress,
  'file' | 'offset' | 'inode' | 'l1Bytes' | 'isOver'
>;

/** How far one transcript has been read. */
export function savedProgress(memory: ProjectMemory, sessionId: string): SavedProgress | undefined {
  const known = recordAt(recordAt(readBare(memory), 'sessions') ?? {}, sessionId);
  if (known === undefined) return undefined;
  const name = stringAt(known, 'file');
  const offset = numberAt(known, 'offset');
  const inode = numberAt(known, 'inode');
  const l1Bytes = numberAt(known, 'l1Bytes');
  if (name === undefined || offset === undefined || inode === undefined || l1Bytes === undefined)
    return undefined;
  return FILE_NAME.test(name)
    ? { file: name, offset, inode, l1Bytes, isOver: known.isOver === true }
    : undefined;
}

export interface WorkMarks {
  toolCount?: number | undefined;
  sessions: Record<
    string,
    Pick<SessionProgress, 'file' | 'l1Bytes' | 'isOver' | (typeof COUNTS)[number]>
  >;
  attempts?: Record<string, Pick<Attempt, 'busyUntil' | 'claudePid'>> | undefined;
}

const COUNTS = ['summarisedBytes', 'factsBytes', 'coveredBytes', 'toolsSinceFacts'] as const;

/** What tells whether there is work for a model. */
export function readWorkMarks(memory: ProjectMemory): WorkMarks {
  const index = readBare(memory);
  const sessions = recordsAt(index, 'sessions').map(([id, known]) => {
    const counts = COUNTS.map((name) => [name, numberAt(known, name)]);
    const file = stringAt(known, 'file') ?? '';
    return [
      id,
      {
        ...Object.fromEntries(counts),
        file,
        l1Bytes: numberAt(known, 'l1Bytes') ?? 0,
        isOver: known.isOver === true,
      },
    ];
  });
  const attempts = recordsAt(index, 'attempts').map(([key, known]) => {
    return [
      key,
      { busyUntil: numberAt(known, 'busyUntil'), claudePid: numberAt(known, 'claudePid') },
    ];
  });
  return {
    toolCount: numberAt(index, 'toolCount'),
    sessions: Object.fromEntries(sessions),
    attempts: Object.fromEntries(attempts),
  };
}

const recordsAt = (json: JsonRecord, field: string) =>
  Object.entries(recordAt(json, field) ?? {}).filter((entry): entry is [string, JsonRecord] =>
    isRecord(entry[1]),
  );

/**
 * Without the schema, which takes a hook longer to make than the file takes to read: after most
 * events there is nothing else to know.
 */
function readBare({ index }: ProjectMemory): JsonRecord {
  const file = readSmallFile(index, MAX_DOCUMENT_BYTES);
  const json = file.state === 'ok' ? parseJson(file.text) : undefined;
  return isRecord(json) && json.version === memoryIndexFile.version ? json : {};
}

export function updateMemoryIndex(
  memory: ProjectMemory,
  change: (index: MemoryIndex) => MemoryIndex,
): MemoryIndex {
  return updateDocument(memory.index, memoryIndexFile, change).value;
}

/**
 * What is known of one session changes, the others stay; a session that nothing is known of stays
 * unknown.
 */
export function changeProgress(
  index: MemoryIndex,
  sessionId: string,
  change: Partial<SessionProgress>,
): MemoryIndex {
  const known = index.sessions[sessionId];
  return known === undefined
    ? index
    : { ...index, sessions: { ...index.sessions, [sessionId]: { ...known, ...change } } };
}
