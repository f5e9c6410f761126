/**
 * `memory-index.json` (F2): how far each transcript is saved, how far L1 is summarised and searched
 * for facts, and the counters that span sessions.
 */
import * as v from 'valibot';
import { parseJson } from '../../platform/store/attempt.ts';
import { type DocumentKind, readDocument, updateDocument } from '../../platform/store/document.ts';
import { NO_LINKS, readSmallFile } from '../../platform/store/read-file.ts';
import {
  isRecord,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
} from '../../platform/text/json.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';

const FILE_NAME = /^[^/\\]*$/;
/** Tens of thousands of sessions. A larger index is not one of ours, and every hook would wait for it. */
const MAX_INDEX_BYTES = 16 * 1024 * 1024;

/** Built on first use: most hooks of a session with a mod never need them. */
function schemas() {
  const PendingTool = v.looseObject({
    id: v.string(),
    ts: v.string(),
    role: v.literal('tool'),
    name: v.string(),
    cmd: v.string(),
    detail: v.exactOptional(v.string()),
    change: v.exactOptional(v.string()),
    isPlan: v.exactOptional(v.literal(true)),
  });

  const QueuedPrompt = v.object({
    id: v.string(),
    ts: v.string(),
    text: v.string(),
    leftAt: optional(v.string()),
    isGiven: optional(v.literal(true)),
  });

  const count = optional(v.number());

  const SessionProgress = v.looseObject({
    /** The session's L1 file: a plain file name, no path. */
    file: v.pipe(v.string(), v.regex(FILE_NAME)),
    transcript: optional(v.string()),
    /** The folder that the session began in. */
    cwd: optional(v.string()),
    /** How far the transcript is read, and the inode of that transcript. */
    offset: v.number(),
    inode: v.number(),
    /** Length of the L1 file then; an interrupted run may have appended more. */
    l1Bytes: v.number(),
    pending: v.fallback(v.record(v.string(), PendingTool), {}),
    /** Prompts that were typed while Claude was at work and are not in L1 yet. */
    queue: optional(v.object({ prompts: v.array(QueuedPrompt), expected: v.number() })),
    /** Ids and times of the last rows. */
    lastRows: optional(v.array(v.string())),
    /** Of a compaction behind which what was kept may still follow. */
    compactedOn: optional(v.string()),
    /** The session has ended; it may be resumed. */
    isOver: optional(v.boolean()),
    /** How much of the L1 file is summarised in memory.md. */
    summarisedBytes: count,
    /** How much of the L1 file has been searched for facts. */
    factsBytes: count,
    /** How much has been searched again for what those facts left uncovered. */
    coveredBytes: count,
    /** Tool uses since the last search for facts. */
    toolsSinceFacts: count,
    /** Of a session that was over before its memory began (L1d). */
    backfilled: optional(
      v.looseObject({
        /** Length of the L1 file then: what is behind it was said since. */
        bytes: v.number(),
        /** Length of the transcript then. */
        size: v.number(),
        /** How much of the L1 file its dated summary covers. */
        dated: count,
        /** What the session is called. */
        name: optional(v.string()),
      }),
    ),
  });

  const Attempt = v.looseObject({
    /** How often a model was asked so far. */
    tries: v.number(),
    /** Until then an answer may come. */
    busyUntil: count,
    /** What exactly the question is about. */
    subject: v.unknown(),
    /** Estimated length of the question. */
    tokens: count,
    /** A session's agent was asked. Its answer does not name the question. */
    isOfAgent: optional(v.boolean()),
    /** The Claude Code whose mod asks: once it has ended, no answer comes. */
    claudePid: count,
  });

  /** An invalid session is left out, and its transcript is read again from the start. */
  const validSessions = (sessions: Record<string, unknown>) => {
    const valid: Record<string, v.InferOutput<typeof SessionProgress>> = {};
    for (const [id, progress] of Object.entries(sessions)) {
      const parsed = v.safeParse(SessionProgress, progress);
      if (parsed.success) valid[id] = parsed.output;
    }
    return valid;
  };

  const MemoryIndex = v.looseObject({
    sessions: v.fallback(v.pipe(v.record(v.string(), v.unknown()), v.transform(validSessions)), {}),
    /** Prompts of all sessions so far: rules go along with every n-th. */
    rulesInjectionCount: count,
    /** By process: the session before its `/clear`, which hands over to the next one. */
    cleared: optional(v.record(v.string(), v.string())),
    /** Time of the newest entry that memory.md summarises. */
    lastMemoryUpdateTs: optional(v.string()),
    /** Tool uses since then. */
    toolCount: count,
    /** The delta in delta_temp.txt: where it ends in each session's L1. */
    delta: optional(v.looseObject({ ends: v.record(v.string(), v.number()), upTo: v.string() })),
    /** Questions to a model, by job. */
    attempts: optional(v.record(v.string(), Attempt)),
    /** When memory was last tidied up (tiers, permanent facts). */
    compressedAt: optional(v.string()),
    /** How much of the journal these marks include. */
    journal: count,
    /** The latest clock of the events in it. */
    clock: optional(v.string()),
    /** Entries have left memory.md since a model last summarised them. */
    rotated: optional(v.boolean()),
    /** The name of a broken index that this one replaces, until a session is told (T6). */
    setAside: optional(v.string()),
    /** Which layers each session was asked for (M15). */
    askedFor: optional(v.record(v.string(), v.array(v.string()))),
  });
  return { Attempt, SessionProgress, MemoryIndex };
}

