/** A log for what goes wrong where nobody can see it, such as in a hook: private, and never more than two files of a megabyte. */
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { PRIVATE_FILE, PRIVATE_FOLDER } from './atomic-write.ts';

const MAX_LOG_BYTES = 1024 * 1024;

export function appendLog(path: string, line: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_LOG_BYTES) renameSync(path, `${path}.old`);
  appendFileSync(path, `${new Date().toISOString()} ${line.replaceAll('\n', '\\n')}\n`, { mode: PRIVATE_FILE });
}
