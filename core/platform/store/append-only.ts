/**
 * Files that only grow, such as L1: appended lines are on disk when the call returns, and nothing
 * in the file is changed. We create these files ourselves, so a link in their place is foreign and
 * is not followed (M1).
 */
import { constants, fstatSync, readSync } from 'node:fs';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { PRIVATE_FILE } from './atomic-write.ts';
import { attempt, errorCode } from './attempt.ts';
import { disk } from './disk.ts';

const NEWLINE = 0x0a;
const BLOCK_BYTES = 64 * 1024;
const MAX_BYTES_PER_CHAR = 3;

/** The bytes from one offset up to another or the end; empty if there is no such file. */
export function readFrom(path: string, offset: number, end = Number.POSITIVE_INFINITY): Buffer {
  const file = attempt(() => openOwn(path, constants.O_RDONLY), undefined, ['ENOENT']);
  if (file === undefined) return Buffer.alloc(0);
  try {
    const length = Math.max(0, Math.min(fstatSync(file).size, end) - offset);
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, readSync(file, buffer, 0, length, offset));
  } finally {
    disk.closeSync(file);
  }
}

/** Appends lines and returns the file's new length. */
export function appendLines(path: string, lines: readonly string[]): number {
  const file = new AppendOnlyFile(path);
  try {
    file.append(lines);
    return file.save();
  } finally {
    file.close();
  }
}

let block: Buffer | undefined;

/** One for all files: it is empty whenever `append` returns, and an import opens hundreds. */
function sharedBlock(): Buffer {
  block ??= Buffer.allocUnsafe(BLOCK_BYTES);
  return block;
}

/** For more lines than should be in memory at once. */
export class AppendOnlyFile {
  readonly #file: number;
  #isAtLineStart: boolean;
  #isSaved = true;
  readonly #block = sharedBlock();
  #filled = 0;

  constructor(path: string) {
    this.#file = openOwn(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
    this.#isAtLineStart = isAtLineStart(this.#file);
  }

  /** Ends the last line first if its writer was cut short. */
  append(lines: readonly string[]): void {
    if (lines.length === 0) return;
    if (!this.#isAtLineStart) this.#add('');
    for (const line of lines) this.#add(line);
    this.#flush();
    this.#isAtLineStart = true;
    this.#isSaved = false;
  }

  /** Encodes each line by itself: joined with a line that is not Latin-1, all take 4x as long. */
  #add(line: string): void {
    const mostBytes = line.length * MAX_BYTES_PER_CHAR + 1;
    if (mostBytes > BLOCK_BYTES - this.#filled) this.#flush();
    if (mostBytes > BLOCK_BYTES) this.#write(Buffer.from(`${line}\n`));
    else {
      this.#filled += this.#block.write(line, this.#filled);
      this.#block[this.#filled++] = NEWLINE;
    }
  }

  #flush(): void {
    const filled = this.#filled;
    this.#filled = 0;
    this.#write(this.#block.subarray(0, filled));
  }

  #write(bytes: Buffer): void {
    for (let left = bytes; left.length > 0; )
      left = left.subarray(disk.writeSync(this.#file, left));
  }

  /** Puts everything appended on disk and returns the file's length. */
  save(): number {
    if (!this.#isSaved) disk.fsyncSync(this.#file);
    this.#isSaved = true;
    return fstatSync(this.#file).size;
  }

  close(): void {
    disk.closeSync(this.#file);
  }
}

function isAtLineStart(file: number): boolean {
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1);
  if (size > 0) readSync(file, last, 0, 1, size - 1);
  return size === 0 || last[0] === NEWLINE;
}

/**
 * No link, and no waiting for the other end of a pipe. Windows has no such flags; there the check of
 * the whole memory finds the link.
 */
const PLAIN_FILE = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function openOwn(path: string, flags: number): number {
  const file = openUnlinked(path, flags | PLAIN_FILE);
  if (fstatSync(file).isFile()) return file;
  disk.closeSync(file);
  throw new ExpectedError(message('store.notFile', { path }));
}

function openUnlinked(path: string, flags: number): number {
  try {
    return disk.openSync(path, flags, PRIVATE_FILE);
  } catch (error) {
    if (errorCode(error) !== 'ELOOP') throw error;
    throw new ExpectedError(message('store.isLink', { path }));
  }
}
