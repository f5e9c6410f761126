/**
 * A temp folder in memory for the tests, where the machine has one with room enough: they make
 * hundreds of thousands of small files, and on a disk that takes longer than all else that unit
 * tests do. Linux shares memory as files in `/dev/shm`.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SHARED_MEMORY = '/dev/shm';
const TMPFS = 0x01021994;
const GIGABYTE = 2 ** 30;
/** Several times what all tests had there at once. */
const ROOM = 2 * GIGABYTE;
/** What browsers and the CLI need beside it. */
const MEMORY = 6 * GIGABYTE;

/** Undefined where there is none, or programs in it may not be run. It goes with this process. */
export function tempInMemory(within = SHARED_MEMORY): string | undefined {
  if (!hasRoom(within)) return undefined;
  const folder = mkdtempSync(join(within, 'mk-')); // short: sockets lie in it
  process.once('exit', () => remove(folder));
  chmodSync(folder, 0o1777); // as /tmp is: some tests are somebody else
  return mayRun(join(folder, 'program')) ? folder : undefined;
}

function hasRoom(within: string): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(within);
    return type === TMPFS && bavail * bsize >= ROOM && process.availableMemory() >= MEMORY;
  } catch {
    return false;
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  } catch {
    // A process that a test left behind uses it: no reason to fail.
  }
}

function mayRun(program: string): boolean {
  try {
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    execFileSync(program);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(program, { force: true });
  }
}
