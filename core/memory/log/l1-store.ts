/**
 * Saves and reads L1 (M4, M5, M12, F5): refines what a transcript has gained since the last time
 * and appends it to the session's file in `sessions/`. It may run at any time, in several processes
 * at once and after a kill: nothing is lost and nothing is written twice.
 */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { type Cursor, readAppendedStretch } from '../../claude/transcript/lines.ts';
import type { SpokenRow } from '../../claude/transcript/rows.ts';
import { takeSpokenRows } from '../../claude/transcript/spoken-rows.ts';
import { AppendOnlyFile, readFrom } from '../../platform/store/append-only.ts';
import { syncFolder, writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt, parseJson } from '../../platform/store/attempt.ts';
import { removeFile } from '../../platform/store/file-changes.ts';
import { machineId } from '../../platform/store/machine.ts';
import { shortHash } from '../../platform/store/owner.ts';
import { minuteStamp } from '../../platform/text/stamp.ts';
import { type ProjectMemory, prepareProjectMemory } from '../../projects/project-memory.ts';
import type { TranscriptSource } from '../../projects/project-transcripts.ts';
import { redact } from '../redact/redact.ts';
import {
  entryLine,
  headerLine,
  L1_FORMAT,
  type L1Header,
  parseHeader,
  parseL1,
} from './l1-line.ts';
import {
  type L1Entry,
  OUTPUT_CHARS,
  type PendingTools,
  Refiner,
  type WordsBefore,
} from './l1-refine.ts';
import {
  type MemoryIndex,
  type SavedProgress,
  type SessionProgress,
  savedProgress,
  updateMemoryIndex,
} from './memory-index.ts';

export interface L1Result {
  /** Empty while nothing has been said. */
  file: string;
  /** Length of the file. */
  bytes: number;
  added: number;
  /** The transcript has more than the time allowed for. */
  isPartial?: true;
  /** A broken index that was set aside since the last save, by its name (T6). */
  setAside?: string;
}

export interface SaveOptions {
  /** The session has ended, so tool calls without a result are saved as they are. */
  isOver?: boolean;
  /** For a hook that the user waits for: it stops after about this long. */
  mostMs?: number;
  /**
   * The session was over before its memory began (L1d): it counts as summarised, because it gets a
   * dated summary of its own, and its tool uses make nothing due. `size`: of its transcript.
   */
  backfill?: { size: number };
}

/**
 * Read at once from a transcript: what is made of it is all that is in memory at a time. For each
 * stretch the file is opened, and the row that the last one cut is read again: hence not shorter.
 */
const STRETCH_BYTES = 512 * 1024;
/** How long others wait for the index while a long transcript is read. */
const PORTION_MS = 500;
const HEADER_BYTES = 512;
const TAIL_BYTES = 64 * 1024;

export function saveL1(
  memory: ProjectMemory,
  source: TranscriptSource,
  { isOver = false, mostMs = Number.POSITIVE_INFINITY, backfill }: SaveOptions = {},
): L1Result | undefined {
  const saved = alreadySaved(memory, source, isOver);
  if (saved !== undefined) return saved;
  prepareProjectMemory(memory);
  const until = Date.now() + mostMs;
  let added = 0;
  let setAside: string | undefined;
  for (;;) {
    let portion: Portion | undefined;
    updateMemoryIndex(memory, (index) => {
      const portionUntil = Math.min(until, Date.now() + PORTION_MS);
      portion = savePortion(memory, source, index, { isOver, until: portionUntil, backfill });
      if (portion === undefined || portion.isUnchanged) return index;
      const toolCount = (index.toolCount ?? 0) + (backfill === undefined ? portion.tools : 0);
      const sessions = { ...index.sessions, [source.sessionId]: portion.progress };
      const { setAside: replaced, ...rest } = index;
      setAside ??= replaced;
      return { ...rest, toolCount, sessions } as MemoryIndex;
    });
    if (portion === undefined) return undefined;
    added += portion.added;
    const isPartial = portion.more && Date.now() > until;
    if (portion.more && !isPartial) continue;
    const saved = resultOf(memory, portion.progress, added);
    return {
      ...saved,
      ...(isPartial && { isPartial }),
      ...(setAside !== undefined && { setAside }),
    };
  }
}

