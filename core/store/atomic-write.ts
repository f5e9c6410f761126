/**
 * Writes a whole file so that whoever reads it, at whatever moment and after whatever crash, finds the old content or
 * the new one and never a mix (M21): temporary file beside it, fsync, rename, fsync of the folder.
 */
import { constants } from 'node:fs';
import { copyFile, type FileHandle, link, mkdir, open, readdir, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, thisProcess, unlikelyName } from './owner.ts';

export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

const TEMP_NAME = /^\..+\.(\d+)-([0-9a-f]{8})-[0-9a-f]{12}\.tmp$/;
const RENAME_TRIES = 12;
const RENAME_FIRST_WAIT_MS = 5;

export interface WriteOptions {
  /** False for files that can be had again (a derived reading): saves the two fsyncs. */
  durable?: boolean;
  /** Looked at after the bytes are safe and just before they become visible; throwing gives the write up. */
  beforeCommit?: () => void | Promise<void>;
}

export async function writeFileAtomic(path: string, data: string | Uint8Array, options: WriteOptions = {}): Promise<void> {
  const durable = options.durable ?? true;
  const target = await followLink(path);
  const folder = dirname(target);
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const temp = join(folder, tempName(target));
  try {
    const file = await open(temp, 'wx', PRIVATE_FILE);
    try {
      await file.writeFile(data);
      if (durable) await file.sync();
    } finally {
      await file.close();
    }
    await options.beforeCommit?.();
    await renameWithPatience(temp, target);
  } catch (error) {
    await unlink(temp).catch(() => undefined); // it may never have come to be; the error that led here is the one to tell
    throw error;
  }
  if (durable) await syncFolder(folder);
}

function tempName(target: string): string {
  const { pid, host } = thisProcess();
  return `.${basename(target)}.${pid}-${host}-${unlikelyName(12)}.tmp`;
}

/** Removes temporary files whose writer was killed before it could rename them. */
export async function sweepTempFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const [, pid, host] = TEMP_NAME.exec(name) ?? [];
    const isOurs = host === thisProcess().host;
    if (isOurs && !isAlive(Number(pid))) await unlink(join(folder, name)).catch(() => undefined); // another sweep was faster
  }
}

/** A user may keep a file elsewhere and link to it: then the file behind the link is written, the link stays. */
export async function followLink(path: string): Promise<string> {
  return realpath(path).catch(() => path); // not there yet
}

/** Windows refuses a rename while a virus scanner or indexer has the target open (B13); it lets go soon. */
async function renameWithPatience(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rename(from, to);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      const passing = process.platform === 'win32' && ['EPERM', 'EBUSY', 'EACCES'].includes(code);
      if (!passing || attempt === RENAME_TRIES) throw error;
      await sleep(RENAME_FIRST_WAIT_MS * attempt);
    }
  }
}

/** Makes a rename survive a power cut. Windows has no such call and needs none. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  let handle: FileHandle | undefined;
  try {
    handle = await open(folder, constants.O_RDONLY);
    await handle.sync();
  } finally {
    await handle?.close();
  }
}

/**
 * Gives the content of a file a second name. A hard link costs nothing and is safe, because every write replaces the
 * file by rename and leaves the old content as it is.
 */
export async function keepUnder(path: string, name: string): Promise<void> {
  await link(path, name).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw error;
    await copyFile(path, name, constants.COPYFILE_EXCL); // a file system without hard links
  });
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
