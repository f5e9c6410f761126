/**
 * Keeps L1 on disk (M4, M5, F5): reads what a transcript has got since the last time, refines it,
 * and appends it to the session's file in `sessions/`. Safe to run again at any time, by several
 * processes at once, and after a kill at any moment: nothing is lost and nothing stands there
 * twice.
 */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Cursor, readAppendedStretch } from '../../claude/transcript/lines.ts';
import { spokenRows } from '../../claude/transcript/spoken-rows.ts';
import { AppendOnlyFile, readBehind } from '../../platform/store/append-only.ts';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { updateDocument } from '../../platform/store/document.ts';
import { removeFile } from '../../platform/store/prune.ts';
import { minuteStamp } from '../../platform/text/stamp.ts';
import { type ProjectMemory, prepareProjectMemory } from '../../projects/project-memory.ts';
import type { TranscriptSource } from '../../projects/project-transcripts.ts';
import { redact } from '../redact/redact.ts';
import { type L1Entry, OUTPUT_CHARS, type PendingTools, Refiner } from './l1-refine.ts';
import {
  type MemoryIndex,
  memoryIndexFile,
  type SavedProgress,
  type SessionProgress,
  savedProgress,
} from './memory-index.ts';

export interface L1Result {
  /** Empty while nothing has been said. */
  file: string;
  /** How long the file is now. */
  bytes: number;
  added: number;
}

/** How much of a transcript is read at once. */
const STRETCH_BYTES = 1024 * 1024;
/** How long others wait for the index while a long transcript is read. */
const PORTION_MS = 500;
const HEADER_BYTES = 512;
const TAIL_BYTES = 64 * 1024;

/** `isOver`: the session has ended, so calls that nobody answered are written down as they are. */
export function saveL1(
  memory: ProjectMemory,
  source: TranscriptSource,
  { isOver = false } = {},
): L1Result | undefined {
  const saved = alreadySaved(memory, source, isOver);
  if (saved !== undefined) return saved;
  prepareProjectMemory(memory);
  let added = 0;
  for (;;) {
    let portion: Portion | undefined;
    updateDocument(memory.index, memoryIndexFile, (index) => {
      portion = savePortion(memory, source, index, isOver);
      return portion === undefined || portion.isUnchanged
        ? index
        : {
            ...index,
            toolCount: (index.toolCount ?? 0) + portion.tools,
            sessions: { ...index.sessions, [source.sessionId]: portion.progress },
          };
    });
    if (portion === undefined) return undefined;
    added += portion.added;
    if (!portion.more) return resultOf(memory, portion.progress, added);
  }
}

/** Many hooks find nothing new; then nobody's lock is needed. */
function alreadySaved(
  memory: ProjectMemory,
  { sessionId, transcript }: TranscriptSource,
  isOver: boolean,
): L1Result | undefined {
  const known = savedProgress(memory, sessionId);
  if (known === undefined || known.file === '' || known.isOver !== isOver) return undefined;
  const info = statSync(transcript, { throwIfNoEntry: false });
  const isSame =
    info?.ino === known.inode &&
    info.size === known.offset &&
    existsSync(join(memory.sessions, known.file));
  return isSame ? resultOf(memory, known, 0) : undefined;
}

function resultOf(
  memory: ProjectMemory,
  { file, l1Bytes }: SavedProgress,
  added: number,
): L1Result {
  return { file: file === '' ? '' : join(memory.sessions, file), bytes: l1Bytes, added };
}

interface Portion {
  progress: SessionProgress;
  added: number;
  /** How many of them are tool uses. */
  tools: number;
  more: boolean;
  /** Nothing was read: the index need not be written. */
  isUnchanged: boolean;
}