/** Many hooks find nothing new; they need no lock. */
function alreadySaved(
  memory: ProjectMemory,
  { sessionId, transcript }: TranscriptSource,
  isOver: boolean,
): L1Result | undefined {
  const saved = savedProgress(memory, sessionId);
  if (saved === undefined || saved.file === '' || saved.isOver !== isOver) return undefined;
  const info = statSync(transcript, { throwIfNoEntry: false });
  const isUnchanged =
    info?.ino === saved.inode &&
    info.size === saved.offset &&
    existsSync(join(memory.sessions, saved.file));
  return isUnchanged ? resultOf(memory, saved, 0) : undefined;
}

function resultOf(memory: ProjectMemory, saved: SavedProgress, added: number): L1Result {
  const file = saved.file === '' ? '' : join(memory.sessions, saved.file);
  return { file, bytes: saved.l1Bytes, added };
}

interface Portion {
  progress: SessionProgress;
  added: number;
  /** How many of the added entries are tool uses. */
  tools: number;
  more: boolean;
  /** The index need not be written. */
  isUnchanged: boolean;
}

interface PortionLimits {
  isOver: boolean;
  /** The time at which it stops. */
  until: number;
  backfill?: SaveOptions['backfill'];
}

function savePortion(
  memory: ProjectMemory,
  source: TranscriptSource,
  index: MemoryIndex,
  limits: PortionLimits,
): Portion | undefined {
  const before = openProgress(memory, index.sessions[source.sessionId]);
  const file = new L1File(memory, source.sessionId, before);
  try {
    const refined = refinePortion(memory, source.transcript, before, limits, file);
    if (refined === undefined) return undefined;
    const { cursor, pending, wordsBefore, cwd, more } = refined;
    const { added, tools } = file;
    const { isOver, backfill } = limits;
    const l1Bytes = file.save();
    const progress = {
      ...before,
      file: file.name,
      transcript: source.transcript,
      ...cursor,
      l1Bytes,
      pending,
      ...wordsBefore,
      ...(cwd !== undefined && { cwd }),
      toolsSinceFacts: (before?.toolsSinceFacts ?? 0) + tools,
      isOver,
      ...(backfill && {
        summarisedBytes: l1Bytes,
        backfilled: { bytes: l1Bytes, size: backfill.size },
      }),
    };
    const isSame = before?.offset === cursor.offset && before.inode === cursor.inode;
    const isUnchanged = added === 0 && isSame && before.isOver === isOver;
    return { progress, added, tools, more, isUnchanged };
  } finally {
    file.close();
  }
}

interface Refined {
  cursor: Cursor;
  pending: PendingTools;
  wordsBefore: WordsBefore;
  /** The folder that the session began in, if its rows name it. */
  cwd: string | undefined;
  more: boolean;
}

/** As much of the transcript as others can wait for; undefined if there is no transcript. */
function refinePortion(
  { root }: ProjectMemory,
  transcript: string,
  before: SessionProgress | undefined,
  { isOver, until }: PortionLimits,
  file: L1File,
): Refined | undefined {
  const buffer = stretchBuffer();
  const start = before ?? { offset: 0, inode: 0 };
  let appended = readAppendedStretch(transcript, start, STRETCH_BYTES, buffer);
  if (appended.state === 'gone') return undefined;
  const isRestarted = appended.state === 'restarted';
  const cwd = before?.cwd ?? cwdIn(appended.stretch);
  const known = isRestarted ? undefined : before;
  const refiner = new Refiner(redact, known?.pending, known, rootOf(root, cwd), () =>
    file.lastEntries(),
  );
  for (;;) {
    const { stretch, cursor, more } = appended;
    const entries: L1Entry[] = [];
    const take = (row: SpokenRow) => {
      for (const entry of refiner.add(row)) entries.push(entry);
    };
    const { isResultWanted } = refiner;
    takeSpokenRows(stretch, { resultChars: OUTPUT_CHARS, take, isResultWanted });
    if (isOver && !more) entries.push(...refiner.giveUpPending(), ...refiner.giveUpQueue());
    if (entries.length > 0) file.append(entries, isRestarted);
    if (!more || Date.now() > until) {
      const { pending, wordsBefore } = refiner;
      return { cursor, pending, wordsBefore, cwd, more };
    }
    appended = readAppendedStretch(transcript, cursor, STRETCH_BYTES, buffer);
  }
}

let stretchRoom: Buffer | undefined;

/** One for all: hundreds of transcripts may be read in a row, and each would leave its own behind. */
function stretchBuffer(): Buffer {
  stretchRoom ??= Buffer.allocUnsafe(STRETCH_BYTES);
  return stretchRoom;
}

