/** Files that only ever grow, such as L1: what is appended is on disk when the call returns, and nothing that stands there is touched. */
import { open } from 'node:fs/promises';
import { PRIVATE_FILE } from './atomic-write.ts';

const NEWLINE = 0x0a;

/** What stands behind an offset; empty if there is no such file. */
export async function readBehind(path: string, offset: number): Promise<Buffer> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return Buffer.alloc(0);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(Math.max(0, size - offset)),
      0,
      Math.max(0, size - offset),
      offset,
    );
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Appends lines, behind a line of their own if the last writer was cut short, and gives back how long the file is then. */
export async function appendLines(path: string, lines: readonly string[]): Promise<number> {
  const file = await open(path, 'a+', PRIVATE_FILE);
  try {
    const { size } = await file.stat();
    if (lines.length === 0) return size;
    const last = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    const isTorn = size > 0 && last.buffer[0] !== NEWLINE;
    await file.appendFile(`${isTorn ? '\n' : ''}${lines.map((line) => `${line}\n`).join('')}`);
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}
