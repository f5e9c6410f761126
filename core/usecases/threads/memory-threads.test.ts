import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MadeMemory } from '../../../tests/bed/made-memory.ts';
import { PastHome } from '../../../tests/bed/past-home.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import type { BackfillProgress } from '../../memory/backfill/run-backfill.ts';
import { readMemoryIndex } from '../../memory/log/memory-index.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { cancelImport } from '../memory/backfill.ts';
import type { WorkProgress } from '../memory/long-work.ts';
import { MemoryThreads } from './memory-threads.ts';

function threadOf(
  made: MadeMemory,
  { told = [] as WorkProgress[], programs }: { told?: WorkProgress[]; programs?: string[] } = {},
): MemoryThreads {
  const thread = new MemoryThreads({
    system: { places: made.places, env: { LANG: 'ko_KR.UTF-8' }, bundledPlugin: null },
    onProgress: (progress) => told.push(progress),
    onDoctor: () => undefined,
    onBackfill: () => undefined,
    isLive: (root) => root.endsWith('live'),
    projects: () => ({}),
    ...(programs && { programs }),
  });
  onTestFinished(() => thread.close());
  return thread;
}

function madeUp(code: string): string {
  const path = join(tempFolder(), 'thread.mjs');
  writeFileSync(path, `import { parentPort } from 'node:worker_threads';\n${code}`);
  return path;
}

function threadIn(
  { places, env }: PastHome,
  onBackfill: (progress: BackfillProgress) => void = () => undefined,
) {
  const thread = new MemoryThreads({
    system: { places, env, bundledPlugin: null },
    onProgress: () => undefined,
    onDoctor: () => undefined,
    onBackfill,
    isLive: () => false,
    projects: () => ({}),
  });
  onTestFinished(() => thread.close());
  return { thread, places };
}

