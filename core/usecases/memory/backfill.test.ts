/** Conversations from before Memory Keeper are taken in, continued, and taken back (L1d). */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { PastHome } from '../../../tests/bed/past-home.ts';
import { fullFrom, killedAt, stepThrough } from '../../../tests/bed/simulated-kill.ts';
import type { BackfillProgress } from '../../memory/backfill/run-backfill.ts';
import { parseL1 } from '../../memory/log/l1-line.ts';
import { readL1Range, saveL1 } from '../../memory/log/l1-store.ts';
import { readMemoryIndex, updateMemoryIndex } from '../../memory/log/memory-index.ts';
import { nextJob } from '../../memory/model/jobs.ts';
import { addSpending } from '../../memory/model/spend.ts';
import { searchMemory } from '../../memory/search/memory-search.ts';
import { rebuild, record } from '../../memory/state/derive.ts';
import { verifyMemory } from '../../memory/state/verify.ts';
import { listTrash } from '../../memory/tiers/trash.ts';
import { disk } from '../../platform/store/disk.ts';
import { projectMemory } from '../../projects/project-memory.ts';
import { readSettings } from '../../settings/settings.ts';
import { parseHookInput } from '../hooks/hook-input.ts';
import { briefSession } from '../hooks/session-briefing.ts';
import { cancelImport, choiceToGoOn, importPast, preview, undoImport } from './backfill.ts';
import { SessionFiles } from './session-files.ts';

const ALL = { only: [], except: [] };
const silent = () => undefined;
const importAll = (home: PastHome) => importPast(home.system, ALL, { onProgress: silent });

/** Three sessions of one project, on three days. */
function threeTalks(home = new PastHome()): PastHome {
  home.talk('one', { day: '2026-09-01', asked: ['Add a login form to the shop.'] });
  home.talk('two', { day: '2026-09-02', edited: join(home.app, 'src/cart.ts') });
  home.talk('three', { day: '2026-09-03', answered: 'The invoice page prints now.' });
  return home;
}

const memoryMd = (home: PastHome, root?: string) =>
  readFileSync(join(home.memory(root).folder, 'memory.md'), 'utf8');

/** Every entry of L1 by session, to find doubles and losses. */
function entriesOf(home: PastHome, root?: string): Record<string, string[]> {
  const memory = home.memory(root);
  return Object.fromEntries(
    Object.entries(home.sessions(root)).map(([id, { file }]) => [
      id,
      (readL1Range(memory, file) ?? []).map((entry) => entry.id),
    ]),
  );
}