function savePortion(
  memory: ProjectMemory,
  source: TranscriptSource,
  index: MemoryIndex,
  isOver: boolean,
): Portion | undefined {
  const known = stillOpen(memory, index.sessions[source.sessionId]);
  const file = new L1File(memory, source.sessionId, known);
  try {
    const reach = refinePortion(source.transcript, known, isOver, (entries, isAnew) =>
      file.append(entries, isAnew),
    );
    if (reach === undefined) return undefined;
    const { added, tools } = file;
    const progress = {
      ...known,
      file: file.name,
      transcript: source.transcript,
      ...reach.cursor,
      l1Bytes: file.save(),
      pending: reach.pending,
      toolsSinceFacts: (known?.toolsSinceFacts ?? 0) + tools,
      isOver,
    };
    const isSame = known?.offset === reach.cursor.offset && known.inode === reach.cursor.inode;
    const isUnchanged = added === 0 && isSame && known.isOver === isOver;
    return { progress, added, tools, more: reach.more, isUnchanged };
  } finally {
    file.close();
  }
}

interface Reach {
  cursor: Cursor;
  pending: PendingTools;
  more: boolean;
}

/**
 * As much of the transcript as others can wait for, stretch by stretch; undefined if there is none.
 */
function refinePortion(
  transcript: string,
  known: SessionProgress | undefined,
  isOver: boolean,
  take: (entries: readonly L1Entry[], isAnew: boolean) => void,
): Reach | undefined {
  const until = Date.now() + PORTION_MS;
  const room = Buffer.allocUnsafe(STRETCH_BYTES);
  let appended = readAppendedStretch(
    transcript,
    known ?? { offset: 0, inode: 0 },
    STRETCH_BYTES,
    room,
  );
  if (appended.state === 'gone') return undefined;
  const isAnew = appended.state === 'restarted';
  const refiner = new Refiner(redact, isAnew ? {} : known?.pending);
  for (;;) {
    const { stretch, cursor, more } = appended;
    const entries = spokenRows(stretch, OUTPUT_CHARS).flatMap((row) => refiner.add(row));
    if (isOver && !more) entries.push(...refiner.giveUpPending());
    if (entries.length > 0) take(entries, isAnew);
    if (!more || Date.now() > until) return { cursor, pending: refiner.pending, more };
    appended = readAppendedStretch(transcript, cursor, STRETCH_BYTES, room);
  }
}

/**
 * A session that goes on after its L1 was compressed (M12) goes on in it, so that nothing forgets
 * what was said before. After it was deleted it begins a new file, from the same place of its
 * transcript.
 */
function stillOpen(
  memory: ProjectMemory,
  known: SessionProgress | undefined,
): SessionProgress | undefined {
  if (known === undefined || known.file === '' || isUnpacked(join(memory.sessions, known.file)))
    return known;
  const { offset, inode, pending } = known;
  return {
    file: '',
    offset,
    inode,
    pending,
    l1Bytes: 0,
    transcript: known.transcript,
    isOver: known.isOver,
  };
}

/** False if there is no such file. The plain one is whole before the other goes. */
function isUnpacked(path: string): boolean {
  if (existsSync(path)) return true;
  const packed = attempt(() => readFileSync(`${path}.gz`), undefined);
  const lines = packed === undefined ? undefined : attempt(() => unpacked(packed), undefined);
  if (lines === undefined) return false;
  writeFileAtomic(path, lines);
  removeFile(`${path}.gz`);
  return true;
}

/** Loaded when it is needed, which is hardly ever: it takes a hook a sixteenth of its time. */
function unpacked(packed: Buffer): Buffer {
  const { gunzipSync }: typeof import('node:zlib') = createRequire(process.execPath)('node:zlib');
  return gunzipSync(packed);
}

/** A session's L1 file while it is appended to. It comes to be with the first entry. */
class L1File {
  name: string;
  added = 0;
  tools = 0;
  readonly #memory: ProjectMemory;
  readonly #sessionId: string;
  /** Length of the file when its progress was last saved in the index. */
  readonly #known: number;
  #file: AppendOnlyFile | undefined;
  /**
   * Ids of entries that an interrupted run appended after `#known`; they are not appended twice.
   */
  #there = new Set<string>();

