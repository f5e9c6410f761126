/** Where a process lives: a real tmux, a real X window. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { TerminalFinder } from '../../core/claude/sessions/terminal.ts';
import { linuxProcessTable } from '../../core/platform/process/linux.ts';
import type { ProcessInfo } from '../../core/platform/process/process-table.ts';
import { type RunProgram, runProgram } from '../../core/platform/process/run-program.ts';
import { run } from '../bed/run.ts';
import { tempFolder } from '../bed/temp-folder.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

const table = linuxProcessTable();

async function terminalOf(pid: number) {
  const info = (await table.lookUp([pid])).get(pid);
  if (info === undefined) throw new Error(`process ${pid} is not there`);
  return new TerminalFinder(table, runProgram).find(info);
}

describeWith('the terminal in tmux', ['tmux'], () => {
  it('C3 is the pane whose tty the process has, among several', async () => {
    const socket = join(tempFolder(), 'tmux.sock');
    const tmux = (...args: string[]) => run('tmux', ['-S', socket, '-f', '/dev/null', ...args]);
    await tmux('new-session', '-d', '-s', 'my work', 'sleep 600');
    onTestFinished(() => tmux('kill-server').then(() => undefined));
    await tmux('split-window', '-t', 'my work', 'sleep 601');
    const [, second = ''] = (
      await tmux('list-panes', '-t', 'my work', '-F', '#{pane_pid} #{pane_id} #{pane_tty}')
    ).split('\n');
    const [pid, pane, tty] = second.split(' ');
    expect(await terminalOf(Number(pid))).toEqual({
      tty,
      tmux: { socket, pane, place: 'my work:0.1' },
    });
  });

  it('C3 is found without a UTF-8 locale too', async () => {
    const socket = join(tempFolder(), 'tmux.sock');
    await run('tmux', ['-S', socket, '-f', '/dev/null', 'new-session', '-d', 'sleep 605']);
    onTestFinished(() => run('tmux', ['-S', socket, 'kill-server']).then(() => undefined));
    const pid = Number(await run('tmux', ['-S', socket, 'list-panes', '-F', '#{pane_pid}']));
    const info = (await table.lookUp([pid])).get(pid);
    const plainRun: RunProgram = (file, args) =>
      runProgram(file, args, { env: { PATH: process.env.PATH, LC_ALL: 'C' } });
    expect(await new TerminalFinder(table, plainRun).find(info as ProcessInfo)).toMatchObject({
      tmux: { socket, place: '0:0.0' },
    });
  });

  it('A3 is not the pane that an inherited variable names, if the process has another tty', async () => {
    const socket = join(tempFolder(), 'tmux.sock');
    const inner = join(tempFolder(), 'inner.sock');
    const tmux = (at: string, ...args: string[]) =>
      run('tmux', ['-S', at, '-f', '/dev/null', ...args]);
    await tmux(socket, 'new-session', '-d', 'sleep 600');
    onTestFinished(() => tmux(socket, 'kill-server').then(() => undefined));
    const claimed = `${socket},1,0`;
    await tmux(inner, 'new-session', '-d', `env TMUX=${claimed} TMUX_PANE=%0 sleep 602`);
    onTestFinished(() => tmux(inner, 'kill-server').then(() => undefined));
    const pid = Number(await tmux(inner, 'list-panes', '-F', '#{pane_pid}'));
    await waitFor(
      'the variable',
      async () => (await table.environment(pid, ['TMUX'])).TMUX === claimed,
    );
    expect(await terminalOf(pid)).toEqual({ tty: expect.stringMatching(/^\/dev\/pts\//) });
  });
});

describeWith('the terminal in a window', ['Xvfb', 'xterm', 'xdotool'], () => {
  it('C3 is told by the process that owns the window', async () => {
    const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '800x600x24'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    onTestFinished(() => void server.kill());
    const pipe = server.stdio[3] as NodeJS.ReadableStream;
    const [number] = await new Promise<string[]>((resolve) =>
      createInterface({ input: pipe }).once('line', (line) => resolve([line])),
    );
    const env = { ...process.env, DISPLAY: `:${number}`, TMUX: undefined };
    const xterm = spawn('xterm', ['-e', 'sleep', '603'], { env, stdio: 'ignore' });
    onTestFinished(() => void xterm.kill());
    const child = await waitFor('the process in the window', async () => {
      const { stdout } = await runProgram('pgrep', ['-P', String(xterm.pid), '-f', 'sleep 603']);
      return Number(stdout) || undefined;
    });
    const { window, tty } = await waitFor('the window', async () => {
      const terminal = await terminalOf(child);
      return terminal.window !== undefined && terminal;
    });
    expect(tty).toMatch(/^\/dev\/pts\//);
    expect(window).toEqual({
      pid: xterm.pid,
      name: 'xterm',
      windows: [expect.stringMatching(/^\d+$/)],
    });
  });
});

it('C3 a process without a terminal has none', async () => {
  const child = spawn('setsid', ['sleep', '604'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill());
  await waitFor(
    'setsid to become sleep',
    async () =>
      (await table.lookUp([child.pid as number])).get(child.pid as number)?.name === 'sleep',
  );
  expect(await terminalOf(child.pid as number)).toEqual({});
});
