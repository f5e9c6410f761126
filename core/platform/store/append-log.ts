/**
 * Appends to logs: what was done, and what went wrong where no user sees it, such as in a hook. A
 * log is private and at most two files of limited size.
 */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateFolder, PRIVATE_FILE } from './atomic-write.ts';
import { disk } from './disk.ts';

const MAX_LOG_BYTES = 1024 * 1024;

export function appendLog(path: string, line: string): void {
  const text = `${new Date().toISOString()} ${line.replaceAll('\n', '\\n')}`;
  appendRotating(path, [text], MAX_LOG_BYTES);
}

/** A file that has grown beyond the limit becomes `<path>.old`, replacing the one before. */
export function appendRotating(path: string, lines: readonly string[], maxBytes: number): void {
  makePrivateFolder(dirname(path));
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > maxBytes) disk.renameSync(path, `${path}.old`);
  disk.appendFileSync(path, lines.map((line) => `${line}\n`).join(''), { mode: PRIVATE_FILE });
}
