/** A clear by the keyboard while the screen is locked. Alone, since a lock is one of all displays. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { desktopDriver } from '../../../core/clear/delivery/desktop/desktop.ts';
import { FIXED_TEXTS } from '../../../core/clear/delivery/driver.ts';
import { message } from '../../../core/messages/message.ts';
import { connectTo, type DesktopScene, startDesktopScene } from '../../bed/desktop-clear.ts';
import { waitFor } from '../../bed/wait-for.ts';
import { describeWith } from '../../bed/with-pieces.ts';

const PIECES = ['Xvfb', 'openbox', 'xterm', 'xdotool', 'xprop', 'claudeWithoutMods'] as const;

describeWith('clearing by the keyboard of a desktop that is locked', PIECES, (paths) => {
  let scene: DesktopScene;

  beforeAll(async () => {
    scene = await startDesktopScene(paths.claudeWithoutMods);
  });
  afterAll(() => scene?.remove());

  const deliver = async () => {
    const { desktop, bed, claude } = scene;
    return desktopDriver(desktop.tools(bed)).deliver(await claude.target(), FIXED_TEXTS.clear);
  };

  it('A3 a locked screen is refused: told by systemd, by a lock that runs, by a keyboard that is taken', async () => {
    const { desktop } = scene;
    desktop.fake('loginctl', 'echo LockedHint=yes');
    onTestFinished(() => desktop.unfake('loginctl'));
    expect(await deliver()).toEqual({
      done: false,
      reason: message('driver.screenLocked'),
      touched: false,
    });
    desktop.fake('loginctl', 'echo LockedHint=no');

    const lock = spawn('sleep', ['60'], { argv0: 'i3lock' });
    onTestFinished(() => void lock.kill());
    expect(await deliver()).toEqual({
      done: false,
      reason: message('driver.screenLockedBy', { program: 'i3lock' }),
      touched: false,
    });
    lock.kill();
    await waitFor('the lock to end', () => !existsSync(`/proc/${lock.pid}`));

    const { client, screen } = await connectTo(desktop.display);
    onTestFinished(() => client.terminate());
    await new Promise((resolve) => client.GrabKeyboard(screen[0]?.root ?? 0, 0, 0, 1, 1, resolve));
    const held = message('driver.keyboardTaken');
    expect(await deliver()).toEqual({ done: false, reason: held, touched: false });
  });
});