const CWD_FIELD = '"cwd":"';
/** A row's own field, and no argument of a tool: the session's id follows it in every version. */
const CWD = /^"cwd":("(?:[^"\\]|\\.)*"),"sessionId":"/;
const MAX_CWD_BYTES = 4096;
const MAX_CWD_FIELDS = 8;

function cwdIn(rows: Buffer): string | undefined {
  let at = rows.indexOf(CWD_FIELD);
  for (let n = 0; at >= 0 && n < MAX_CWD_FIELDS; n++) {
    const [, quoted] = CWD.exec(rows.toString('utf8', at, at + MAX_CWD_BYTES)) ?? [];
    const cwd = quoted === undefined ? undefined : parseJson(quoted);
    if (typeof cwd === 'string') return cwd;
    at = rows.indexOf(CWD_FIELD, at + 1);
  }
  return undefined;
}

/** Paths are the project's where the session worked in it, else those of the session's folder. */
function rootOf(root: string, cwd = root): string {
  return cwd === root || cwd.startsWith(join(root, sep)) ? root : cwd;
}

/**
 * A session resumed after its L1 was compressed (M12) continues in that file. If the file was
 * deleted, the session begins a new one, from the same place in its transcript.
 */
function openProgress(
  memory: ProjectMemory,
  progress: SessionProgress | undefined,
): SessionProgress | undefined {
  const file = progress?.file ?? '';
  if (progress === undefined || file === '' || isUnpacked(join(memory.sessions, file)))
    return progress;
  const { offset, inode, pending, transcript, isOver, cwd } = progress;
  const { queue, lastRows, compactedOn } = progress;
  const words = { queue, lastRows, compactedOn };
  return { file: '', offset, inode, pending, ...words, l1Bytes: 0, transcript, isOver, cwd };
}

/** False if there is no such file. The plain file is whole before the packed one is removed. */
function isUnpacked(path: string): boolean {
  if (existsSync(path)) return true;
  const lines = attempt(() => unpacked(path), undefined);
  if (lines === undefined) return false;
  writeFileAtomic(path, lines);
  removeFile(`${path}.gz`);
  return true;
}

/** Loads zlib only now: hooks hardly ever need it, and it takes a sixteenth of their time. */
function unpacked(path: string): Buffer {
  const { gunzipSync }: typeof import('node:zlib') = createRequire(process.execPath)('node:zlib');
  return gunzipSync(readFileSync(`${path}.gz`));
}

/** A session's L1 file while it is appended to; created with the first entry. */
class L1File {
  name: string;
  added = 0;
  tools = 0;
  readonly #memory: ProjectMemory;
  readonly #sessionId: string;
  /** Length of the file according to the index. */
  readonly #indexed: number;
  #file: AppendOnlyFile | undefined;
  /** Its name is not on disk for certain. */
  #isNew = false;
  /** A file goes on as it was begun. */
  #format = L1_FORMAT;
  /** Ids of entries that an interrupted run appended after `#indexed`. */
  #present = new Set<string>();

  constructor(memory: ProjectMemory, sessionId: string, before: SessionProgress | undefined) {
    this.#memory = memory;
    this.#sessionId = sessionId;
    this.name = before?.file ?? '';
    this.#indexed = before?.l1Bytes ?? 0;
  }

