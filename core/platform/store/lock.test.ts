import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { killedAt, stepThrough } from '../../../tests/bed/simulated-kill.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { logText, message } from '../../messages/message.ts';
import { updateDocument } from './document.ts';
import { BusyError, type LockOptions, MAX_EXPIRY_MS, withLock } from './lock.ts';
import { thisProcess } from './owner.ts';
import { pause } from './pause.ts';

const COUNTER = join(import.meta.dirname, '../../../tests/children/counter-child.ts');

const counterFile = {
  version: 1,
  schema: v.looseObject({ count: v.number() }),
  empty: () => ({ count: 0 }),
};

function countUp(path: string, options: LockOptions = {}): void {
  updateDocument(path, counterFile, ({ count }) => ({ count: count + 1 }), options);
}

/** Whether another process gets to count, if it does not wait. */
function isCountedUp(path: string): boolean {
  try {
    countUp(path, { timeoutMs: 0 });
    return true;
  } catch (error) {
    if (error instanceof BusyError) return false;
    throw error;
  }
}

describe('withLock', () => {
  it('M21 B7 B18 processes that change a file at once lose no change', async () => {
    const path = join(tempFolder(), 'counter.json');
    const counters = Array.from({ length: 3 }, () =>
      fork(COUNTER, [path, '100'], { stdio: 'inherit' }),
    );
    for (const [code] of await Promise.all(counters.map((counter) => once(counter, 'exit'))))
      expect(code).toBe(0);
    expect(countIn(path)).toBe(300);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('M21 B18 a process that arrives at any step of a change is kept out or loses nothing', async () => {
    const came = { inTime: 0, keptOut: 0 };
    for (let step = 0, isOver = false; !isOver; step++) {
      const path = join(tempFolder(), 'counter.json');
      let others = 0;
      const { moments } = await stepThrough(
        () => countUp(path),
        (moment) => {
          if (moment.step === step) others = Number(isCountedUp(path));
          return undefined;
        },
      );
      isOver = moments.length <= step;
      if (!isOver) came[others === 1 ? 'inTime' : 'keptOut']++;
      expect(countIn(path), `step ${step}`).toBe(1 + others);
      expect(existsSync(`${path}.lock`), `step ${step}`).toBe(false);
    }
    expect(came.inTime).toBeGreaterThan(1);
    expect(came.keptOut).toBeGreaterThan(4);
  });

  it('M21 recovers after a holder was killed at any step, and the file stays whole', async () => {
    const left = { locks: 0, temporary: 0 };
    for (let step = 0, isOver = false; !isOver; step++) {
      const path = join(tempFolder(), 'counter.json');
      countUp(path);
      const { isKilled } = await killedAt(step, () => countUp(path));
      isOver = !isKilled;
      const before = countIn(path);
      const names = readdirSync(join(path, '..'));
      if (names.includes('counter.json.lock')) left.locks++;
      if (names.some((name) => name.endsWith('.tmp'))) left.temporary++;
      countUp(path, { timeoutMs: 0 });
      expect(countIn(path), `killed at step ${step}`).toBe(before + 1);
      expect(readdirSync(join(path, '..')), `killed at step ${step}`).toEqual(['counter.json']);
    }
    expect(left.locks).toBeGreaterThan(4);
    expect(left.temporary).toBeGreaterThan(2);
  });

  it('does not wait for an owner that has ended, nor for a later process with its pid', () => {
    const path = join(tempFolder(), 'file.json');
    const { pid, host } = thisProcess();
    const far = Date.now() + 60_000;
    raiseFlag(path, `999999999.5.${host}.${far}.00000000`);
    raiseFlag(path, `${pid}.5.${host}.${far}.00000000`);
    expect(withLock(path, () => 'done', { timeoutMs: 0 })).toBe('done');
  });

  it('does not wait for a lock that has expired, even if its owner lives', () => {
    const path = join(tempFolder(), 'file.json');
    const { pid, startTime, host } = thisProcess();
    raiseFlag(path, `${pid}.${startTime}.${host}.${Date.now() - 1}.00000000`);
    expect(withLock(path, () => 'done', { timeoutMs: 0 })).toBe('done');
  });

  it('waits for an owner on another machine until the expiry, since its pid means nothing here', () => {
    const path = join(tempFolder(), 'file.json');
    raiseFlag(path, `999999999.5.ffffffff.${Date.now() + 60_000}.00000000`);
    expect(() => withLock(path, () => 'done', { timeoutMs: 30 })).toThrow(
      logText(message('store.busy', { file: 'file.json', pid: '999999999' })),
    );
  });

  it('tells a holder whose lock expired that it no longer holds it', () => {
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
    expect(withLock(path, () => 'next', { timeoutMs: 0 })).toBe('next');
  });

  it('removes files that do not belong in its folder', () => {
    const path = join(tempFolder(), 'file.json');
    raiseFlag(path, 'no flag at all');
    expect(withLock(path, () => 'done')).toBe('done');
    expect(existsSync(`${path}.lock`)).toBe(false);
  });
});

describe('T6 a forged or broken lock', () => {
  const YEAR_9999 = Date.UTC(9999, 0);

  it.each([
    ['of an unknown machine until the year 9999', `1.5.ffffffff.${YEAR_9999}.00000000`],
    ['of pid 1 of an unknown machine, without a start time', `1..ffffffff.${YEAR_9999}.00000000`],
    ['beyond every number', `1.5.ffffffff.${'9'.repeat(200)}.00000000`],
    ['just longer than ours are', `1.5.ffffffff.${Date.now() + MAX_EXPIRY_MS + 60_000}.00000000`],
    ['of a process that lives', ownFlag(YEAR_9999)],
    ['of garbage', '\u0007 no flag \u00e9'],
  ])('%s holds nobody up', (_, name) => {
    const path = join(tempFolder(), 'file.json');
    raiseFlag(path, name);
    expect(withLock(path, () => 'done', { timeoutMs: 0 })).toBe('done');
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('that would take turns for days is gone at the first look', () => {
    const path = join(tempFolder(), 'file.json');
    for (let n = 1; n < 50; n++)
      raiseFlag(path, `1.5.ffffffff.${Date.now() + MAX_EXPIRY_MS + n * 60_000}.0000000${n % 10}`);
    withLock(path, () => undefined, { timeoutMs: 0 });
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('that is a link removes nothing where it leads, and is set aside', () => {
    const folder = tempFolder();
    const path = join(folder, 'file.json');
    const letters = join(folder, 'letters');
    mkdirSync(letters);
    writeFileSync(join(letters, 'to mother.txt'), 'Dear mother');
    symlinkSync(letters, `${path}.lock`);
    expect(withLock(path, () => 'done', { timeoutMs: 0 })).toBe('done');
    expect(readFileSync(join(letters, 'to mother.txt'), 'utf8')).toBe('Dear mother');
    expect(readdirSync(folder).filter((name) => name.includes('.lock.broken-'))).toHaveLength(1);
  });

  it.runIf(process.platform !== 'win32').each(['file', 'pipe', 'link to nothing'])(
    'that is a %s is set aside',
    (what) => {
      const folder = tempFolder();
      const path = join(folder, 'file.json');
      const lock = `${path}.lock`;
      if (what === 'file') writeFileSync(lock, 'x');
      else if (what === 'pipe') execFileSync('mkfifo', [lock]);
      else symlinkSync(join(folder, 'nothing'), lock);
      expect(withLock(path, () => 'done', { timeoutMs: 0 })).toBe('done');
      expect(readdirSync(folder).filter((name) => name.includes('.lock.broken-'))).toHaveLength(1);
    },
  );

  it('with a folder among its flags holds nobody up, and the folder stays', () => {
    const path = join(tempFolder(), 'file.json');
    mkdirSync(join(`${path}.lock`, 'photos'), { recursive: true });
    expect(withLock(path, () => 'done', { timeoutMs: 0 })).toBe('done');
    expect(existsSync(join(`${path}.lock`, 'photos'))).toBe(true);
  });
});

function ownFlag(expiresAt: number): string {
  const { pid, startTime, host } = thisProcess();
  return `${pid}.${startTime}.${host}.${expiresAt}.00000000`;
}

function raiseFlag(path: string, name: string): void {
  mkdirSync(`${path}.lock`, { recursive: true });
  writeFileSync(join(`${path}.lock`, name), '');
}

function countIn(path: string): number {
  return JSON.parse(readFileSync(path, 'utf8')).count;
}
