/**
 * Lets one process at a time read, change and write a file (M21).
 *
 * Each contender puts a flag, an empty file whose NAME tells owner and expiry, into `<path>.lock/`
 * and then looks who else is there: alone, it holds the lock; otherwise it takes its flag back and
 * waits. Two cannot both find themselves alone, because each looks only after its own flag stands.
 * A flag of a process that has ended, or past its expiry, does not count and anyone may remove it:
 * its name is never used again, so nobody can remove a living flag by mistake, which is how locks
 * with one shared file name get lost. Nor does a flag count that claims to hold longer than any of
 * ours does: whoever put it there, it holds nobody up (T6).
 *
 * On Windows an owner keeps its flag open and shares it with nobody. The system closes it when the
 * owner ends, however that happens, so a flag that can be opened is one without an owner.
 */
import { closeSync, constants, existsSync, lstatSync, openSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { makePrivateFolder, PRIVATE_FILE, sweepTempFiles } from './atomic-write.ts';
import { attempt, errorCode } from './attempt.ts';
import { disk } from './disk.ts';
import { timeStamp } from './history.ts';
import { mayBeAlive, type Owner, randomHex, thisProcess } from './owner.ts';
import { pause } from './pause.ts';

const DEFAULT_EXPIRY_MS = 15_000;
/** No lock of ours is held longer; a flag that claims more is forged, broken, or of another clock. */
export const MAX_EXPIRY_MS = 10 * 60_000;
let defaultTimeoutMs = 20_000;
const MAX_PAUSE_MS = 25;
const RAISE_TRIES = 100;
const isWindows = process.platform === 'win32';
/** Windows has other codes for a folder that is being removed. */
const FOLDER_IS_GOING = isWindows ? ['ENOENT', 'EPERM', 'EACCES', 'EBUSY'] : ['ENOENT'];
/** Of a flag that is gone, or of one that has expired and is still held open. */
const NOT_REMOVED = isWindows ? ['ENOENT', 'EBUSY', 'EPERM', 'EACCES'] : ['ENOENT'];
/** UV_FS_O_EXLOCK of libuv, which Node.js does not name: opened, and shared with nobody. */
const SHARED_WITH_NOBODY = 0x1000_0000;
const { O_CREAT, O_EXCL, O_WRONLY } = constants;
const FLAG_MODE = O_CREAT | O_EXCL | O_WRONLY | (isWindows ? SHARED_WITH_NOBODY : 0);

export interface LockOptions {
  /**
   * After this long the lock is free even if its owner lives: it hangs, or the laptop slept. At
   * most MAX_EXPIRY_MS.
   */
  expiryMs?: number;
  /** How long to wait for others before giving up. */
  timeoutMs?: number;
}

/** Nothing is wrong: another process was faster, and may take a while. */
export class BusyError extends ExpectedError {}

/** For a process that somebody waits for: from now on it waits for no lock longer than that. */
export function limitLockWaits(ms: number): void {
  defaultTimeoutMs = ms;
}

export interface HeldLock {
  /** Throws if the lock expired. Call it just before a change becomes visible. */
  assertHeld(): void;
}

export function withLock<T>(
  path: string,
  action: (lock: HeldLock) => T,
  options: LockOptions = {},
): T {
  const { release, ...lock } = holdLock(path, options);
  try {
    return action(lock);
  } finally {
    release();
  }
}

/** For asynchronous work under a lock. The caller must call `release`. */
export function holdLock(path: string, options: LockOptions = {}): HeldLock & { release(): void } {
  const folder = `${path}.lock`;
  const flag = acquire(path, folder, options);
  return {
    assertHeld() {
      if (Date.now() >= flag.expiresAt || !existsSync(join(folder, flag.name)))
        throw new ExpectedError(message('store.lockExpired', { file: basename(path) }));
    },
    release() {
      attempt(() => lower(folder, flag), undefined); // at worst it expires
      attempt(() => disk.rmdirSync(folder), undefined); // others still wait in it
    },
  };
}

interface Flag {
  name: string;
  owner: Owner;
  expiresAt: number;
  /** Of our own flag on Windows. */
  file?: number;
}

function acquire(path: string, folder: string, options: LockOptions): Flag {
  const deadline = Date.now() + (options.timeoutMs ?? defaultTimeoutMs);
  for (let wait = 1; ; wait = Math.min(wait * 2, MAX_PAUSE_MS)) {
    let [other] = validFlags(path, folder);
    if (other === undefined) {
      const flag = raise(folder, options.expiryMs ?? DEFAULT_EXPIRY_MS);
      const flags = validFlags(path, folder);
      other = flags.find(({ name }) => name !== flag.name);
      if (other === undefined && flags.length === 1) return flag;
      lower(folder, flag);
    }
    if (Date.now() > deadline) {
      const pid = String(other?.owner.pid ?? '?');
      throw new BusyError(message('store.busy', { file: basename(path), pid }));
    }
    pause(Math.random() * wait);
  }
}

function raise(folder: string, expiryMs: number): Flag {
  const owner = thisProcess();
  const expiresAt = Date.now() + Math.min(expiryMs, MAX_EXPIRY_MS);
  const name = [owner.pid, owner.startTime, owner.host, expiresAt, randomHex(8)].join('.');
  for (let tries = 1; ; tries++) {
    try {
      makePrivateFolder(folder);
      const file = disk.openSync(join(folder, name), FLAG_MODE, PRIVATE_FILE);
      if (isWindows) return { name, owner, expiresAt, file };
      disk.closeSync(file);
      return { name, owner, expiresAt };
    } catch (error) {
      // The previous owner removed the empty folder during or after our mkdir.
      if (FOLDER_IS_GOING.includes(errorCode(error)) && tries < RAISE_TRIES) continue;
      attempt(() => disk.rmdirSync(folder), undefined); // others wait in it
      throw error;
    }
  }
}

/** One that is gone had expired, and another process cleaned up. */
function lower(folder: string, { name, file }: Pick<Flag, 'name' | 'file'>): void {
  if (file !== undefined) disk.closeSync(file);
  attempt(() => disk.unlinkSync(join(folder, name)), undefined, NOT_REMOVED);
}

/** Removes the other flags, and the temporary files that their killed owners left behind. */
function validFlags(path: string, folder: string): Flag[] {
  const flags: Flag[] = [];
  for (const name of namesIn(folder)) {
    const flag = parseFlag(name);
    if (flag === undefined)
      attempt(() => lower(folder, { name }), undefined); // a folder, say: it stays
    else if (isInForce(folder, flag)) flags.push(flag);
    else {
      lower(folder, flag);
      sweepTempFiles(dirname(path));
    }
  }
  return flags;
}

/** The owner of a flag that is removed by mistake (a clock was set back) finds out by `assertHeld`. */
function isInForce(folder: string, { name, expiresAt, owner }: Flag): boolean {
  const left = expiresAt - Date.now();
  if (left <= 0 || left > MAX_EXPIRY_MS) return false;
  return isWindows ? isHeldOpen(join(folder, name)) : mayBeAlive(owner);
}

function isHeldOpen(path: string): boolean {
  try {
    closeSync(openSync(path, 'r'));
    return false;
  } catch (error) {
    return errorCode(error) !== 'ENOENT';
  }
}

/** Removes what killed processes left in a folder: temporary files, and locks nobody waits for. */
export function sweepLeftovers(folder: string): void {
  sweepTempFiles(folder);
  for (const name of namesIn(folder)) {
    if (!name.endsWith('.lock')) continue;
    const lock = join(folder, name);
    if (validFlags(lock.slice(0, -'.lock'.length), lock).length === 0)
      attempt(() => disk.rmdirSync(lock), undefined); // taken just now
  }
}

/** A folder that cannot be read must never pass for an empty one. */
function namesIn(folder: string): string[] {
  setAsideIfForeign(folder);
  return attempt(() => readdirSync(folder), [], ['ENOENT']);
}

/** A link would have us remove files in somebody else's folder; anything else would block us. */
function setAsideIfForeign(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== false) return;
  // gone meanwhile: another process was faster
  attempt(() => disk.renameSync(folder, `${folder}.broken-${timeStamp()}`), undefined, ['ENOENT']);
}

function parseFlag(name: string): Flag | undefined {
  const match = /^(\d+)\.(\d*)\.([0-9a-f]{8})\.(\d+)\.[0-9a-f]{8}$/.exec(name);
  if (match === null) return undefined;
  const [, pid, startTime = '', host = '', expiresAt] = match;
  return { name, owner: { pid: Number(pid), startTime, host }, expiresAt: Number(expiresAt) };
}
