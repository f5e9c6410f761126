/** Where a clear by the keyboard of the desktop is not certain of its window, it is not done. */

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { desktopDriver } from '../../core/clear/delivery/desktop/desktop.ts';
import { saveBriefing } from '../../core/memory/restore/briefing-file.ts';
import { message } from '../../core/messages/message.ts';
import { runProgram } from '../../core/platform/process/run-program.ts';
import { DesktopBed, processes } from '../bed/desktop-bed.ts';
import { connectTo } from '../bed/desktop-clear.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

const PIECES = ['tmux', 'Xvfb', 'openbox', 'xterm', 'xdotool', 'xprop'] as const;

describeWith('A3 it is not certain', PIECES, () => {
  const home = mkdtempSync(join(tmpdir(), 'memory-keeper-certainty-'));
  const claude = join(home, '.claude');
  const bed = { home, places: { claude, home: join(claude, 'memory-keeper') } };
  let desktop: DesktopBed;

  beforeAll(async () => {
    desktop = await DesktopBed.start();
  });
  afterAll(() => {
    desktop?.remove();
    rmSync(home, { recursive: true, force: true });
  });

  const certaintyOf = async (pid: number) => {
    const processStart = (await processes.lookUp([pid])).get(pid)?.startTime ?? '';
    saveBriefing(bed.places, 'some', '');
    return desktopDriver(desktop.tools(bed)).certainty({ sessionId: 'some', pid, processStart });
  };
  const sleeper = (env: NodeJS.ProcessEnv) => {
    const child = spawn('sleep', ['600'], {
      env: { PATH: process.env.PATH, ...env },
      stdio: 'ignore',
    });
    onTestFinished(() => void child.kill());
    return child.pid as number;
  };

  it.each([
    ['without a display', {}, message('driver.noDisplay')],
    ['under Wayland without X', { WAYLAND_DISPLAY: 'wayland-0' }, message('driver.waylandOnly')],
    [
      'with a display that is not there',
      { DISPLAY: ':9999' },
      expect.objectContaining({ code: 'driver.desktopUnavailable' }),
    ],
  ])('%s', async (_, env, why) => {
    expect(await certaintyOf(sleeper(env))).toEqual({ certain: false, why });
  });

  it('in a process that no window belongs to', async () => {
    const why = message('driver.windowNotFound');
    expect(await certaintyOf(sleeper({ DISPLAY: desktop.display }))).toEqual({
      certain: false,
      why,
    });
  });

  /** Windows of this very process, which say that they belong to another if they are told to. */
  const openWindows = async (count: number, saidPid = process.pid) => {
    const { client, screen } = await connectTo(desktop.display);
    onTestFinished(() => client.terminate());
    const atom = (name: string) =>
      new Promise<number>((resolve) =>
        client.InternAtom(false, name, (_, found) => resolve(found)),
      );
    const [pid, cardinal] = [await atom('_NET_WM_PID'), await atom('CARDINAL')];
    for (let opened = 0; opened < count; opened++) {
      const id = client.AllocID();
      client.CreateWindow(id, screen[0]?.root ?? 0, 0, 0, 50, 50, 0, 0, 0, 0, {});
      client.ChangeProperty(0, id, pid, cardinal, 32, [saidPid]);
      client.MapWindow(id);
      await waitFor(
        'the window to be shown',
        async () => (await desktop.activeWindow()) === String(id),
      );
    }
  };

  it('in a window that says it belongs to a process which did not make it', async () => {
    const child = sleeper({ DISPLAY: desktop.display });
    await openWindows(1, process.ppid);
    const why = message('driver.windowNotFound');
    expect(await certaintyOf(child)).toEqual({ certain: false, why });
  });

  it('in a process with two windows', async () => {
    await openWindows(2);
    const child = sleeper({ DISPLAY: desktop.display });
    const why = {
      code: 'driver.windowsSeveral',
      values: { name: expect.any(String), count: 2 },
    };
    expect(await certaintyOf(child)).toEqual({ certain: false, why });
  });

  /** The process at the end of the line of only children. */
  const innermost = async (pid: number, name: string) => {
    const inner = await waitFor(`${name} in the terminal`, async () => {
      for (let next = pid; ; ) {
        const child = Number((await runProgram('pgrep', ['-P', String(next)])).stdout);
        if (!(child > 0)) return (await processes.lookUp([next])).get(next)?.name === name && next;
        next = child;
      }
    });
    onTestFinished(() => void process.kill(inner));
    return inner;
  };

  it('behind another terminal in the window, as with script or a remote shell', async () => {
    const { pid } = await desktop.openTerminal(['script', '-qc', 'exec sleep 608', '/dev/null']);
    const why = message('driver.programBetween', { name: 'script' });
    expect(await certaintyOf(await innermost(pid, 'sleep'))).toEqual({ certain: false, why });
  });

  it('in tmux, whose window may show another pane', async () => {
    const socket = join(desktop.root, 'tmux.sock');
    await desktop.openTerminal([
      'tmux',
      '-S',
      socket,
      '-f',
      '/dev/null',
      'new-session',
      'exec sleep 609',
    ]);
    const pane = ['-S', socket, 'list-panes', '-F', '#{pane_pid}'];
    const shell = await waitFor(
      'the pane',
      async () => Number((await runProgram('tmux', pane)).stdout) || undefined,
    );
    const why = message('driver.windowNotFound');
    expect(await certaintyOf(await innermost(shell, 'sleep'))).toEqual({ certain: false, why });
  });
});
