/**
 * Identifies the process that holds a lock or wrote a temporary file, as opposed to a later one
 * with the same pid.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { linuxStartTime } from '../process/linux.ts';
import { attempt } from './attempt.ts';

export interface Owner {
  pid: number;
  /**
   * Empty where asking would cost a child process (macOS, Windows): there the pid and the expiry
   * must do.
   */
  startTime: string;
  /** A pid means nothing on another machine, or in another container, that shares the folder. */
  host: string;
}

let self: Owner | undefined;

export function thisProcess(): Owner {
  self ??= { pid: process.pid, startTime: linuxStartTime(process.pid) ?? '', host: hostTag() };
  return self;
}

/** For tests: what is written from now on is another process's, until this one's is told again. */
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

function hostTag(): string {
  const pidNamespace = attempt(() => readlinkSync('/proc/self/ns/pid'), ''); // elsewhere than on Linux there are none
  return fingerprint(`${hostname()} ${pidNamespace}`);
}

/** As `node:os` has it, which would have to be loaded: a hook has no time for that. */
function hostname(): string {
  const told = attempt(() => readFileSync('/proc/sys/kernel/hostname', 'utf8').trim(), ''); // not on Linux
  return told || process.getBuiltinModule?.('node:os').hostname() || '';
}

/**
 * FNV-1a, eight hex digits. node:crypto would do, but loading it costs a hook a sixth of its time.
 */
export function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/**
 * Part of a name that nobody else uses, beside pid and host. It keeps no secret: files are created
 * exclusively.
 */
export function unlikelyName(digits: number): string {
  let name = '';
  while (name.length < digits) name += Math.floor(Math.random() * 16).toString(16);
  return name;
}
