/** A clear by the keyboard while the screen is locked. Alone, since a lock is one of all displays. */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { desktopDriver } from '../../../core/clear/delivery/desktop/desktop.ts';
import { FIXED_TEXTS } from '../../../core/clear/delivery/driver.ts';
import { message } from '../../../core/messages/message.ts';
import { ClaudeBed } from '../../bed/claude.ts';
import { DesktopBed, type TerminalWithClaude } from '../../bed/desktop-bed.ts';
import { connectTo } from '../../bed/desktop-clear.ts';
import { MockApi } from '../../bed/mock-api.ts';
import { waitFor } from '../../bed/wait-for.ts';
import { describeWith } from '../../bed/with-pieces.ts';

const PIECES = ['Xvfb', 'openbox', 'xterm', 'xdotool', 'xprop', 'claudeWithoutMods'] as const;

describeWith('clearing by the keyboard of a desktop that is locked', PIECES, (paths) => {
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

  const deliver = async () =>
    desktopDriver(desktop.tools(bed)).deliver(await claude.target(), FIXED_TEXTS.clear);

  it('A3 a locked screen is refused: told by systemd, by a lock that runs, by a keyboard that is taken', async () => {
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
