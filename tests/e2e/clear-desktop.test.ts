/**
 * The last way to clear: keys on a real desktop, into the real CLI in a real terminal, with others
 * beside it that must get nothing.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createClient, type XDisplay } from 'x11';
import { desktopDriver } from '../../core/clear/delivery/desktop/desktop.ts';
import { Typist } from '../../core/clear/delivery/desktop/typist.ts';
import { FIXED_TEXTS } from '../../core/clear/delivery/driver.ts';
import { keepGiven } from '../../core/memory/restore/given.ts';
import { type Message, message } from '../../core/messages/message.ts';
import { runProgram } from '../../core/process/run-program.ts';
import { ClaudeBed } from '../bed/claude.ts';
import { DesktopBed, processes, type TerminalWithClaude } from '../bed/desktop-bed.ts';
import { MockApi } from '../bed/mock-api.ts';
import { PLUGIN } from '../bed/plugin-bed.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

const { clear, continue: goOn } = FIXED_TEXTS;
const halfDone = (reason: Message) => message('driver.leftMaybeDraft', { reason });
const PIECES = [
  'tmux',
  'Xvfb',
  'openbox',
  'xterm',
  'xdotool',
  'xclip',
  'xprop',
  'setxkbmap',
  'claude',
  'claudeWithoutMods',
] as const;
const PRESS_AGAIN_MS = 2000;
/** A picture of one point. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describeWith('clearing by the keyboard of the desktop', PIECES, (paths) => {
  let desktop: DesktopBed;
  let api: MockApi;
  let bed: ClaudeBed;
  let claude: TerminalWithClaude;

  beforeAll(async () => {
    desktop = await DesktopBed.start();
    api = await MockApi.start();
    bed = new ClaudeBed(paths.claudeWithoutMods);
    claude = await desktop.openClaude(bed, api);
  });

  afterAll(async () => {
    desktop.remove();
    await waitFor('the CLI to end', () => !existsSync(`/proc/${claude.pid}`));
    await bed.remove();
    await api.stop();
  });

  /** All that the model was told by the user, in all requests. */
  const told = (from = api) =>
    from.requests
      .filter(({ body }) => (body.tools?.length ?? 0) > 1)
      .map(({ body }) => JSON.stringify(body.messages));

  /** Sends what stands in the box, and gives back what then reached the model. */
  async function send(): Promise<string> {
    const before = told().length;
    // The registry knows of a clear before the draft is back; Return in an empty box does nothing.
    const newest = await waitFor('the request', async () => {
      await claude.press('Return');
      for (
        const until = Date.now() + PRESS_AGAIN_MS;
        Date.now() < until && told().length === before;
      )
        await sleep(20);
      return told()[before];
    });
    await claude.waitForState('idle');
    return newest;
  }

  const deliver = async (beforeRefusal?: (calls: number) => Promise<void>) => {
    const target = await claude.target();
    const delivery = await desktopDriver(desktop.tools(bed, beforeRefusal)).deliver(target, clear);
    return { target, delivery };
  };

  it('A4 A5 reaches the right one of three windows with one title, and puts everything back', async () => {
    const decoys = [await desktop.openDecoy(), await desktop.openDecoy()] as const;
    await claude.type('아직 다 쓰지 않은 글');
    await claude.isShown('아직 다 쓰지 않은 글');
    await desktop.copy('clipboard', 'kept in the clipboard: 한글');
    await desktop.copy('primary', 'marked with the mouse: é');
    await desktop.focus(decoys[1].window);

    const driver = desktopDriver(desktop.tools(bed));
    const target = await claude.target();
    expect(await driver.certainty(target)).toEqual({
      certain: true,
      how: {
        code: 'driver.desktopHow',
        values: { name: 'xterm', pid: expect.stringMatching(/^\d+$/) },
      },
    });
    expect(await driver.certainty({ ...target, sessionId: 'without-plugin' })).toMatchObject({
      why: message('driver.desktopNoPlugin'),
    });
    expect(await driver.deliver(target, clear)).toEqual({ done: true });
    await claude.waitForSessionAfter(target);

    expect(await desktop.activeWindow()).toBe(decoys[1].window);
    expect((await desktop.pasted('clipboard')).toString()).toBe('kept in the clipboard: 한글');
    expect((await desktop.pasted('primary')).toString()).toBe('marked with the mouse: é');
    expect(decoys.map(({ bytes }) => bytes())).toEqual(['', '']);
    expect(told()).toEqual([]);
    expect(existsSync(join(bed.places.home, 'guard', `${claude.pid}.json`))).toBe(false);
    const sent = await send();
    expect(sent).toContain('"아직 다 쓰지 않은 글"');
    expect(sent).not.toContain('/clear"');
  });

  it.each(['us', 'kr', 'de', 'fr'])(
    'A4 works with the keyboard layout %s, pasted and by single keys',
    async (layout) => {
      await desktop.layout(layout);
      onTestFinished(async () => void (await desktop.layout('us')));
      const before = told().length;
      await desktop.copy('clipboard', 'words');
      const pasted = await deliver();
      expect(pasted.delivery).toEqual({ done: true });
      await claude.waitForSessionAfter(pasted.target);
      // An image cannot be given back: so it is left where it is, and the text is spelled out.
      await desktop.copy('clipboard', PNG, 'image/png');
      const spelled = await deliver();
      expect(spelled.delivery).toEqual({ done: true });
      await claude.waitForSessionAfter(spelled.target);
      expect((await desktop.pasted('clipboard', 'image/png')).equals(PNG)).toBe(true);
      expect(told()).toHaveLength(before);
    },
  );

  it('A3 sends no key while the layout has no such letter, or the user holds a key down', async () => {
    await desktop.layout('ru');
    onTestFinished(async () => void (await desktop.layout('us')));
    const noLetter = message('driver.keyMissing', { key: 's' });
    expect((await deliver()).delivery).toEqual({ done: false, reason: noLetter, touched: false });
    await desktop.layout('us');
    await desktop.xdotool('keydown', 'Control_R');
    onTestFinished(async () => void (await desktop.xdotool('keyup', 'Control_R')));
    const held = message('driver.windowNoKeyboard', { reason: message('driver.keyHeld') });
    expect((await deliver()).delivery).toEqual({ done: false, reason: held, touched: false });
  });

  it('A5 gives the clipboard back time and again, and leaves one process behind that holds it', async () => {
    await desktop.copy('clipboard', '<b>kept</b> twice', 'text/html');
    for (const _ of [1, 2]) {
      const { delivery, target } = await deliver();
      expect(delivery).toEqual({ done: true });
      await claude.waitForSessionAfter(target);
      expect((await desktop.pasted('clipboard', 'text/html')).toString()).toBe('<b>kept</b> twice');
    }
    const holders = () => runProgram('pgrep', ['-P', String(process.pid), '-f', 'typist-child']);
    await waitFor(
      'the first to end',
      async () => (await holders()).stdout.trim().split('\n').length === 1,
    );
    await desktop.copy('clipboard', 'something else');
    await desktop.copy('primary', 'something else');
    await waitFor('the last to end', async () => (await holders()).stdout === '');
  });

  it('A3 stops at once when another window becomes the active one, and says that keys were sent', async () => {
    const decoy = await desktop.openDecoy();
    await desktop.focus(claude.window);
    await desktop.copy('clipboard', 'still mine');
    const { delivery, target } = await deliver(async (calls) => {
      // after the stash and Escape, before the paste
      if (calls === 4) await desktop.focus(decoy.window);
    });
    expect(delivery).toEqual({
      done: false,
      reason: halfDone(message('driver.otherWindowActive')),
      touched: true,
    });
    expect(await desktop.activeWindow()).toBe(decoy.window);
    expect((await desktop.pasted('clipboard')).toString()).toBe('still mine');
    expect(decoy.bytes()).toBe('');
    expect(claude.registry()?.sessionId).toBe(target.sessionId);
  });

  it('A4 a window that was active before and is gone by then does no harm', async () => {
    const decoy = await desktop.openDecoy();
    await desktop.copy('clipboard', 'still there');
    await desktop.focus(decoy.window);
    const { delivery, target } = await deliver(async (calls) => {
      if (calls === 5) process.kill(decoy.pid);
    });
    expect(delivery).toEqual({ done: true });
    await claude.waitForSessionAfter(target);
    expect((await desktop.pasted('clipboard')).toString()).toBe('still there');
  });

  it.each([
    ['killed', 'SIGKILL'],
    ['crashing', 'SIGSEGV'],
  ] as const)(
    'A4 a helper that is %s in the middle is a reason, and what it held is given back',
    async (_, signal) => {
      const decoy = await desktop.openDecoy();
      await desktop.copy('clipboard', 'survives');
      await desktop.focus(decoy.window);
      const { delivery, target } = await deliver(async (calls) => {
        if (calls !== 5) return; // after the paste, before the Enter
        const { stdout } = await runProgram('pgrep', [
          '-n',
          '-P',
          String(process.pid),
          '-f',
          'typist-child',
        ]);
        process.kill(Number(stdout), signal);
      });
      expect(delivery).toEqual({
        done: false,
        reason: halfDone(message('driver.typistKilled', { signal })),
        touched: true,
      });
      expect((await desktop.pasted('clipboard')).toString()).toBe('survives');
      await waitFor(
        'the focus to be given back',
        async () => (await desktop.activeWindow()) === decoy.window,
      );
      expect(decoy.bytes()).toBe('');
      expect(claude.registry()?.sessionId).toBe(target.sessionId);
      await claude.press('Return'); // the `/clear` that was left in the box
      await claude.waitForSessionAfter(target);
    },
  );

  it('A3 B16 types nothing while a permission is asked for', async () => {
    api.enqueue({ toolUses: [{ name: 'Bash', input: { command: 'touch allowed' } }] });
    const target = await claude.target();
    await claude.type('please touch it');
    await claude.isShown('please touch it');
    await claude.press('Return');
    await claude.waitForState('waiting');
    expect(await desktopDriver(desktop.tools(bed)).deliver(target, clear)).toEqual({
      done: false,
      reason: expect.objectContaining({ code: 'clear.waitingFor' }),
      touched: false,
    });
    expect(claude.registry()?.status).toBe('waiting');
    expect(existsSync(join(bed.project, 'allowed'))).toBe(false);
    await waitFor('the dialog to close', async () => {
      await claude.press('Escape'); // keys that come right after a dialog has opened are passed over
      await sleep(1000);
      return claude.registry()?.status === 'idle';
    });
  });

  it('A3 a minimised window is refused, with no helper crashing over it', async () => {
    await desktop.xdotool('windowminimize', '--sync', claude.window);
    onTestFinished(() => desktop.focus(claude.window));
    const { delivery } = await deliver();
    expect(delivery).toEqual({
      done: false,
      reason: message('driver.windowMinimized', { name: 'xterm' }),
      touched: false,
    });
  });

  it('A3 a locked screen is refused: told by systemd, by a lock that runs, by a keyboard that is taken', async () => {
    desktop.fake('loginctl', 'echo LockedHint=yes');
    onTestFinished(() => desktop.unfake('loginctl'));
    expect((await deliver()).delivery).toEqual({
      done: false,
      reason: message('driver.screenLocked'),
      touched: false,
    });
    desktop.fake('loginctl', 'echo LockedHint=no');

    const lock = spawn('sleep', ['60'], { argv0: 'i3lock' });
    onTestFinished(() => void lock.kill());
    expect((await deliver()).delivery).toEqual({
      done: false,
      reason: message('driver.screenLockedBy', { program: 'i3lock' }),
      touched: false,
    });
    lock.kill();
    await waitFor('the lock to end', () => !existsSync(`/proc/${lock.pid}`));

    const { client, screen } = await connect(desktop.display);
    onTestFinished(() => client.terminate());
    await new Promise((resolve) => client.GrabKeyboard(screen[0]?.root ?? 0, 0, 0, 1, 1, resolve));
    const held = message('driver.keyboardTaken');
    expect((await deliver()).delivery).toEqual({ done: false, reason: held, touched: false });
  });

  it('A5 only /clear is ever typed, since the box cannot be seen', async () => {
    const target = await claude.target();
    const delivery = await desktopDriver(desktop.tools(bed)).deliver(target, goOn);
    expect(delivery).toEqual({
      done: false,
      reason: message('driver.desktopOnlyClear'),
      touched: false,
    });
  });

  it('A4 the built command line has the part that types beside it, and the plugin has not', async () => {
    const started = await Typist.start({ ...desktop.env }, [
      join(PLUGIN, '../cli/typist-child.js'),
    ]);
    const windows =
      started.ok && (await started.value.ask({ ask: 'look', pids: [claude.terminal] }));
    expect(windows).toEqual({
      ok: true,
      value: [{ id: Number(claude.window), pid: claude.terminal, isMinimised: false }],
    });
    if (started.ok) started.value.leave();
    expect(readdirSync(join(PLUGIN, 'cli')).sort()).toEqual(['memory-keeper.mjs', 'start.cjs']);
  });

  describe('A3 it is not certain', () => {
    const certaintyOf = async (pid: number) => {
      const processStart = (await processes.lookUp([pid])).get(pid)?.startTime ?? '';
      keepGiven(bed.places, 'some', '');
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
      const { client, screen } = await connect(desktop.display);
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
          if (!(child > 0))
            return (await processes.lookUp([next])).get(next)?.name === name && next;
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

  /** A session of its own with the built plugin. */
  async function withPlugin(version: 'claude' | 'claudeWithoutMods', state = {}) {
    const own = { api: await MockApi.start(), bed: new ClaudeBed(paths[version]) };
    const statePath = join(own.bed.home, '.claude.json');
    writeFileSync(
      statePath,
      JSON.stringify({ ...JSON.parse(readFileSync(statePath, 'utf8')), ...state }),
    );
    const session = await desktop.openClaude(own.bed, own.api, ['--plugin-dir', PLUGIN]);
    onTestFinished(async () => {
      process.kill(session.pid);
      await waitFor('the CLI to end', () => !existsSync(`/proc/${session.pid}`));
      await own.bed.remove();
      await own.api.stop();
    });
    return { ...own, session };
  }

  describe.each(['claudeWithoutMods', 'claude'] as const)(
    'A5 whatever state the box is in (%s)',
    (version) => {
      it.each(['nothing', 'a command'])(
        'shell mode with %s in it: the shell gets nothing, and so does the model',
        async (content) => {
          const { api: model, bed: home, session } = await withPlugin(version);
          await session.press('exclam');
          await session.isShown('! for shell mode');
          if (content === 'a command') await session.type('touch run-by-the-shell');
          if (content === 'a command') await session.isShown('run-by-the-shell');
          const target = await session.target();
          expect(await desktopDriver(desktop.tools(home)).deliver(target, clear)).toEqual({
            done: true,
          });
          await session.waitForSessionAfter(target);
          expect(told(model)).toEqual([]);
          expect(existsSync(join(home.project, 'run-by-the-shell'))).toBe(false);
        },
      );

      it('vim keys in NORMAL mode: pasted as ever, and not spelled', async () => {
        const { api: model, bed: home, session } = await withPlugin(version, { editorMode: 'vim' });
        await session.type('a draft');
        await session.isShown('-- INSERT --');
        await session.press('Escape');
        await desktop.copy('clipboard', PNG, 'image/png');
        const target = await session.target();
        const driver = desktopDriver(desktop.tools(home));
        const reason = message('driver.vimNeedsPaste', {
          reason: message('driver.clipboardImage'),
        });
        expect(await driver.deliver(target, clear)).toEqual({
          done: false,
          reason,
          touched: false,
        });
        await desktop.copy('clipboard', 'words');
        expect(await driver.deliver(target, clear)).toEqual({ done: true });
        await session.waitForSessionAfter(target);
        expect(told(model)).toEqual([]);
      });
    },
  );

  describe.each(['claudeWithoutMods', 'claude'] as const)(
    'A5 an older stash that comes up (%s)',
    (version) => {
      it('is not sent along, and comes back to the user', async () => {
        const { api: model, bed: home, session } = await withPlugin(version);
        const stashed = 'words of an older stash, 한글 too';
        await session.type(stashed);
        await session.isShown(stashed);
        await session.press('ctrl+s');
        await session.isShown('stashed');
        const target = await session.target();
        const delivery = await desktopDriver(desktop.tools(home)).deliver(target, clear);
        expect(delivery).toEqual({
          done: false,
          reason: message('driver.otherWordsInClipboard', { words: stashed }),
          touched: true,
        });
        expect((await desktop.pasted('clipboard')).toString()).toBe(stashed);
        expect(
          model.requests
            .map(({ body }) => JSON.stringify(body))
            .filter((body) => body.includes('older stash')),
        ).toEqual([]);
        expect(session.registry()?.sessionId).toBe(target.sessionId);
        expect(readdirSync(join(home.places.home, 'guard'))).toEqual([]);
      });
    },
  );
});

function connect(display: string): Promise<XDisplay> {
  return new Promise((resolve, reject) => {
    createClient({ display }, (error, found) => (error ? reject(error) : resolve(found)));
  });
}
