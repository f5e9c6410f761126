import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MadeSession } from '../../../tests/bed/made-session.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { message } from '../../messages/message.ts';
import { linuxProcessTable } from '../../platform/process/linux.ts';
import type { RunProgram } from '../../platform/process/run-program.ts';
import { SessionFinder } from './live-sessions.ts';

const neverRun: RunProgram = async (file) => {
  throw new Error(`${file} should not have been asked`);
};

function finder(claudeFolder: string, run: RunProgram = neverRun): SessionFinder {
  return new SessionFinder({ claudeFolder, env: {}, processes: linuxProcessTable(), run });
}

function madeSession(claudeFolder: string): MadeSession {
  const session = new MadeSession(claudeFolder, '/home/kim/app');
  onTestFinished(() => session.end());
  return session;
}

const ids = async (sessions: SessionFinder) =>
  (await sessions.find()).sessions.map((session) => session.sessionId);

describe('live sessions', () => {
  it('C3 are all that are registered and run, several per project included', async () => {
    const folder = tempFolder();
    const made = [madeSession(folder), madeSession(folder)];
    made[1]?.register({
      status: 'waiting',
      waitingFor: 'permission prompt',
      name: 'app-2',
      startedAt: Date.now() + 1000,
    });
    expect((await finder(folder).find()).sessions).toMatchObject([
      { pid: made[0]?.pid, state: 'idle', cwd: '/home/kim/app' },
      { pid: made[1]?.pid, state: 'waiting', waitingFor: 'permission prompt', name: 'app-2' },
    ]);
  });

  it('C3 are gone when their process has ended, though the file stays', async () => {
    const folder = tempFolder();
    const made = madeSession(folder);
    const sessions = finder(folder);
    expect(await ids(sessions)).toEqual([made.sessionId]);
    made.end();
    await once(made.process, 'exit');
    expect(readFileSync(made.registryFile, 'utf8')).toContain(made.sessionId);
    expect(await ids(sessions)).toEqual([]);
  });

  it('C3 A3 a process that got the pid of an ended one is not taken for its session', async () => {
    const folder = tempFolder();
    const made = madeSession(folder);
    const notAsked: RunProgram = async () => ({ ok: false, stdout: '', reason: 'not asked' });
    for (const procStart of ['12345', 12345, true, {}]) {
      made.register({ procStart }); // the file of an earlier process with this pid
      expect(await ids(finder(folder, notAsked))).toEqual([]);
    }
  });

  it('of another machine or container that shares the folder are not taken for ours', async () => {
    const folder = tempFolder();
    madeSession(folder).register({ pidDomain: 'linux:0123456789abcdef:pid:[1]' });
    expect(await ids(finder(folder))).toEqual([]);
  });

  it('follow the session id when it changes', async () => {
    const folder = tempFolder();
    const made = madeSession(folder);
    const sessions = finder(folder);
    await sessions.find();
    made.register({ sessionId: 'after-clear' });
    expect(await ids(sessions)).toEqual(['after-clear']);
  });

  it.each([
    ['idle', 'idle'],
    ['busy', 'busy'],
    ['shell', 'idle'],
    ['dreaming', 'unknown'],
    [undefined, 'unknown'],
    [42, 'unknown'],
  ])(
    'A3 with status %j are %s: what we do not know never passes for idle',
    async (status, state) => {
      const folder = tempFolder();
      madeSession(folder).register({ status });
      expect((await finder(folder).find()).sessions).toMatchObject([{ state }]);
    },
  );

  it('are found while their file is being rewritten', async () => {
    const folder = tempFolder();
    const made = madeSession(folder);
    const whole = readFileSync(made.registryFile, 'utf8');
    writeFileSync(made.registryFile, whole.slice(0, 40));
    setTimeout(() => writeFileSync(made.registryFile, whole), 20);
    expect(await ids(finder(folder))).toEqual([made.sessionId]);
  });

  it('a file that stays broken is reported, and the others still count', async () => {
    const folder = tempFolder();
    const made = madeSession(folder);
    const broken = join(folder, 'sessions', `${process.pid}.json`);
    writeFileSync(broken, `{"pid": ${process.pid}, "session`);
    writeFileSync(
      join(folder, 'sessions', '999999999.json'),
      'left behind by a process that has ended',
    );
    const { sessions, problems } = await finder(folder).find();
    expect(sessions.map(({ pid }) => pid)).toEqual([made.pid]);
    expect(problems).toEqual([message('sessions.badEntry', { path: broken })]);
  });

  it('a file that names another pid than its own name is not believed', async () => {
    const folder = tempFolder();
    const made = madeSession(folder);
    writeFileSync(join(folder, 'sessions', '77.json'), readFileSync(made.registryFile));
    rmSync(made.registryFile);
    expect(
      await ids(finder(folder, async () => ({ ok: false, stdout: '', reason: 'no' }))),
    ).toEqual([]);
  });

  it('a session id that could leave its folder is refused', async () => {
    const folder = tempFolder();
    madeSession(folder).register({ sessionId: '../../etc/passwd' });
    const { sessions } = await finder(folder, async () => ({
      ok: false,
      stdout: '',
      reason: 'no',
    })).find();
    expect(sessions).toEqual([]);
  });

  describe('without a usable registry', () => {
    const answer = (sessions: unknown): RunProgram => {
      return async (file, args) => {
        expect([file, ...args]).toEqual(['claude', 'agents', '--json']);
        return { ok: true, stdout: JSON.stringify(sessions), reason: '' };
      };
    };

    it('are asked of `claude agents --json`, once in a while', async () => {
      const folder = tempFolder();
      const made = madeSession(folder);
      rmSync(join(folder, 'sessions'), { recursive: true });
      let asked = 0;
      const run = answer([
        { pid: made.pid, sessionId: 'a', cwd: '/home/kim/app', status: 'busy' },
        { nonsense: true },
      ]);
      const sessions = finder(folder, (...args) => {
        asked++;
        return run(...args);
      });
      expect((await sessions.find()).sessions).toMatchObject([
        { sessionId: 'a', state: 'busy', pid: made.pid },
      ]);
      expect((await sessions.find()).sessions).toMatchObject([
        { sessionId: 'a', state: 'unknown' },
      ]);
      expect(asked).toBe(1);
    });

    it('a missing `claude` is not reported, a broken registry is', async () => {
      const reason = message('system.notInstalled', { program: 'claude' });
      const notInstalled: RunProgram = async () => ({ ok: false, stdout: '', reason });
      expect(await finder(tempFolder(), notInstalled).find()).toEqual({
        sessions: [],
        problems: [],
      });
      const folder = tempFolder();
      mkdirSync(join(folder, 'sessions'));
      writeFileSync(join(folder, 'sessions', `${process.pid}.json`), 'x');
      const { problems } = await finder(folder, notInstalled).find();
      expect(problems).toHaveLength(2);
      expect(problems[1]).toEqual(message('sessions.commandFailed', { reason }));
    });

    it.each(['{}', 'oops'])('an answer like %s is not used', async (stdout) => {
      const folder = tempFolder();
      const run: RunProgram = async () => ({ ok: true, stdout, reason: '' });
      expect((await finder(folder, run).find()).sessions).toEqual([]);
    });

    it('an empty registry is believed: nothing runs, nothing is asked', async () => {
      const folder = tempFolder();
      mkdirSync(join(folder, 'sessions'));
      expect(await finder(folder).find()).toEqual({ sessions: [], problems: [] });
    });
  });
});
