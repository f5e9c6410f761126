/**
 * Logs: what was done, and what went wrong where no user sees it, such as in a hook. Private, and
 * never more than two files of limited size.
 */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { PRIVATE_FILE, PRIVATE_FOLDER } from './atomic-write.ts';
import { disk } from './disk.ts';

const MAX_LOG_BYTES = 1024 * 1024;

export function appendLog(path: string, line: string): void {
  appendRotating(
    path,
    [`${new Date().toISOString()} ${line.replaceAll('\n', '\\n')}`],
    MAX_LOG_BYTES,
  );
}

/** A file that has grown beyond the limit becomes `<path>.old`, in place of the one before. */
export function appendRotating(path: string, lines: readonly string[], maxBytes: number): void {
  disk.mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > maxBytes) disk.renameSync(path, `${path}.old`);
  disk.appendFileSync(path, lines.map((line) => `${line}\n`).join(''), { mode: PRIVATE_FILE });
}