describe('the thread that reads and changes memory', () => {
  it('answers as the handlers do, in the user’s language, and reports progress', async () => {
    const made = new MadeMemory();
    made.decide('s1', 'The dev server uses port 3000.');
    const told: WorkProgress[] = [];
    const thread = threadOf(made, { told });
    const project = made.root;
    await thread.warm(project);
    expect(await thread.call('memory.fact', { project, id: 'd001' })).toMatchObject({
      fact: { content: 'The dev server uses port 3000.' },
    });
    expect((await thread.call('rules.read', {})).text).toContain('추측하지 말고');
    expect(await thread.call('work.run', { project, what: 'rebuild' })).toMatchObject({
      figures: { facts: 1 },
    });
    expect(told.at(-1)).toMatchObject({ project, isOver: true });
  });

  it('an error for a person arrives as one, any other as a bug', async () => {
    const made = new MadeMemory();
    const thread = threadOf(made);
    const refused = thread.call('memory.text', { project: made.root });
    await expect(refused).rejects.toThrow('memory.unknownProject');
    await expect(refused).rejects.toBeInstanceOf(ExpectedError);
    const bug = thread.call('memory.fact', undefined as never).catch((error: Error) => error);
    expect(await bug).not.toBeInstanceOf(ExpectedError);
  });

  it('accepts the projects of live sessions that the application names', async () => {
    const made = new MadeMemory();
    const thread = threadOf(made);
    await expect(thread.call('memory.text', { project: join(made.root, 'live') })).rejects.toThrow(
      'memory.projectGone',
    );
  });

  it('M21 a crash fails the calls under way, and the next call starts another thread', async () => {
    const made = new MadeMemory();
    const count = join(tempFolder(), 'count');
    const code = `import { existsSync, writeFileSync } from 'node:fs';
      parentPort.on('message', ({ id, method }) => {
        if (existsSync(${JSON.stringify(count)})) return parentPort.postMessage({ id, answer: { ok: true, value: method } });
        writeFileSync(${JSON.stringify(count)}, '');
        throw new Error('odd');
      });`;
    const thread = threadOf(made, { programs: [madeUp(code)] });
    const asked = [
      thread.call('memory.text', { project: 'x' }),
      thread.call('memory.sessions', { project: 'x' }),
    ];
    for (const { reason, status } of (await Promise.allSettled(asked)) as PromiseRejectedResult[]) {
      expect(status).toBe('rejected');
      expect(reason.message).toContain('The thread that reads memory has ended');
    }
    expect(await thread.call('memory.text', { project: 'x' })).toBe('memory.text');
  });

  it('G2 long work is reported as over when its thread crashes, and only once when it ended well', async () => {
    const code = `parentPort.on('message', ({ id, args: { project, what } }) => {
      const tell = (isOver) => parentPort.postMessage({ progress: { project, what, done: 1, total: 2, isOver } });
      tell(false);
      if (what === 'save') throw new Error('odd');
      tell(true);
      parentPort.postMessage({ id, answer: { ok: true, value: what } });
    });`;
    const told: WorkProgress[] = [];
    const thread = threadOf(new MadeMemory(), { told, programs: [madeUp(code)] });
    await thread.call('work.run', { project: 'x', what: 'verify' });
    await expect(thread.call('work.run', { project: 'x', what: 'save' })).rejects.toThrow(
      'has ended',
    );
    await thread.close();
    const step = (what: WorkProgress['what'], isOver: boolean) => ({
      project: 'x',
      what,
      done: 1,
      total: 2,
      isOver,
    });
    expect(told).toEqual([
      step('verify', false),
      step('verify', true),
      step('save', false),
      step('save', true),
    ]);
  });

  it('M8 M12 tidies up all projects by itself, and finishes what abandoned ones left undone', async () => {
    const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
    const left = new MadeMemory({ day: '2026-01-05' });
    const current = new MadeMemory({ day: today, places: left.places });
    const words = [
      { user: 'Please fix the login form.' },
      { assistant: 'The login form is fixed.' },
    ];
    left.say('killed', ...words);
    current.say('open', ...words);
    const thread = threadOf(left);
    await thread.tidy();
    expect(left.memoryMd).toContain('The login form is fixed.');
    expect(readMemoryIndex(left.memory)).toMatchObject({
      compressedAt: expect.any(String),
      sessions: { killed: { isOver: true } },
    });
    expect(readdirSync(left.memory.sessions).join()).toMatch(/week-\d\d\.md|archive/);
    expect(readMemoryIndex(current.memory)).toMatchObject({
      compressedAt: expect.any(String),
      sessions: { open: { isOver: false } },
    });
    expect(existsSync(join(current.memory.folder, 'memory.md'))).toBe(true);
    expect(current.memoryMd).not.toContain('The login form is fixed.');
  });

  it('work that hangs does not hold up a page', async () => {
    const code = `parentPort.on('message', ({ id, method }) => {
      if (method !== 'work.run') parentPort.postMessage({ id, answer: { ok: true, value: method } });
    });`;
    const thread = threadOf(new MadeMemory(), { programs: [madeUp(code)] });
    const work = thread
      .call('work.run', { project: 'x', what: 'rebuild' })
      .catch((error: Error) => error);
    expect(await thread.call('memory.text', { project: 'x' })).toBe('memory.text');
    await thread.close();
    // The user ended it: nothing that anybody should report.
    expect(await work).toEqual(new ExpectedError(message('memory.closing')));
    await expect(thread.call('memory.text', { project: 'x' })).rejects.toThrow('memory.closing');
  });

  it('L1d past conversations come in beside everything else, with progress, until they are cancelled', async () => {
    const home = new PastHome();
    for (let n = 0; n < 40; n++) home.talk(`s${n}`, { day: '2026-09-01' });
    const told: BackfillProgress[] = [];
    const { thread, places } = threadIn(home, (progress) => {
      if (told.push(progress) === 1) cancelImport(places);
    });
    const choice = { only: [], except: [], since: undefined };
    const result = await thread.call('backfill.run', { ...choice, goOn: false });
    expect(result.state).toBe('cancelled');
    expect(result.sessions + result.left).toBe(40);
    expect(told[0]).toMatchObject({ sessionsTotal: 40, isOver: false });
    expect(told.at(-1)).toMatchObject({ sessionsDone: result.sessions, isOver: true });
    expect((await thread.call('backfill.preview', choice)).sessions).toBe(result.left);
  });

  it('L1d an import that waits for its thread can be cancelled', async () => {
    const home = new PastHome();
    home.talk('one', { day: '2026-09-01' });
    const { thread, places } = threadIn(home);
    const choice = { only: [], except: [], since: undefined };
    const asked = thread.call('backfill.run', { ...choice, goOn: false });
    cancelImport(places); // the thread has not even started
    expect(await asked).toMatchObject({ state: 'cancelled', sessions: 0, left: 1 });
  });

  it('reports that its program is missing', async () => {
    const thread = threadOf(new MadeMemory(), { programs: ['/none.js'] });
    await expect(thread.call('memory.text', { project: 'x' })).rejects.toThrow('memory.noThread');
  });
});
