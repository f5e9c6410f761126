/**
 * Reads lines of a JSONL file without reading all of it: backwards from the end, or onwards from a
 * saved offset. A line longer than `MAX_LINE_BYTES` is never held in memory: onwards it is read
 * without the images in it (L1a), backwards it is skipped.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { attempt, parseJson } from '../../platform/store/attempt.ts';
import { WithoutImages } from './without-images.ts';

export const MAX_LINE_BYTES = 16 * 1024 * 1024;
const FIRST_CHUNK_BYTES = 64 * 1024;
const MAX_CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/** Does not wait for the other end of a pipe, which has no lines of ours. Windows has no such flag. */
const NO_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Undefined if there is no such file or it is not ours to read; throws if we run out of handles. */
export function openIfThere(path: string): number | undefined {
  const codes = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'];
  return attempt(() => openSync(path, NO_WAITING), undefined, codes);
}

/** Newest line first, at most `maxBytes` back. The last line may still be without its newline. */
export function* linesFromEnd(file: number, end: number, maxBytes: number): Generator<Buffer> {
  // pieces of the line that begins in an earlier chunk, in the file's order
  let held: Buffer[] = [];
  let heldBytes = 0;
  let position = end;
  let chunkBytes = FIRST_CHUNK_BYTES;
  while (position > 0) {
    const start = Math.max(0, position - chunkBytes);
    chunkBytes = Math.min(chunkBytes * 2, MAX_CHUNK_BYTES);
    const chunk = readRange(file, start, position);
    // the file shrank meanwhile, or we are far enough back
    if (chunk.length < position - start || end - start > maxBytes) return;
    position = start;
    for (const { piece, isLineStart } of piecesFromEnd(chunk)) {
      heldBytes += piece.length;
      const fits = heldBytes <= MAX_LINE_BYTES;
      held = fits ? [piece, ...held] : [];
      if (!isLineStart) continue;
      if (fits) yield* whole(held);
      held = [];
      heldBytes = 0;
    }
  }
  yield* whole(held);
}

/** Cuts a chunk at its newlines, last piece first; the final piece ends an earlier line. */
function* piecesFromEnd(chunk: Buffer): Generator<{ piece: Buffer; isLineStart: boolean }> {
  let upTo = chunk.length;
  while (upTo > 0) {
    const at = chunk.lastIndexOf(NEWLINE, upTo - 1);
    yield { piece: chunk.subarray(at + 1, upTo), isLineStart: at >= 0 };
    if (at < 0) return;
    upTo = at;
  }
}

/** Where the last complete line ends: the place to follow the file from. */
export function endOfLastLine(file: number, size: number): number {
  for (let position = size; position > 0; ) {
    const start = Math.max(0, position - FIRST_CHUNK_BYTES);
    const at = readRange(file, start, position).lastIndexOf(NEWLINE);
    if (at >= 0) return start + at + 1;
    position = start;
  }
  return 0;
}

/** A place in a growing file, between two rows: safe to save and to resume from. */
export interface Cursor {
  offset: number;
  /** The file's identity, so that another file under the same name is noticed. */
  inode: number;
}

interface Appended {
  /** `restarted`: the file is shorter, or another one; the lines are from its beginning. */
  state: 'grown' | 'restarted' | 'gone';
  lines: Buffer[];
  cursor: Cursor;
  /** There is more; call again. */
  more: boolean;
}

/** The same with the lines as one piece of the file. */
interface AppendedStretch extends Omit<Appended, 'lines'> {
  stretch: Buffer;
}

const DEFAULT_MAX_BYTES = 8 * 1024 * 1024;

/**
 * The complete lines after `cursor`, at most about `maxBytes` of them. A last line without its
 * newline is complete if it is JSON: nothing can be added to it but a newline or another row.
 */
export function readAppended(path: string, cursor: Cursor, maxBytes = DEFAULT_MAX_BYTES): Appended {
  const { stretch, ...appended } = readAppendedStretch(path, cursor, maxBytes);
  return { ...appended, lines: [...linesIn(stretch)] };
}

