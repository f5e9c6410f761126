/** A clear by the keyboard of the desktop, which sees no box: whatever stands in it is safe. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { desktopDriver } from '../../core/clear/delivery/desktop/desktop.ts';
import { FIXED_TEXTS } from '../../core/clear/delivery/driver.ts';
import { message } from '../../core/messages/message.ts';
import { ClaudeBed } from '../bed/claude.ts';
import { DesktopBed } from '../bed/desktop-bed.ts';
import { PNG, toldBy } from '../bed/desktop-clear.ts';
import { MockApi } from '../bed/mock-api.ts';
import { PLUGIN } from '../bed/plugin-bed.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

const { clear } = FIXED_TEXTS;
const PIECES = [
  'Xvfb',
  'openbox',
  'xterm',
  'xdotool',
  'xclip',
  'xprop',
  'claude',
  'claudeWithoutMods',
] as const;

describeWith('clearing by the keyboard of the desktop', PIECES, (paths) => {
  let desktop: DesktopBed;

  beforeAll(async () => {
    desktop = await DesktopBed.start();
  });
  afterAll(() => desktop?.remove());

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
          expect(toldBy(model)).toEqual([]);
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
        expect(toldBy(model)).toEqual([]);
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
