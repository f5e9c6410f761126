/**
 * Writes files that are too large to hold in memory, as streams. A file that another program may
 * look for appears as a whole or not at all.
 */
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { makePrivateFolder, PRIVATE_FILE, tempPath } from './atomic-write.ts';
import { errorCode } from './attempt.ts';
import { disk } from './disk.ts';

/** For a file in a folder of our own, which must not exist yet. On disk when it resolves. */
export async function writeStream(path: string, stream: Readable): Promise<void> {
  makePrivateFolder(dirname(path));
  const options = { flags: 'wx', mode: PRIVATE_FILE, flush: true };
  await pipeline(stream, disk.createWriteStream(path, options));
}

/** Replaces an existing file only with `mayReplace`. */
export async function writeNewFile(
  path: string,
  stream: Readable,
  { mayReplace = false } = {},
): Promise<void> {
  const temp = tempPath(path);
  try {
    await writeStream(temp, stream);
    if (mayReplace) disk.renameSync(temp, path);
    else publish(temp, path);
  } finally {
    disk.rmSync(temp, { force: true });
  }
}

/** A link to a name that is taken fails, where a rename would replace. */
function publish(temp: string, path: string): void {
  try {
    disk.linkSync(temp, path);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw new ExpectedError(message('store.exists', { path }));
    disk.renameSync(temp, path); // a file system without hard links
  }
}