/** `room` is a buffer for the stretch, for callers that finish with one before the next. */
export function readAppendedStretch(
  path: string,
  cursor: Cursor,
  maxBytes: number,
  room?: Buffer,
): AppendedStretch {
  const file = openIfThere(path);
  if (file === undefined) return { state: 'gone', stretch: NOTHING, cursor, more: false };
  try {
    const { size, ino } = fstatSync(file);
    const isOther = (cursor.inode !== 0 && ino !== cursor.inode) || size < cursor.offset;
    const restarted = isOther || !isBetweenRows(file, cursor.offset);
    const from = restarted ? 0 : cursor.offset;
    const { stretch, offset, more } = completeLines(file, from, size, maxBytes, room);
    const state = restarted ? 'restarted' : 'grown';
    return { state, stretch, cursor: { offset, inode: ino }, more };
  } finally {
    closeSync(file);
  }
}

const NOTHING = Buffer.alloc(0);

/** A new file can get the inode of a removed one; then an old offset hardly ever is between rows. */
function isBetweenRows(file: number, offset: number): boolean {
  if (offset === 0) return true;
  const [before, behind] = readRange(file, offset - 1, offset + 1);
  if (before === NEWLINE) return true;
  // A session that ended without a newline; when it goes on, a row may be glued to its last one.
  const mayFollow = [undefined, NEWLINE, RETURN, OBJECT];
  return before === OBJECT_END && mayFollow.includes(behind);
}

interface Stretch {
  stretch: Buffer;
  offset: number;
  more: boolean;
}

function completeLines(
  file: number,
  from: number,
  size: number,
  maxBytes: number,
  room?: Buffer,
): Stretch {
  for (let want = maxBytes; from < size; want = Math.min(want * 2, MAX_LINE_BYTES)) {
    const stop = Math.min(size, from + want);
    const chunk = readRange(file, from, stop, room);
    if (chunk.length < stop - from) break; // it shrank meanwhile; the next read starts again
    const end = endOfRows(chunk, stop === size);
    if (end > 0) return { stretch: chunk.subarray(0, end), offset: from + end, more: stop < size };
    if (stop === size) break; // the last line is still being written
    if (want === MAX_LINE_BYTES) return overlongLine(file, from, size);
  }
  return { stretch: NOTHING, offset: from, more: false };
}

/** Where the last complete line of a chunk ends. */
function endOfRows(chunk: Buffer, isLast: boolean): number {
  const end = chunk.lastIndexOf(NEWLINE) + 1;
  const mayBeWhole = isLast && end < chunk.length && chunk.at(-1) === OBJECT_END;
  return mayBeWhole && isJson(chunk.subarray(end)) ? chunk.length : end;
}

function isJson(line: Buffer): boolean {
  return parseJson(line.toString('utf8')) !== undefined;
}

function* linesIn(chunk: Buffer): Generator<Buffer> {
  for (let at = 0; at < chunk.length; ) {
    const newline = chunk.indexOf(NEWLINE, at);
    const end = newline < 0 ? chunk.length : newline;
    yield* whole([chunk.subarray(at, end)]);
    at = end + 1;
  }
}

/** What an overlong line says stands beside its images, which nobody typed: it is read without them. */
function overlongLine(file: number, from: number, size: number): Stretch {
  const line = new WithoutImages(MAX_LINE_BYTES);
  for (let offset = from; offset < size; ) {
    const chunk = readRange(file, offset, Math.min(size, offset + MAX_CHUNK_BYTES));
    if (chunk.length === 0) break;
    const newline = chunk.indexOf(NEWLINE);
    line.add(newline < 0 ? chunk : chunk.subarray(0, newline + 1));
    if (newline >= 0) {
      const next = offset + newline + 1;
      return { stretch: line.bytes ?? NOTHING, offset: next, more: next < size };
    }
    offset += chunk.length;
  }
  // It is still being written, or its last line ended without a newline.
  const isWhole = line.bytes?.at(-1) === OBJECT_END && isJson(line.bytes);
  return isWhole
    ? { stretch: line.bytes ?? NOTHING, offset: size, more: false }
    : { stretch: NOTHING, offset: from, more: false };
}

function readRange(file: number, start: number, end: number, room?: Buffer): Buffer {
  const length = end - start;
  const fits = room !== undefined && room.length >= length;
  const buffer = fits ? room.subarray(0, length) : Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < buffer.length) {
    const bytesRead = readSync(file, buffer, filled, buffer.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** Joins the pieces of a line, without its carriage return; yields nothing for an empty line. */
function* whole(pieces: Buffer[]): Generator<Buffer> {
  const line = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
  const end = line.at(-1) === RETURN ? line.length - 1 : line.length;
  if (end > 0) yield line.subarray(0, end);
}