/** An invalid value counts as missing. */
function optional<T>(schema: v.GenericSchema<T>) {
  return v.fallback(v.optional(schema), undefined);
}

type Schemas = ReturnType<typeof schemas>;
let built: Schemas | undefined;

export type SessionProgress = v.InferOutput<Schemas['SessionProgress']>;
export type Attempt = v.InferOutput<Schemas['Attempt']>;
export type MemoryIndex = v.InferOutput<Schemas['MemoryIndex']>;

export const memoryIndexFile: DocumentKind<MemoryIndex> = {
  version: 1,
  get schema() {
    built ??= schemas();
    return built.MemoryIndex;
  },
  empty: (setAside) => ({ sessions: {}, ...(setAside !== undefined && { setAside }) }),
  maxBytes: MAX_INDEX_BYTES,
  isDerived: true,
};

/** Empty if there is none yet or it cannot be read. */
export function readMemoryIndex(memory: ProjectMemory): MemoryIndex {
  const reading = readDocument(memory.index, memoryIndexFile);
  return reading.state === 'ok' ? reading.value : memoryIndexFile.empty();
}

export type SavedProgress = Pick<
  SessionProgress,
  'file' | 'offset' | 'inode' | 'l1Bytes' | 'isOver'
>;

/** How far one transcript is saved. */
export function savedProgress(memory: ProjectMemory, sessionId: string): SavedProgress | undefined {
  const progress = recordAt(recordAt(readBare(memory), 'sessions') ?? {}, sessionId) ?? {};
  const file = stringAt(progress, 'file');
  const offset = numberAt(progress, 'offset');
  const inode = numberAt(progress, 'inode');
  const l1Bytes = numberAt(progress, 'l1Bytes');
  if (file === undefined || offset === undefined || inode === undefined || l1Bytes === undefined)
    return undefined;
  return FILE_NAME.test(file)
    ? { file, offset, inode, l1Bytes, isOver: progress.isOver === true }
    : undefined;
}

export interface WorkMarks {
  toolCount?: number | undefined;
  sessions: Record<
    string,
    Pick<SessionProgress, 'file' | 'l1Bytes' | 'isOver' | (typeof COUNTS)[number]> & {
      backfilled?: { bytes: number } | undefined;
    }
  >;
  attempts?: Record<string, Pick<Attempt, 'busyUntil' | 'claudePid'>> | undefined;
  cleared?: MemoryIndex['cleared'];
}

const COUNTS = ['summarisedBytes', 'factsBytes', 'coveredBytes', 'toolsSinceFacts'] as const;

/** Enough to know whether there is work for a model, and whose work a new session goes on with. */
export function readWorkMarks(memory: ProjectMemory): WorkMarks {
  const index = readBare(memory);
  return {
    toolCount: numberAt(index, 'toolCount'),
    sessions: recordsAt(index, 'sessions', (progress) => ({
      ...Object.fromEntries(COUNTS.map((name) => [name, numberAt(progress, name)])),
      file: stringAt(progress, 'file') ?? '',
      l1Bytes: numberAt(progress, 'l1Bytes') ?? 0,
      isOver: progress.isOver === true,
      ...backfilledIn(progress),
    })),
    attempts: recordsAt(index, 'attempts', (attempt) => ({
      busyUntil: numberAt(attempt, 'busyUntil'),
      claudePid: numberAt(attempt, 'claudePid'),
    })),
    ...clearedIn(index),
  };
}

function clearedIn(index: JsonRecord): Pick<WorkMarks, 'cleared'> {
  const cleared = recordAt(index, 'cleared');
  if (cleared === undefined) return {};
  const ofText = Object.entries(cleared).filter(([, value]) => typeof value === 'string');
  return { cleared: Object.fromEntries(ofText) as Record<string, string> };
}

function backfilledIn(progress: JsonRecord): { backfilled?: { bytes: number } } {
  const bytes = numberAt(recordAt(progress, 'backfilled') ?? {}, 'bytes');
  return bytes === undefined ? {} : { backfilled: { bytes } };
}

function recordsAt<T>(json: JsonRecord, field: string, read: (record: JsonRecord) => T) {
  const entries = Object.entries(recordAt(json, field) ?? {});
  return Object.fromEntries(
    entries.flatMap(([key, value]) => (isRecord(value) ? [[key, read(value)] as const] : [])),
  );
}

/** Without the schema, which takes a hook longer to build than the file takes to read. */
function readBare({ index }: ProjectMemory): JsonRecord {
  const file = readSmallFile(index, MAX_INDEX_BYTES, NO_LINKS);
  const json = file.state === 'ok' ? parseJson(file.text) : undefined;
  return isRecord(json) && json.version === memoryIndexFile.version ? json : {};
}

export function updateMemoryIndex(
  memory: ProjectMemory,
  change: (index: MemoryIndex) => MemoryIndex,
): MemoryIndex {
  return updateDocument(memory.index, memoryIndexFile, change).value;
}

/** Changes the progress of one session; a session that is not in the index stays out. */
export function changeProgress(
  index: MemoryIndex,
  sessionId: string,
  change: Partial<SessionProgress>,
): MemoryIndex {
  const progress = index.sessions[sessionId];
  return progress === undefined
    ? index
    : { ...index, sessions: { ...index.sessions, [sessionId]: { ...progress, ...change } } };
}
