/**
 * The last driver to try: keys on a real desktop, into the real CLI in a real terminal, with others
 * beside it that must get nothing.
 */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { desktopDriver } from '../../core/clear/delivery/desktop/desktop.ts';
import { Typist } from '../../core/clear/delivery/desktop/typist.ts';
import { FIXED_TEXTS } from '../../core/clear/delivery/driver.ts';
import type { Message } from '../../core/messages/message.ts';
import { message } from '../../core/messages/message.ts';
import { runProgram } from '../../core/platform/process/run-program.ts';
import { type DesktopScene, PNG, startDesktopScene, toldBy } from '../bed/desktop-clear.ts';
import { PLUGIN } from '../bed/plugin-bed.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

const { clear, continue: goOn } = FIXED_TEXTS;
const halfDone = (reason: Message) => message('driver.leftMaybeDraft', { reason });
const PIECES = [
  'Xvfb',
  'openbox',
  'xterm',
  'xdotool',
  'xclip',
  'xprop',
  'setxkbmap',
  'claudeWithoutMods',
] as const;
const PRESS_AGAIN_MS = 2000;

describeWith('clearing by the keyboard of the desktop', PIECES, (paths) => {
  let scene: DesktopScene;
  let { desktop, api, bed, claude } = {} as DesktopScene;

  beforeAll(async () => {
    scene = await startDesktopScene(paths.claudeWithoutMods);
    ({ desktop, api, bed, claude } = scene);
  });
  afterAll(() => scene?.remove());

  const told = () => toldBy(api);

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
});
