/**
 * Keeps L1 on disk (M4, M5, F5): reads what a transcript has got since the last time, refines it, and appends it to the session's
 * file in `sessions/`. Safe to run again at any time, by several processes at once, and after a kill at any moment: nothing is
 * lost and nothing stands there twice.
 */
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { appendLines, readBehind } from '../store/append-only.ts';
import { exists, writeFileAtomic } from '../store/atomic-write.ts';
import { updateDocument } from '../store/document.ts';
import { readAppended } from '../transcript/lines.ts';
import { parseRow } from '../transcript/rows.ts';
import { type L1Entry, Refiner } from './l1-refine.ts';
import { type MemoryIndex, memoryIndexFile, type SessionProgress } from './memory-index.ts';
import { type ProjectMemory, prepareProjectMemory } from './project-memory.ts';
import { redact } from './redact.ts';

export interface L1Source {
  sessionId: string;
  transcript: string;
}

export interface L1Result {
  /** Empty while nothing has been said. */
  file: string;
  /** How long the file is now. */
  bytes: number;
  added: number;
}

/** How much of a transcript is read while others wait for the index. */
const PORTION_BYTES = 8 * 1024 * 1024;
const HEADER_BYTES = 512;
const TAIL_BYTES = 64 * 1024;

/** `isOver`: the session has ended, so calls that nobody answered are written down as they are. */
export async function saveL1(memory: ProjectMemory, source: L1Source, { isOver = false } = {}): Promise<L1Result | undefined> {
  await prepareProjectMemory(memory);
  let added = 0;
  for (;;) {
    let portion: Portion | undefined;
    await updateDocument(memory.index, memoryIndexFile, async (index) => {
      portion = await savePortion(memory, source, index, isOver);
      return portion === undefined || portion.isUnchanged
        ? index
        : { ...index, sessions: { ...index.sessions, [source.sessionId]: portion.progress } };
    });
    if (portion === undefined) return undefined;
    added += portion.added;
    const { file, l1Bytes } = portion.progress;
    if (!portion.more) return { file: file === '' ? '' : join(memory.sessions, file), bytes: l1Bytes, added };
  }
}

interface Portion {
  progress: SessionProgress;
  added: number;
  more: boolean;
  /** Nothing was read: the index need not be written. */
  isUnchanged: boolean;
}

async function savePortion(
  memory: ProjectMemory,
  source: L1Source,
  index: MemoryIndex,
  isOver: boolean,
): Promise<Portion | undefined> {
  const known = index.sessions[source.sessionId];
  const appended = await readAppended(source.transcript, known ?? { offset: 0, inode: 0 }, PORTION_BYTES);
  if (appended.state === 'gone') return undefined;
  const isAnew = appended.state === 'restarted';
  const refiner = new Refiner(redact, isAnew ? {} : known?.pending);
  const entries = appended.lines.filter(maySpeak).flatMap((line) => refiner.add(parseRow(line.toString('utf8'))));
  if (isOver && !appended.more) entries.push(...refiner.giveUpPending());
  const file = known?.file || (await fileOf(memory, source.sessionId, entries[0]));
  const l1Bytes = file === '' ? 0 : await appendOnce(join(memory.sessions, file), isAnew ? 0 : (known?.l1Bytes ?? 0), entries);
  const progress = { ...known, file, ...appended.cursor, l1Bytes, pending: refiner.pending };
  const isUnchanged = entries.length === 0 && known?.offset === appended.cursor.offset && known.inode === appended.cursor.inode;
  return { progress, added: entries.length, more: appended.more, isUnchanged };
}

const SPEAKING = ['"user"', '"assistant"', '"queued_command"'].map((text) => Buffer.from(text));

/** Most rows carry nothing of the conversation and need not be parsed. */
function maySpeak(line: Buffer): boolean {
  return SPEAKING.some((marker) => line.includes(marker));
}

/** Appends what does not stand behind `from` already, and gives back how long the file is then. */
async function appendOnce(path: string, from: number, entries: readonly L1Entry[]): Promise<number> {
  const leftover = parseL1((await readBehind(path, from)).toString('utf8'));
  const there = new Set(leftover.map(({ id }) => id));
  return appendLines(
    path,
    entries.filter(({ id }) => !there.has(id)).map((entry) => JSON.stringify(entry)),
  );
}

/** Whether an answer of Claude stands at the end of an L1 file. */
export async function isAnswerKept({ file, bytes }: L1Result, answer: string): Promise<boolean> {
  if (file === '') return false;
  const end = await readBehind(file, Math.max(0, bytes - TAIL_BYTES - Buffer.byteLength(answer)));
  const said = redact(answer).trim();
  return parseL1(end.toString('utf8')).some((entry) => entry.role === 'assistant' && said.endsWith(entry.text.trim()));
}

/** Torn and foreign lines are passed over. */
function parseL1(text: string): L1Entry[] {
  return text.split('\n').flatMap((line) => {
    try {
      const entry = JSON.parse(line);
      return typeof entry?.id === 'string' && typeof entry.role === 'string' ? [entry as L1Entry] : [];
    } catch {
      return [];
    }
  });
}

export async function readL1(path: string): Promise<L1Entry[]> {
  return parseL1(await readFile(path, 'utf8'));
}

/**
 * `2026-11-16_0232.l1.jsonl` after the time of the first word, with a number behind it for the second session in that minute. The
 * file's first line names its session, so that it is found again even if the index is lost. Empty while nothing has been said.
 */
async function fileOf(memory: ProjectMemory, sessionId: string, first: L1Entry | undefined): Promise<string> {
  if (first === undefined) return '';
  const stamp = minuteStamp(new Date(first.ts));
  for (let n = 1; ; n++) {
    const name = `${stamp}${n === 1 ? '' : `-${n}`}.l1.jsonl`;
    const path = join(memory.sessions, name);
    const owner = await sessionOf(path);
    if (owner === sessionId) return name;
    if (owner !== undefined) continue;
    await writeFileAtomic(path, `${JSON.stringify({ session: sessionId })}\n`);
    return name;
  }
}

/** The session that an L1 file belongs to; undefined if there is no such file. */
async function sessionOf(path: string): Promise<string | undefined> {
  if (!(await exists(path))) return undefined;
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    const header = buffer.toString('utf8', 0, bytesRead).split('\n')[0] ?? '';
    return String(JSON.parse(header).session);
  } catch {
    return ''; // somebody else's file: not ours to append to
  } finally {
    await file.close();
  }
}

/** `YYYY-MM-DD_HHMM` in the user's own time zone. */
function minuteStamp(time: Date): string {
  const valid = Number.isNaN(time.getTime()) ? new Date() : time;
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${valid.getFullYear()}-${two(valid.getMonth() + 1)}-${two(valid.getDate())}`;
  return `${day}_${two(valid.getHours())}${two(valid.getMinutes())}`;
}
