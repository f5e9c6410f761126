/**
 * Follows files in the plain way: reads the end of each of them again, five times a second. Run by
 * idle-follow.ts.
 */
import { open } from 'node:fs/promises';

const EVERY_MS = 200;
const TAIL_BYTES = 64 * 1024;

async function readTail(path: string): Promise<void> {
  const file = await open(path, 'r');
  const { size } = await file.stat();
  await file.read(Buffer.allocUnsafe(TAIL_BYTES), 0, TAIL_BYTES, Math.max(0, size - TAIL_BYTES));
  await file.close();
}

setInterval(() => void Promise.all(process.argv.slice(2).map(readTail)), EVERY_MS);