  /** Those that the index knows of. */
  lastEntries(): L1Entry[] {
    if (this.name === '' || this.#indexed === 0) return [];
    return entriesIn(this.#path, Math.max(0, this.#indexed - 4 * TAIL_BYTES), this.#indexed);
  }

  /** `isRestarted`: the transcript was replaced, and may repeat what the file already holds. */
  append(entries: readonly L1Entry[], isRestarted: boolean): void {
    this.#file ??= this.#open(entries[0]?.ts ?? '', isRestarted);
    const news = entries.filter(({ id }) => !this.#present.has(id));
    this.#file.append(news.map((entry) => entryLine(entry, this.#format)));
    // What an interrupted run appended has not been counted; what a replaced transcript repeats has.
    const counted = isRestarted ? news : entries;
    this.added += counted.length;
    this.tools += counted.filter(({ role }) => role === 'tool').length;
  }

  #open(startedAt: string, isRestarted: boolean): AppendOnlyFile {
    if (this.name === '') {
      this.name = ownFile(this.#memory, this.#sessionId, startedAt);
      this.#isNew = true;
    }
    const present = entriesIn(this.#path, isRestarted ? 0 : this.#indexed);
    this.#present = new Set(present.map(({ id }) => id));
    this.#format = headerOf(this.#path)?.format ?? L1_FORMAT;
    return new AppendOnlyFile(this.#path);
  }

  /** Returns the length of the file, all of it on disk. */
  save(): number {
    if (this.#file !== undefined) {
      const bytes = this.#file.save();
      // Before the index names the file.
      if (this.#isNew) syncFolder(this.#memory.sessions);
      this.#isNew = false;
      return bytes;
    }
    return this.name === '' ? 0 : (statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0);
  }

  close(): void {
    this.#file?.close();
  }

  get #path(): string {
    return join(this.#memory.sessions, this.name);
  }
}

/** Whether a reply of Claude is at the end of an L1 file. */
export function isReplySaved({ file, bytes }: L1Result, answer: string): boolean {
  if (file === '') return false;
  const tail = entriesIn(file, Math.max(0, bytes - TAIL_BYTES - Buffer.byteLength(answer)));
  const text = redact(answer).trim();
  return tail.some((entry) => entry.role === 'assistant' && text.endsWith(entry.text.trim()));
}

function entriesIn(path: string, from: number, to?: number): L1Entry[] {
  return parseL1(readFrom(path, from, to).toString('utf8'));
}

/** The entries of a range of L1, even if compressed since (M12); undefined if the file is gone. */
export function readL1Range(
  memory: ProjectMemory,
  file: string,
  from = 0,
  to = Number.POSITIVE_INFINITY,
): L1Entry[] | undefined {
  const path = join(memory.sessions, file);
  if (existsSync(path)) return entriesIn(path, from, to);
  if (!existsSync(`${path}.gz`)) return undefined;
  const lines = unpacked(path);
  return parseL1(lines.subarray(from, Math.min(to, lines.length)).toString('utf8'));
}

/** An L1 file as it is, even if compressed since; undefined if it is gone. */
export function readL1Content(memory: ProjectMemory, file: string): Buffer | undefined {
  const path = join(memory.sessions, file);
  return attempt(() => (existsSync(path) ? readFileSync(path) : unpacked(path)), undefined);
}

/** The newest part of an L1 file: enough to continue from, however long the session was. */
export function readL1Tail(path: string, bytes = 4 * TAIL_BYTES): L1Entry[] {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return entriesIn(path, Math.max(0, size - bytes));
}

export function readL1(path: string): L1Entry[] {
  return parseL1(readFileSync(path, 'utf8'));
}

/**
 * `2026-11-16_0232-1a2b3c4d.l1.jsonl`: the time of the first entry, and a hash of the machine and the
 * session, so that no two machines and no two sessions of one minute have the same name. The first
 * line names the session, so that its file is found even if the index is lost.
 */
function ownFile(memory: ProjectMemory, sessionId: string, startedAt: string): string {
  const stamp = minuteStamp(new Date(startedAt));
  const old = fileOf010(memory, sessionId, stamp);
  if (old !== undefined) return old;
  const own = `${stamp}-${shortHash(`${machineId() ?? ''} ${sessionId}`)}`;
  for (let n = 1; ; n++) {
    const name = numbered(own, n);
    const path = join(memory.sessions, name);
    const owner = sessionOf(path);
    // It is on disk with the first entries: `L1File.save`.
    if (owner === undefined)
      writeFileAtomic(path, `${headerLine(sessionId)}\n`, { durable: false });
    if (owner === undefined || owner === sessionId) return name;
  }
}

/** 0.1.0 named files by the minute alone, and counted on for further sessions. */
function fileOf010(memory: ProjectMemory, sessionId: string, stamp: string): string | undefined {
  for (let n = 1; ; n++) {
    const owner = sessionOf(join(memory.sessions, numbered(stamp, n)));
    if (owner === undefined) return undefined;
    if (owner === sessionId) return numbered(stamp, n);
  }
}

function numbered(stem: string, n: number): string {
  return `${stem}${n === 1 ? '' : `-${n}`}.l1.jsonl`;
}

/**
 * The session that an L1 file belongs to; undefined if there is no such file. Never append to a file
 * that names no session.
 */
function sessionOf(path: string): string | undefined {
  return existsSync(path) ? (headerOf(path)?.session ?? '') : undefined;
}

function headerOf(path: string): L1Header | undefined {
  const [line = ''] = readFrom(path, 0, HEADER_BYTES).toString('utf8').split('\n');
  return parseHeader(line);
}
