/**
 * Identifies the process that holds a lock or wrote a temporary file, as opposed to a later one
 * with the same pid. Hooks run this at every start, so it loads neither `node:os` nor `node:crypto`
 * (a sixth of a hook's time).
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { isPidInUse } from '../process/pid-in-use.ts';
import { isSameStart, ownStartTime } from '../process/start-times.ts';
import { attempt } from './attempt.ts';

export interface Owner {
  pid: number;
  /** Empty in hooks on Windows, which hold their locks in another way (lock.ts). */
  startTime: string;
  /** A pid means nothing on another machine, or in another container, that shares the folder. */
  host: string;
}

let acted: Owner | undefined;
let host: string | undefined;

export function thisProcess(): Owner {
  host ??= hostTag();
  return acted ?? { pid: process.pid, startTime: ownStartTime(), host };
}

/** For tests: writes as another process until called with undefined. */
export function actAs(owner: Owner | undefined): void {
  acted = owner;
}

/** False only when it is certain that the owner has ended. */
export function mayBeAlive(owner: Owner): boolean {
  const { pid, startTime, host } = thisProcess();
  if (owner.host !== host) return true;
  if (owner.pid === pid && owner.startTime === startTime) return true;
  return owner.startTime === '' ? isAlive(owner.pid) : isSameStart(owner.pid, owner.startTime);
}

export function isAlive(pid: number): boolean {
  return pid === thisProcess().pid || isPidInUse(pid);
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