describe('a preview', () => {
  it('L1d tells sessions, bytes and days by project, and writes nothing', () => {
    const home = threeTalks();
    home.talk('old', { day: '2026-08-01', cwd: join(home.folder, 'removed') });
    const told = preview(home.system, ALL);
    expect(told).toMatchObject({
      sessions: 4,
      oldest: '2026-08-01T10:00:00.000Z',
      projects: [
        { root: home.app, sessions: 3, isGone: false, newest: '2026-09-03T10:01:00.000Z' },
        { root: join(home.folder, 'removed'), sessions: 1, isGone: true },
      ],
    });
    expect(told.bytes).toBeGreaterThan(told.diskBytes);
    expect(existsSync(home.places.home)).toBe(false);
  });

  it('L1d leaves projects out by any of their folders, and what ended before a day', () => {
    const home = threeTalks();
    const other = home.makeFolder('other');
    home.talk('four', { day: '2026-09-04', cwd: other });
    const count = (choice: object) => preview(home.system, { ...ALL, ...choice }).sessions;
    expect(count({ except: [home.app] })).toBe(1);
    expect(count({ only: [home.app] })).toBe(3);
    expect(count({ since: '2026-09-03' })).toBe(2);
    expect(() => count({ since: 'yesterday' })).toThrow('backfill.badDate');
    const { projects } = preview(home.system, { only: [], except: [other] });
    expect(projects.map(({ root, isLeftOut }) => [root, isLeftOut])).toEqual([
      [other, true],
      [home.app, false],
    ]);
  });

  it('L1d passes over programs, observers, subagents and silence', () => {
    const home = threeTalks();
    const day = '2026-09-04';
    home.talk('sdk', { day, fields: { entrypoint: 'sdk-ts' } });
    home.talk('agent-a1', { day });
    home.talk('side', { day, fields: { isSidechain: true } });
    home.talk('watcher', {
      day,
      asked: ['You are a specialized observer tool that writes notes for later sessions.'],
    });
    writeFileSync(home.transcriptPath('silent'), '{"type":"mode","mode":"normal"}\n');
    expect(preview(home.system, ALL)).toMatchObject({
      sessions: 3,
      passedOver: { programs: 2, subagents: 2, empty: 1 },
    });
  });

  it('L1d neither follows links nor waits for pipes, and passes over what is far too large', () => {
    const home = threeTalks();
    const secret = join(home.folder, 'secret.jsonl');
    writeFileSync(secret, readFileSync(home.transcriptPath('one')));
    symlinkSync(secret, home.transcriptPath('link'));
    execFileSync('mkfifo', [home.transcriptPath('pipe')]);
    mkdirSync(home.transcriptPath('folder'));
    writeFileSync(home.transcriptPath('giant'), '');
    truncateSync(home.transcriptPath('giant'), 3 * 1024 ** 3);
    symlinkSync(
      join(home.transcriptPath('one'), '..'),
      join(home.places.claude, 'projects/linked'),
    );
    expect(preview(home.system, ALL)).toMatchObject({
      sessions: 3,
      passedOver: { unreadable: 4 },
    });
  });

  it.runIf(process.getuid?.() === 0)('L1d reads no transcript of somebody else', () => {
    const home = threeTalks();
    chownSync(home.transcriptPath('one'), 12_345, 12_345);
    expect(preview(home.system, ALL)).toMatchObject({
      sessions: 2,
      passedOver: { unreadable: 1 },
    });
  });

  it('L1d leaves out what retention would take away the next day', () => {
    const home = threeTalks();
    mkdirSync(home.places.home, { recursive: true });
    const config = { retention: { l1Days: 30 } };
    writeFileSync(join(home.places.home, 'config.json'), JSON.stringify(config));
    const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
    home.talk('today', { day: today });
    expect(preview(home.system, ALL)).toMatchObject({ sessions: 1, passedOver: { tooOld: 3 } });
  });

  it('L1d tells after how many days Claude Code deletes transcripts', () => {
    const home = threeTalks();
    expect(preview(home.system, ALL).transcriptDays).toEqual({ days: 30, isDefault: true });
    writeFileSync(join(home.places.claude, 'settings.json'), '{"cleanupPeriodDays": 400}');
    expect(preview(home.system, ALL).transcriptDays).toEqual({ days: 400, isDefault: false });
  });
});

