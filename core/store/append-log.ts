/** A log for what goes wrong where nobody can see it, such as in a hook: private, and never more than two files of a megabyte. */
import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PRIVATE_FILE, PRIVATE_FOLDER } from './atomic-write.ts';

const MAX_LOG_BYTES = 1024 * 1024;

export async function appendLog(path: string, line: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  const size = await stat(path).then(
    (info) => info.size,
    () => 0,
  );
  if (size > MAX_LOG_BYTES) await rename(path, `${path}.old`);
  await appendFile(path, `${new Date().toISOString()} ${line.replaceAll('\n', '\\n')}\n`, { mode: PRIVATE_FILE });
}
