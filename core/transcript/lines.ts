/**
 * Lines of a JSONL file without reading the whole of it: from the end backwards, and from a saved place onwards. Lines
 * are bytes until somebody wants to parse them. A line longer than `MAX_LINE_BYTES` is passed over, never held in memory.
 */
import { type FileHandle, open } from 'node:fs/promises';

export const MAX_LINE_BYTES = 16 * 1024 * 1024;
const FIRST_CHUNK_BYTES = 64 * 1024;
const MAX_CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Undefined if there is no such file or it is not ours to read; that the system is out of handles is another matter. */
export async function openIfThere(path: string): Promise<FileHandle | undefined> {
  return open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(error.code ?? '')) return undefined;
    throw error;
  });
}

/**
 * Newest line first, looking back at most `maxBytes`. A last line without its newline comes too: whoever
 * parses it sees whether it is whole.
 */
export async function* linesFromEnd(file: FileHandle, end: number, maxBytes: number): AsyncGenerator<Buffer> {
  let held: Buffer[] = []; // the pieces read so far of the line that reaches into the chunk before, in the file's order
  let heldBytes = 0;
  let position = end;
  for (let chunkBytes = FIRST_CHUNK_BYTES; position > 0; chunkBytes = Math.min(chunkBytes * 2, MAX_CHUNK_BYTES)) {
    const start = Math.max(0, position - chunkBytes);
    const chunk = await readRange(file, start, position);
    if (chunk.length < position - start || end - start > maxBytes) return; // shrunk under our hands, or far enough
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

/** A chunk cut at its newlines, last piece first; the first piece belongs to a line that began before the chunk. */
function* piecesFromEnd(chunk: Buffer): Generator<{ piece: Buffer; isLineStart: boolean }> {
  let upTo = chunk.length;
  while (upTo > 0) {
    const at = chunk.lastIndexOf(NEWLINE, upTo - 1);
    yield { piece: chunk.subarray(at + 1, upTo), isLineStart: at >= 0 };
    if (at < 0) return;
    upTo = at;
  }
}

/** Where the last complete line ends, and with it the place to follow the file from. */
export async function endOfLastLine(file: FileHandle, size: number): Promise<number> {
  for (let position = size; position > 0; ) {
    const start = Math.max(0, position - FIRST_CHUNK_BYTES);
    const at = (await readRange(file, start, position)).lastIndexOf(NEWLINE);
    if (at >= 0) return start + at + 1;
    position = start;
  }
  return 0;
}

/** A place in a growing file, always at the beginning of a line: safe to save and to go on from. */
export interface Cursor {
  offset: number;
  /** The file's identity, so that another file under the same name is noticed. */
  inode: number;
}

export interface Appended {
  /** `restarted`: the file is shorter than it was, or another one; the lines come from its beginning. */
  state: 'grown' | 'restarted' | 'gone';
  lines: Buffer[];
  cursor: Cursor;
  /** There is more; call again. */
  more: boolean;
}

/** The complete lines that stand after `cursor`, at most about `maxBytes` of them. */
export async function readAppended(path: string, cursor: Cursor, maxBytes = 8 * 1024 * 1024): Promise<Appended> {
  const file = await openIfThere(path);
  if (file === undefined) return { state: 'gone', lines: [], cursor, more: false };
  try {
    const { size, ino } = await file.stat();
    const isOther = (cursor.inode !== 0 && ino !== cursor.inode) || size < cursor.offset;
    const restarted = isOther || !(await isLineStart(file, cursor.offset));
    const from = restarted ? 0 : cursor.offset;
    const appended = await completeLines(file, from, size, maxBytes);
    return {
      state: restarted ? 'restarted' : 'grown',
      lines: appended.lines,
      cursor: { offset: appended.offset, inode: ino },
      more: appended.more,
    };
  } finally {
    await file.close();
  }
}

/** A new file can get the number of a removed one; then a place in the old file is hardly ever the start of a line in it. */
async function isLineStart(file: FileHandle, offset: number): Promise<boolean> {
  return offset === 0 || (await readRange(file, offset - 1, offset))[0] === NEWLINE;
}

async function completeLines(file: FileHandle, from: number, size: number, maxBytes: number) {
  let offset = from;
  for (let want = maxBytes; offset < size; ) {
    const stop = Math.min(size, offset + want);
    const chunk = await readRange(file, offset, stop);
    const isShrunk = chunk.length < stop - offset; // under our hands; the next look begins anew
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (!isShrunk && end > 0) return { lines: [...linesIn(chunk.subarray(0, end))], offset: offset + end, more: stop < size };
    if (isShrunk || stop === size) break; // the last line is still being written
    if (want < MAX_LINE_BYTES) want = Math.min(want * 2, MAX_LINE_BYTES);
    else offset = (await afterNextNewline(file, stop, size)) ?? size;
    if (offset === size) return { lines: [], offset: from, more: false }; // a too long line that is still being written
  }
  return { lines: [], offset, more: false };
}

function* linesIn(chunk: Buffer): Generator<Buffer> {
  for (let at = 0; at < chunk.length; ) {
    const newline = chunk.indexOf(NEWLINE, at);
    yield* whole([chunk.subarray(at, newline)]);
    at = newline + 1;
  }
}

/** Where the line after a too long one begins. */
async function afterNextNewline(file: FileHandle, from: number, size: number): Promise<number | undefined> {
  for (let offset = from; offset < size; ) {
    const chunk = await readRange(file, offset, Math.min(size, offset + MAX_CHUNK_BYTES));
    if (chunk.length === 0) return undefined;
    const at = chunk.indexOf(NEWLINE);
    if (at >= 0) return offset + at + 1;
    offset += chunk.length;
  }
  return undefined;
}

async function readRange(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(end - start);
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** One line out of its pieces, without a carriage return and not at all if it is empty. */
function* whole(pieces: Buffer[]): Generator<Buffer> {
  const line = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
  const end = line.at(-1) === RETURN ? line.length - 1 : line.length;
  if (end > 0) yield line.subarray(0, end);
}
