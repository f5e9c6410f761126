import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { message } from '../../messages/message.ts';
import { darwinProcessTable } from './darwin.ts';
import { isSameDarwinStart, ownDarwinStartTime } from './darwin-start-time.ts';
import { linuxProcessTable, parseStat } from './linux.ts';
import { ancestry } from './process-table.ts';
import { type RunProgram, runProgram } from './run-program.ts';
import { win32ProcessTable } from './win32.ts';
import type { WindowsApi } from './windows-api.ts';

describe.runIf(process.platform === 'linux')('processes on Linux', () => {
  const table = linuxProcessTable();

  it('are found with parent, name and start time', async () => {
    const child = spawn('sleep', ['60'], { env: { SECRET: 'x', TMUX: '/tmp/s,1,0' } });
    onTestFinished(() => void child.kill());
    const pid = child.pid as number;
    const info = (await table.lookUp([pid, 999_999_999])).get(pid);
    expect(info).toMatchObject({
      pid,
      parentPid: process.pid,
      name: 'sleep',
      startTime: expect.stringMatching(/^\d+$/),
    });
    expect(await table.environment(pid, ['TMUX', 'OTHER'])).toEqual({ TMUX: '/tmp/s,1,0' });
    expect((await ancestry(table, pid)).map((parent) => parent.pid).slice(0, 2)).toEqual([
      pid,
      process.pid,
    ]);
  });

  it('are gone once they have ended, even as zombies', async () => {
    const shell = spawn('sh', ['-c', 'sleep 0.01 & exec sleep 60']);
    onTestFinished(() => void shell.kill());
    const children = `/proc/${shell.pid}/task/${shell.pid}/children`;
    let zombie = 0;
    while (zombie === 0) {
      const child = Number(readFileSync(children, 'utf8').split(' ')[0]);
      if (child > 0 && readFileSync(`/proc/${child}/stat`, 'utf8').includes(') Z ')) zombie = child;
    }
    expect((await table.lookUp([zombie])).size).toBe(0);
  });

  it('have their name read right, whatever is in it', () => {
    const fields = 'S 7 1 1 34817 1 0 0 0 0 0 1 1 0 0 20 0 1 0 4711 0 0';
    expect(parseStat(`42 (a) S (b c) ${fields}`)).toEqual({
      pid: 42,
      parentPid: 7,
      name: 'a) S (b c',
      startTime: '4711',
      tty: '/dev/pts/1',
      isForeground: true,
    });
    expect(parseStat(`42 (suspended) T${fields.slice(1)}`)).toMatchObject({ isForeground: false });
    expect(parseStat(`42 (behind) ${fields.replace('34817 1', '34817 99')}`)).toMatchObject({
      isForeground: false,
    });
    expect(parseStat('garbage')).toBeUndefined();
    expect(parseStat('')).toBeUndefined();
  });
});

describe('processes on macOS (recorded output)', () => {
  const recorded: RunProgram = async (_file, args) => ({
    ok: true,
    reason: '',
    stdout: args.includes('-E')
      ? 'claude --model opus TERM=xterm-256color TMUX=/private/tmp/tmux-501/default,811,0 HOME=/Users/kim\n'
      : [
          ' 4711  4690 ttys003  S+   Mon Nov 16 02:32:42 2026     claude',
          ' 4690     1 ??       S    Sun Nov  1 09:00:00 2026     /Applications/iTerm.app/Contents/MacOS/iTerm2',
          '',
        ].join('\n'),
  });

  it('are read from ps', async () => {
    const processes = await darwinProcessTable(recorded).lookUp([4711, 4690]);
    expect(processes.get(4711)).toEqual({
      pid: 4711,
      parentPid: 4690,
      name: 'claude',
      startTime: 'Mon Nov 16 02:32:42 2026',
      tty: '/dev/ttys003',
      isForeground: true,
    });
    expect(processes.get(4690)).toEqual({
      pid: 4690,
      parentPid: 1,
      name: 'iTerm2',
      startTime: 'Sun Nov  1 09:00:00 2026',
    });
  });

  it('return only the variables that were asked for', async () => {
    expect(await darwinProcessTable(recorded).environment(4711, ['TMUX'])).toEqual({
      TMUX: '/private/tmp/tmux-501/default,811,0',
    });
  });
});

describe('processes on Windows', () => {
  const claude = { pid: 4711, parentPid: 880, name: 'claude.exe', startTime: '134394859946649830' };

  it('P3 are what the system says of each, and no process is started for it', async () => {
    const asked: number[] = [];
    const api: WindowsApi = {
      process: (pid) => {
        asked.push(pid);
        return pid === claude.pid ? claude : undefined;
      },
      identity: () => undefined,
    };
    const table = win32ProcessTable(api);
    expect([...(await table.lookUp([4711, 999_999_999])).values()]).toEqual([claude]);
    expect(asked).toEqual([4711, 999_999_999]);
  });

  it('P3 are known by their pids in a hook, which cannot ask', async () => {
    const table = win32ProcessTable(undefined);
    expect([...(await table.lookUp([process.pid, 999_999_999])).values()]).toEqual([
      { pid: process.pid, parentPid: 0, startTime: '', name: '' },
    ]);
  });
});

describe('start times on macOS (recorded output)', () => {
  const own = Number(ownDarwinStartTime());
  const printed = (seconds: number) =>
    new Date(seconds * 1000)
      .toUTCString()
      .replace(/(\w+), (\d+) (\w+) (\d+) (.*) GMT/, '$1 $3 $2 $5 $4');
  const child = () => {
    const sleeper = spawn('sleep', ['60']);
    onTestFinished(() => void sleeper.kill());
    return sleeper.pid as number;
  };

  it('P3 tell a process from a later one with its pid', () => {
    expect(isSameDarwinStart(child(), String(own), () => printed(own - 1))).toBe(true);
    expect(isSameDarwinStart(child(), String(own), () => printed(own + 3600))).toBe(false);
    expect(isSameDarwinStart(999_999_999, String(own), () => printed(own))).toBe(false);
  });

  it('P3 take no lock from a process if they cannot be had', () => {
    expect(isSameDarwinStart(child(), '5', () => undefined)).toBe(true);
    expect(isSameDarwinStart(child(), '5', () => '')).toBe(true);
  });
});

describe('runProgram', () => {
  it('says why a program failed', async () => {
    expect(await runProgram('no-such-program', [])).toMatchObject({
      ok: false,
      reason: message('system.notInstalled', { program: 'no-such-program' }),
    });
    expect(await runProgram('sleep', ['60'], { timeoutMs: 50 })).toMatchObject({
      ok: false,
      reason: message('system.noAnswer', { program: 'sleep' }),
    });
    expect(await runProgram('sh', ['-c', 'echo broken >&2; exit 3'])).toMatchObject({
      ok: false,
      reason: 'broken',
    });
    expect(await runProgram('echo', ['hi'])).toEqual({ ok: true, stdout: 'hi\n', reason: '' });
  });
});
