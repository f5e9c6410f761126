/**
 * Files that only grow, such as L1: appended lines are on disk when the call returns, and nothing
 * in the file is changed. We create these files ourselves, so a link in their place is foreign and
 * is not followed (M1).
 */
import { constants, fstatSync, readSync } from 'node:fs';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { PRIVATE_FILE } from './atomic-write.ts';
import { disk } from './disk.ts';

const NEWLINE = 0x0a;
const BLOCK_BYTES = 64 * 1024;
const MAX_BYTES_PER_CHAR = 3;

/** What stands behind an offset, up to another if there is one; empty if there is no such file. */
export function readBehind(path: string, offset: number, end = Number.POSITIVE_INFINITY): Buffer {
  const file = openIfThere(path);
  if (file === undefined) return Buffer.alloc(0);
  try {
    const length = Math.max(0, Math.min(fstatSync(file).size, end) - offset);
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, readSync(file, buffer, 0, length, offset));
  } finally {
    disk.closeSync(file);
  }
}

/** Appends lines and gives back how long the file is then. */
export function appendLines(path: string, lines: readonly string[]): number {
  const file = new AppendOnlyFile(path);
  try {
    file.append(lines);
    return file.save();
  } finally {
    file.close();
  }
}

/** For more lines than one wants to hold at once. */
export class AppendOnlyFile {
  readonly #file: number;
  #isAtLineStart: boolean;
  #isSaved = true;
  readonly #block = Buffer.allocUnsafe(BLOCK_BYTES);
  #filled = 0;

  constructor(path: string) {
    this.#file = openOwn(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
    this.#isAtLineStart = isAtLineStart(this.#file);
  }

  /** Begins a line of its own if the last writer was cut short. */
  append(lines: readonly string[]): void {
    if (lines.length === 0) return;
    if (!this.#isAtLineStart) this.#add('');
    for (const line of lines) this.#add(line);
    this.#flush();
    this.#isAtLineStart = true;
    this.#isSaved = false;
  }

  /**
   * Line by line, because one that is not Latin-1 makes it four times as slow to encode all that it
   * is joined with.
   */
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
    this.#write(this.#block.subarray(0, this.#filled));
    this.#filled = 0;
  }

  #write(bytes: Buffer): void {
    for (let left = bytes; left.length > 0; )
      left = left.subarray(disk.writeSync(this.#file, left));
  }

  /** All that was appended is on disk when this returns. Gives back how long the file is. */
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

function openIfThere(path: string): number | undefined {
  try {
    return openOwn(path, constants.O_RDONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Windows has no such flag; there the check of the whole memory finds the link. */
const NO_LINK = constants.O_NOFOLLOW ?? 0;

function openOwn(path: string, flags: number): number {
  try {
    return disk.openSync(path, flags | NO_LINK, PRIVATE_FILE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOOP') throw error;
    throw new ExpectedError(message('store.isLink', { path }));
  }
}
