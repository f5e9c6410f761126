/**
 * Writes files that are too large to hold in memory, as streams. A file that another program may
 * look for appears as a whole or not at all.
 */
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { PRIVATE_FILE, PRIVATE_FOLDER } from './atomic-write.ts';
import { disk } from './disk.ts';
import { thisProcess, unlikelyName } from './owner.ts';

/** For a file in a folder of our own, which must not be there yet. On disk when it resolves. */
export async function writeStream(path: string, stream: Readable): Promise<void> {
  disk.mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  const options = { flags: 'wx', mode: PRIVATE_FILE, flush: true };
  await pipeline(stream, disk.createWriteStream(path, options));
}

/**
 * Written beside its place first. What stands there already is replaced only if that was asked for.
 */
export async function writeNewFile(
  path: string,
  stream: Readable,
  { mayReplace = false } = {},
): Promise<void> {
  const { pid, host } = thisProcess();
  const temp = join(dirname(path), `.${basename(path)}.${pid}-${host}-${unlikelyName(12)}.tmp`);
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
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new ExpectedError(message('store.exists', { path }));
    disk.renameSync(temp, path); // a file system without hard links
  }
}
