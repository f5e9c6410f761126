import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import { waitFor } from '../../tests/bed/wait-for.ts';
import { logText } from '../expected-error.ts';
import { message } from '../messages/message.ts';
import { withLock } from './lock.ts';
import { thisProcess } from './owner.ts';
import { pause } from './pause.ts';

const COUNTER = join(import.meta.dirname, 'counter-child.ts');

function startCounter(path: string, times: number): ChildProcess {
  return fork(COUNTER, [path, String(times)], { stdio: 'inherit' });
}

describe('withLock', () => {
  it('M21 B7 B18 eight processes with 500 changes each lose none', async () => {
    const path = join(tempFolder(), 'counter.json');
    const counters = Array.from({ length: 8 }, () => startCounter(path, 500));
    for (const [code] of await Promise.all(counters.map((counter) => once(counter, 'exit'))))
      expect(code).toBe(0);
    expect(JSON.parse(readFileSync(path, 'utf8')).count).toBe(4000);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('M21 goes on after a holder was killed, and the file stays whole', async () => {
    const path = join(tempFolder(), 'counter.json');
    let killed = 0;
    for (let round = 0; round < 12; round++) {
      const from = existsSync(path) ? countIn(path) : 0;
      const victim = startCounter(path, 100_000);
      await waitFor('the victim to be at work', () => existsSync(path) && countIn(path) > from);
      await sleep(Math.random() * 20);
      victim.kill('SIGKILL');
      const [, signal] = await once(victim, 'exit');
      if (signal === 'SIGKILL') killed++;
    }
    const before = countIn(path);
    const [code] = await once(startCounter(path, 50), 'exit');
    expect(code).toBe(0);
    expect(killed).toBe(12);
    expect(countIn(path)).toBe(before + 50);
    expect(readdirSync(join(path, '..'))).toEqual(['counter.json']);
  });

  it('does not wait for an owner that has ended, nor for a later process with its pid', () => {
    const path = join(tempFolder(), 'file.json');
    const { pid, host } = thisProcess();
    const far = Date.now() + 1_000_000;
    raiseFlag(path, `999999999.5.${host}.${far}.00000000`);
    raiseFlag(path, `${pid}.5.${host}.${far}.00000000`);
    expect(withLock(path, () => 'done', { patienceMs: 0 })).toBe('done');
  });

  it('does not wait for a lock that has expired, even if its owner lives', () => {
    const path = join(tempFolder(), 'file.json');
    const { pid, startTime, host } = thisProcess();
    raiseFlag(path, `${pid}.${startTime}.${host}.${Date.now() - 1}.00000000`);
    expect(withLock(path, () => 'done', { patienceMs: 0 })).toBe('done');
  });

  it('waits for an owner on another machine until the expiry, since its pid says nothing here', () => {
    const path = join(tempFolder(), 'file.json');
    raiseFlag(path, `999999999.5.ffffffff.${Date.now() + 1_000_000}.00000000`);
    expect(() => withLock(path, () => 'done', { patienceMs: 30 })).toThrow(
      logText(message('store.busy', { file: 'file.json', pid: '999999999' })),
    );
  });

  it('tells a holder whose time is over that it no longer holds the lock', () => {
    const path = join(tempFolder(), 'file.json');
    const late = () =>
      withLock(
        path,
        (lock) => {
          pause(30);
          lock.assertHeld();
        },
        { expiryMs: 10 },
      );
    expect(late).toThrow(logText(message('store.lockExpired', { file: 'file.json' })));
  });

  it('is released when the action throws', () => {
    const path = join(tempFolder(), 'file.json');
    expect(() =>
      withLock(path, () => {
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(withLock(path, () => 'next', { patienceMs: 0 })).toBe('next');
  });

  it('gets rid of files that do not belong into its folder', () => {
    const path = join(tempFolder(), 'file.json');
    raiseFlag(path, 'no flag at all');
    expect(withLock(path, () => 'done')).toBe('done');
    expect(existsSync(`${path}.lock`)).toBe(false);
  });
});

function raiseFlag(path: string, name: string): void {
  mkdirSync(`${path}.lock`, { recursive: true });
  writeFileSync(join(`${path}.lock`, name), '');
}

function countIn(path: string): number {
  return JSON.parse(readFileSync(path, 'utf8')).count;
}