describe('an import', () => {
  it('L1d saves every session once, however often it is asked', async () => {
    const home = threeTalks();
    expect(await importAll(home)).toMatchObject({ state: 'done', sessions: 3, left: 0 });
    const first = entriesOf(home);
    expect(Object.keys(first).sort()).toEqual(['one', 'three', 'two']);
    expect(await importAll(home)).toMatchObject({ sessions: 0, entries: 0 });
    expect(entriesOf(home)).toEqual(first);
    expect(preview(home.system, ALL)).toMatchObject({ sessions: 0, passedOver: { kept: 3 } });
  });

  it('L1d gives each session a summary with its own day and name, oldest to newest', async () => {
    const home = threeTalks();
    home.talk('four', {
      day: '2026-09-04',
      rows: [
        { type: 'ai-title', aiTitle: 'Invoices by mail', sessionId: 'four' },
        { type: 'custom-title', customTitle: 'Mail', sessionId: 'four' },
      ],
    });
    // Claude Code wrote names of other conversations into transcripts.
    home.talk('five', {
      day: '2026-09-05',
      rows: [{ type: 'summary', summary: 'Something else', leafUuid: '99999999-1111' }],
    });
    await importAll(home);
    const headings = memoryMd(home).match(/^### .*/gm);
    expect(headings?.map((heading) => heading.replace(/_\d{4}/, ''))).toEqual([
      '### 2026-09-01 Add a login form to the shop',
      '### 2026-09-02 Please look at two today',
      '### 2026-09-03 Please look at three today',
      '### 2026-09-04 Mail',
      '### 2026-09-05 Please look at five today',
    ]);
    expect(memoryMd(home)).toContain('Changed: src/cart.ts');
    const listed = new SessionFiles(home.memory()).list();
    expect(listed.find(({ session }) => session === 'four')?.title).toBe('Mail');
    expect(memoryMd(home)).toContain('Ended: The invoice page prints now.');
    expect(verifyMemory(home.memory()).problems).toEqual([]);
    const before = memoryMd(home);
    rebuild(home.memory());
    expect(memoryMd(home)).toBe(before);
  });

  it('L1d puts older sessions before what was said since, and all of it is found', async () => {
    const home = threeTalks();
    const current = home.talk('current', { day: '2026-11-16' });
    const memory = projectMemory(home.places, home.app, home.env);
    saveL1(memory, { sessionId: 'current', transcript: current }, { isOver: true });
    record(memory, {
      type: 'delta',
      at: '2026-11-16T12:00:00.000Z',
      way: 'mod',
      text: 'The current work was summed up by a model.',
      ends: { current: home.sessions().current?.l1Bytes ?? 0 },
      upTo: '2026-11-16T10:01:00.000Z',
      stamp: '2026-11-16_1200',
    });
    await importAll(home);
    const stamps = memoryMd(home).match(/^### \S+/gm) ?? [];
    expect(stamps).toEqual([...stamps].sort());
    expect(stamps.at(-1)).toBe('### 2026-11-16_1200');
    const hits = searchMemory(home.places, memory, 'login form shop');
    expect(hits.map(({ layer }) => layer)).toContain('l1');
    expect(readMemoryIndex(memory).lastMemoryUpdateTs).toBe('2026-11-16T10:01:00.000Z');
  });

  it('L1d asks no model for summaries, and for facts newest first, one at a time, within half the budget', async () => {
    const home = threeTalks();
    await importAll(home);
    const memory = home.memory();
    const { settings } = readSettings(home.places, memory.root);
    const work = { places: home.places, memory, settings };
    expect(nextJob(work)).toBeUndefined();
    expect(nextJob(work, 'mod', undefined, { withPast: true })?.subject).toMatchObject({
      kind: 'facts',
      session: 'three',
    });
    expect(nextJob(work, 'mod', undefined, { withPast: true })?.subject).toMatchObject({
      session: 'two',
    });
    addSpending(home.places, 'facts', { input: settings.budget.tokensPerDay / 2, output: 0 });
    expect(nextJob(work, 'mod', undefined, { withPast: true })).toBeUndefined();
    expect(home.sessions().one?.factsBytes).toBeUndefined(); // it waits
  });

  it('L1d gives worktrees one memory, and folders that are gone their own', async () => {
    const home = new PastHome();
    const gone = join(home.folder, 'was-here');
    execFileSync('git', ['init', '-q', home.app]);
    const tree = join(home.app, '.claude/worktrees/fix');
    home.talk('main', { day: '2026-09-01' });
    home.talk('tree', { day: '2026-09-02', cwd: tree });
    home.talk('gone', { day: '2026-09-03', cwd: gone });
    await importAll(home);
    expect(Object.keys(home.sessions()).sort()).toEqual(['main', 'tree']);
    expect(Object.keys(home.sessions(gone))).toEqual(['gone']);
    expect(memoryMd(home, gone)).toContain('Please look at gone today');
  });

  it('L1d continues what hooks have kept in part, and leaves that to them', async () => {
    const home = threeTalks();
    await importPast(
      home.system,
      { only: [], except: [], since: '2026-09-03' },
      { onProgress: silent },
    );
    updateMemoryIndex(home.memory(), (index) => ({ ...index, toolCount: 3 }));
    const transcript = home.talk('kept', { day: '2026-09-05' });
    const whole = readFileSync(transcript, 'utf8');
    writeFileSync(transcript, `${whole.split('\n')[0]}\n`);
    saveL1(home.memory(), { sessionId: 'kept', transcript });
    writeFileSync(transcript, whole);
    await importAll(home);
    expect(entriesOf(home).kept).toHaveLength(2);
    expect(home.sessions().kept).toMatchObject({ isOver: true });
    expect(home.sessions().kept?.backfilled).toBeUndefined();
    expect(memoryMd(home)).not.toContain('kept');
  });

  it('L1d ends after the session it is at when it is cancelled, and goes on from there', async () => {
    const home = threeTalks();
    const told: number[] = [];
    const onProgress = ({ sessionsDone, isOver }: BackfillProgress) => {
      told.push(sessionsDone);
      if (sessionsDone === 0 && !isOver && told.length === 1) setImmediate(cancel);
    };
    const result = await importPast(home.system, ALL, { onProgress });
    function cancel() {
      cancelImport(home.places);
    }
    expect(result.state).toBe('cancelled');
    expect(result.sessions + result.left).toBe(3);
    expect(preview(home.system, ALL).unfinished).toMatchObject({ state: 'cancelled' });
    expect(await importAll(home)).toMatchObject({ id: result.id, state: 'done' });
    expect(Object.values(entriesOf(home)).map((ids) => new Set(ids).size)).toEqual([2, 3, 2]);
    expect(memoryMd(home).match(/^### /gm)).toHaveLength(3);
    expect(undoImport(home.places).sessions).toBe(3);
  });

  it('L1d can be cancelled before it has begun, and a cancel of before does not stop the next', async () => {
    const home = threeTalks();
    const asked = importAll(home);
    cancelImport(home.places); // the sessions that run are still being looked up
    expect(await asked).toMatchObject({ state: 'cancelled', sessions: 0, left: 3 });
    expect(preview(home.system, ALL)).toMatchObject({ unfinished: { sessions: 0 }, sessions: 3 });
    cancelImport(home.places);
    const askedAt = Date.now() + 1;
    const later = await importPast(home.system, ALL, { onProgress: silent, askedAt });
    expect(later).toMatchObject({ state: 'done', sessions: 3 });
  });

  it('L1d tells after a cancel exactly what it has brought and what is left', async () => {
    const home = new PastHome();
    for (let n = 0; n < 30; n++) home.talk(`s${n}`, { day: '2026-09-01' });
    const onProgress = ({ sessionsDone }: BackfillProgress) => {
      if (sessionsDone === 0) setImmediate(() => setImmediate(() => cancelImport(home.places)));
    };
    const { state, sessions, left } = await importPast(home.system, ALL, { onProgress });
    expect([state, sessions > 0, sessions + left]).toEqual(['cancelled', true, 30]);
    const { unfinished, undoable, sessions: waiting } = preview(home.system, ALL);
    expect([unfinished?.sessions, unfinished?.projects]).toEqual([sessions, 1]);
    expect([undoable?.sessions, waiting]).toEqual([sessions, left]);
    expect(undoImport(home.places).sessions).toBe(sessions);
  });

  it('L1d goes on with what was chosen when it was begun', async () => {
    const home = threeTalks();
    home.talk('four', { day: '2026-09-04', cwd: home.makeFolder('other') });
    const choice = { only: [home.app], except: [], since: '2026-09-02' };
    const asked = importPast(home.system, choice, { onProgress: silent });
    cancelImport(home.places);
    await asked;
    expect(preview(home.system, ALL).unfinished?.choice).toEqual(choice);
    const again = choiceToGoOn(home.places, ALL);
    const done = await importPast(home.system, again, { onProgress: silent });
    expect(done).toMatchObject({ state: 'done', sessions: 2, choice });
    expect(choiceToGoOn(home.places, ALL)).toEqual(ALL); // nothing is left to go on with
  });

  it('L1d waits for the disk no more often than it must: less than eight times a session', async () => {
    const home = new PastHome();
    const count = 40;
    for (let n = 0; n < count; n++) home.talk(`s${n}`, { day: '2026-09-01' });
    const sync = vi.spyOn(disk, 'fsyncSync');
    onTestFinished(() => sync.mockRestore());
    expect(await importAll(home)).toMatchObject({ sessions: count });
    expect(sync.mock.calls.length / count).toBeLessThan(8);
  });

  it('L1d runs once at a time on a machine', async () => {
    const home = threeTalks();
    const both = await Promise.allSettled([importAll(home), importAll(home)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [refused] = both.filter((one) => one.status === 'rejected');
    expect(String(refused?.reason)).toContain('backfill.alreadyRunning');
    expect(Object.values(entriesOf(home)).map((ids) => ids.length)).toEqual([2, 3, 2]);
  });

  it('L1d goes on after a project whose memory cannot be written, and says which', async () => {
    const home = threeTalks();
    const other = home.makeFolder('other');
    home.talk('four', { day: '2026-09-04', cwd: other });
    const { sessions } = projectMemory(home.places, other, home.env);
    writeFileSync(sessions, 'in the way');
    const { state, sessions: count, problems } = await importAll(home);
    expect([state, count, problems.length > 0]).toEqual(['done', 3, true]);
    expect(JSON.stringify(problems)).toContain(other);
  });
});

describe('an import that is killed', () => {
  it('L1d loses and doubles nothing, at whichever step', async () => {
    const whole = threeTalks();
    const { moments } = await stepThrough(() => importAll(whole));
    const done = entriesOf(whole);
    const story = memoryMd(whole);
    const every = Math.max(1, Math.floor(moments.length / 10));
    for (let step = 0; step < moments.length; step += every) {
      const home = threeTalks();
      const { isKilled } = await killedAt(step, () => importAll(home));
      expect(isKilled).toBe(true);
      await stepThrough(() => importAll(home));
      expect(entriesOf(home), `killed at step ${step}`).toEqual(done);
      expect(memoryMd(home), `killed at step ${step}`).toBe(story);
      expect(verifyMemory(home.memory()).problems, `killed at step ${step}`).toEqual([]);
    }
  });

  it('L1d by a full disk says so, stops, and goes on when there is room', async () => {
    const whole = threeTalks();
    const { moments } = await stepThrough(() => importAll(whole));
    const every = Math.max(1, Math.floor(moments.length / 6));
    let stopped = 0;
    for (let step = 0; step < moments.length; step += every) {
      const home = threeTalks();
      await fullFrom(step, async () => {
        const told = await importAll(home).catch((error: Error) => error);
        if (told instanceof Error) expect(told.message).toMatch(/ENOSPC|diskFull|noPlace/);
        else if (told.state === 'stopped') {
          stopped++;
          expect(JSON.stringify(told.problems)).toMatch(/ENOSPC|diskFull|noPlace/);
        }
      });
      await stepThrough(() => importAll(home));
      expect(entriesOf(home), `full from step ${step}`).toEqual(entriesOf(whole));
    }
    expect(stopped).toBeGreaterThan(1);
  });
});

describe('an undo', () => {
  it('L1d takes back what the import brought, by way of the trash, and leaves what was said since', async () => {
    const home = threeTalks();
    await importAll(home);
    const memory = home.memory();
    const transcript = home.transcriptPath('two');
    appendFileSync(transcript, `${readFileSync(home.talk('more', { day: '2026-11-01' }), 'utf8')}`);
    rmSync(home.transcriptPath('more'));
    saveL1(memory, { sessionId: 'two', transcript });
    const undone = undoImport(home.places);
    expect(undone).toMatchObject({ sessions: 2, kept: 1 });
    expect(Object.keys(home.sessions())).toEqual(['two']);
    expect(entriesOf(home).two).toHaveLength(5);
    expect(listTrash(memory)).toHaveLength(2);
    expect(
      memoryMd(home)
        .match(/^### .*/gm)
        ?.join(),
    ).toMatch(/^### \S+ Please look at two today$/);
    const left = readdirSync(memory.sessions, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => readFileSync(join(memory.sessions, name), 'utf8'));
    expect(left.join()).not.toContain('login form');
    expect(searchMemory(home.places, memory, 'login form shop')).toEqual([]);
    const before = memoryMd(home);
    rebuild(memory);
    expect(memoryMd(home)).toBe(before);
    expect(Object.keys(home.sessions())).toEqual(['two']);
    expect(() => undoImport(home.places)).toThrow('backfill.nothingToUndo');
    expect(await importAll(home)).toMatchObject({ sessions: 2 });
    expect(searchMemory(home.places, memory, 'login form shop')).not.toEqual([]);
    expect(Object.keys(entriesOf(home)).sort()).toEqual(['one', 'three', 'two']);
  });

  it('L1d takes the facts back that only the imported sessions had', async () => {
    const home = threeTalks();
    await importAll(home);
    const memory = home.memory();
    const { file = '', l1Bytes = 0 } = home.sessions().one ?? {};
    const entry = readL1Range(memory, file)?.[0]?.id;
    const quote = 'Add a login form to the shop.';
    const fact = { kind: 'decision', content: 'The shop has a login form.', entry, quote };
    record(memory, {
      type: 'facts',
      at: '2026-11-16T12:00:00.000Z',
      way: 'mod',
      text: JSON.stringify([fact]),
      session: 'one',
      file,
      from: 0,
      to: l1Bytes,
      cover: false,
    });
    const facts = () => readFileSync(join(memory.folder, 'facts.json'), 'utf8');
    expect(facts()).toContain('The shop has a login form.');
    undoImport(home.places);
    expect(facts()).not.toContain('The shop has a login form.');
  });

  it('L1d that is killed can be repeated', async () => {
    const make = async () => {
      const home = threeTalks();
      await importAll(home);
      return home;
    };
    const whole = await make();
    const { moments } = await stepThrough(() => undoImport(whole.places));
    const every = Math.max(1, Math.floor(moments.length / 6));
    for (let step = 0; step < moments.length; step += every) {
      const home = await make();
      await killedAt(step, () => undoImport(home.places));
      await stepThrough(() => {
        const isLeft = preview(home.system, ALL).undoable !== null;
        if (isLeft) undoImport(home.places);
      });
      expect(home.sessions(), `killed at step ${step}`).toEqual({});
      expect(listTrash(home.memory()), `killed at step ${step}`).toHaveLength(3);
      expect(memoryMd(home), `killed at step ${step}`).toBe(memoryMd(whole));
    }
  });
});

describe('an undo that is interrupted', () => {
  async function interrupted(): Promise<PastHome> {
    const home = threeTalks();
    await importAll(home);
    await stepThrough(
      () => undoImport(home.places),
      // One conversation is in the trash by then.
      ({ call, args }) => (call === 'renameSync' && isToTrash(args) ? 'die' : undefined),
    );
    return home;
  }
  let moves = 0;
  const isToTrash = ([, to]: readonly unknown[]) =>
    /\/trash\//.test(String(to)) && ++moves % 2 === 0;

  it('L1d is offered as an undo and finished as one, never as an import', async () => {
    const home = await interrupted();
    expect(Object.keys(home.sessions())).toHaveLength(3);
    const { unfinished, undoable } = preview(home.system, ALL);
    expect([unfinished, undoable?.isUndo, undoable?.state]).toEqual([null, true, 'stopped']);
    undoImport(home.places);
    expect(home.sessions()).toEqual({});
    expect(listTrash(home.memory())).toHaveLength(3);
    expect(preview(home.system, ALL).undoable).toBeNull();
  });

  it('L1d is finished before another import begins, which then has all of it', async () => {
    const home = await interrupted();
    expect(await importAll(home)).toMatchObject({ state: 'done', sessions: 3 });
    expect(Object.values(entriesOf(home)).map((ids) => ids.length)).toEqual([2, 3, 2]);
    expect(memoryMd(home).match(/^### /gm)).toHaveLength(3);
    expect(undoImport(home.places).sessions).toBe(3);
    expect(home.sessions()).toEqual({});
  });
});

describe('a new session', () => {
  async function briefing(home: PastHome): Promise<string> {
    const input = { session_id: 'new', hook_event_name: 'SessionStart', source: 'startup' };
    const env = { ...home.env, CLAUDE_PROJECT_DIR: home.app };
    const output = await briefSession(parseHookInput(JSON.stringify(input), env));
    return output?.hookSpecificOutput?.additionalContext ?? '';
  }

  it('L1d is told of the last imported work, although no model has found a fact yet', async () => {
    const home = threeTalks();
    await importAll(home);
    const text = await briefing(home);
    expect(text).toContain('Please look at three today');
    expect(text).toContain('The invoice page prints now.');
    expect(text.indexOf('invoice page')).toBeLessThan(text.indexOf('login form'));
  });

  it('L1d gets the last words where everything but L1 is lost', async () => {
    const home = threeTalks();
    await importAll(home);
    const { folder } = home.memory();
    for (const name of readdirSync(folder))
      if (name !== 'memory-index.json') rmSync(join(folder, name), { recursive: true });
    expect(await briefing(home)).toContain('The invoice page prints now.');
  });
});

it('L1d what is imported is redacted like everything else', async () => {
  const home = new PastHome();
  const key = `sk-ant-api03-${'a1B2'.repeat(23)}-AA`;
  home.talk('leak', {
    day: '2026-09-01',
    asked: [`Use the key ${key} for the shop.`],
    rows: [{ type: 'ai-title', aiTitle: `Key ${key}`, sessionId: 'leak' }],
  });
  await importAll(home);
  const { folder, sessions } = home.memory();
  const { file = '' } = home.sessions().leak ?? {};
  const text = JSON.stringify(readL1Range(home.memory(), file));
  expect(parseL1(text)).toEqual([]);
  for (const said of [text, memoryMd(home), readFileSync(join(folder, 'journal.jsonl'), 'utf8')])
    expect(said).not.toContain(key);
  expect(existsSync(sessions)).toBe(true);
});