  constructor(memory: ProjectMemory, sessionId: string, known: SessionProgress | undefined) {
    this.#memory = memory;
    this.#sessionId = sessionId;
    this.name = known?.file ?? '';
    this.#known = known?.l1Bytes ?? 0;
  }

  /**
   * `isAnew`: the transcript is another one than before, and may tell again what stands in the
   * file.
   */
  append(entries: readonly L1Entry[], isAnew: boolean): void {
    this.#file ??= this.#open(entries[0], isAnew);
    this.#file.append(
      entries.filter(({ id }) => !this.#there.has(id)).map((entry) => JSON.stringify(entry)),
    );
    this.added += entries.length;
    this.tools += entries.filter(({ role }) => role === 'tool').length;
  }

  #open(first: L1Entry | undefined, isAnew: boolean): AppendOnlyFile {
    this.name ||= fileOf(this.#memory, this.#sessionId, first);
    const leftover = readBehind(this.#path, isAnew ? 0 : this.#known).toString('utf8');
    this.#there = new Set(parseL1(leftover).map(({ id }) => id));
    return new AppendOnlyFile(this.#path);
  }

  /** How long the file is, with all of it on disk. */
  save(): number {
    if (this.#file !== undefined) return this.#file.save();
    return this.name === '' ? 0 : (statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0);
  }

  close(): void {
    this.#file?.close();
  }

  get #path(): string {
    return join(this.#memory.sessions, this.name);
  }
}

/** Whether an answer of Claude stands at the end of an L1 file. */
export function isAnswerKept({ file, bytes }: L1Result, answer: string): boolean {
  if (file === '') return false;
  const end = readBehind(file, Math.max(0, bytes - TAIL_BYTES - Buffer.byteLength(answer)));
  const said = redact(answer).trim();
  return parseL1(end.toString('utf8')).some(
    (entry) => entry.role === 'assistant' && said.endsWith(entry.text.trim()),
  );
}

/** Torn and foreign lines are passed over. */
export function parseL1(text: string): L1Entry[] {
  return text.split('\n').flatMap((line) => {
    try {
      const entry = JSON.parse(line);
      return typeof entry?.id === 'string' && typeof entry.role === 'string'
        ? [entry as L1Entry]
        : [];
    } catch {
      return [];
    }
  });
}

/** The newest part of an L1 file: enough to go on from, however long the session was. */
export function readL1Tail(path: string, bytes = 4 * TAIL_BYTES): L1Entry[] {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return parseL1(readBehind(path, Math.max(0, size - bytes)).toString('utf8'));
}

export function readL1(path: string): L1Entry[] {
  return parseL1(readFileSync(path, 'utf8'));
}

/**
 * `2026-11-16_0232.l1.jsonl` after the time of the first word, with a number behind it for the
 * second session in that minute. The file's first line names its session, so that it is found again
 * even if the index is lost. Empty while nothing has been said.
 */
function fileOf(memory: ProjectMemory, sessionId: string, first: L1Entry | undefined): string {
  if (first === undefined) return '';
  const stamp = minuteStamp(new Date(first.ts));
  for (let n = 1; ; n++) {
    const name = `${stamp}${n === 1 ? '' : `-${n}`}.l1.jsonl`;
    const path = join(memory.sessions, name);
    const owner = sessionOf(path);
    if (owner === sessionId) return name;
    if (owner !== undefined) continue;
    writeFileAtomic(path, `${JSON.stringify({ session: sessionId })}\n`);
    return name;
  }
}

/** The session that an L1 file belongs to; undefined if there is no such file. */
function sessionOf(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const [header = ''] = readBehind(path, 0, HEADER_BYTES).toString('utf8').split('\n');
  // Somebody else's file is not ours to append to.
  return attempt(() => String(JSON.parse(header).session), '');
}
