/**
 * Identifies the process that holds a lock or wrote a temporary file, as opposed to a later one
 * with the same pid. Hooks run this at every start, so it loads neither `node:os` nor `node:crypto`
 * (a sixth of a hook's time).
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { linuxStartTime } from '../process/linux.ts';
import { attempt } from './attempt.ts';

export interface Owner {
  pid: number;
  /** Empty on macOS and Windows, where asking would cost a child process. */
  startTime: string;
  /** A pid means nothing on another machine, or in another container, that shares the folder. */
  host: string;
}

let self: Owner | undefined;

export function thisProcess(): Owner {
  self ??= { pid: process.pid, startTime: linuxStartTime(process.pid) ?? '', host: hostTag() };
  return self;
}

/** For tests: writes as another process until called with undefined. */
export function actAs(owner: Owner | undefined): void {
  self = owner;
}

/** False only when it is certain that the owner has ended. */
export function mayBeAlive(owner: Owner): boolean {
  const { pid, startTime, host } = thisProcess();
  if (owner.host !== host) return true;
  if (owner.pid === pid && owner.startTime === startTime) return true;
  return owner.startTime === ''
    ? isAlive(owner.pid)
    : linuxStartTime(owner.pid) === owner.startTime;
}

export function isAlive(pid: number): boolean {
  if (pid === thisProcess().pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // alive, but another user's
  }
}

/** Outside Linux there is no pid namespace, and the system knows its name. */
function hostTag(): string {
  const pidNamespace = attempt(() => readlinkSync('/proc/self/ns/pid'), '');
  return shortHash(`${hostName()} ${pidNamespace}`);
}

export function hostName(): string {
  const name = attempt(() => readFileSync('/proc/sys/kernel/hostname', 'utf8').trim(), '');
  return name || process.getBuiltinModule?.('node:os').hostname() || '';
}

/** FNV-1a, eight hex digits. */
export function shortHash(text: string): string {
  const bytes = Buffer.from(text);
  let hash = 0x811c9dc5;
  // Twice as fast as going through them with `of`.
  for (let at = 0; at < bytes.length; at++)
    hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** Hex digits for a name that nobody else uses. Not a secret: files are created exclusively. */
export function randomHex(digits: number): string {
  let name = '';
  while (name.length < digits) name += Math.floor(Math.random() * 16).toString(16);
  return name;
}
