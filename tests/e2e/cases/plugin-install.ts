/**
 * One click (G4) with the real CLI: the plugin gets in, works, is renewed, mended and taken out
 * again, and the user's settings stay whole.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { installPlugin, uninstallPlugin, updatePlugin } from '../../../core/plugin/install.ts';
import {
  MARKETPLACE_NAME,
  marketplaceFolder,
  PLUGIN_ID,
} from '../../../core/plugin/plugin-copy.ts';
import { pluginStatus } from '../../../core/plugin/plugin-status.ts';
import { Scene, SETTINGS, VERSION } from '../../bed/install-scene.ts';
import type { CliPiece } from '../../bed/prepare.ts';
import { describeWith } from '../../bed/with-pieces.ts';

export function pluginInstallation(piece: CliPiece, hasMods = false): void {
  describeWith(`the plugin and the real CLI (${piece})`, [piece], (paths) => {
    const binary = paths[piece];

    it('G4 B12 is installed by one command, saves and restores, and leaves nothing in the settings when it goes', async () => {
      const scene = await Scene.start(binary);
      const printed = JSON.parse(await scene.memoryKeeper('plugin', 'install', '--json'));
      expect(printed).toMatchObject({
        isInstalled: true,
        isEnabled: true,
        isOutdated: false,
        isDamaged: false,
        problem: null,
      });
      expect(printed).toMatchObject({
        installedVersion: VERSION,
        hasMods,
        lastSeenAt: null,
      });
      expect(await scene.listed()).toMatchObject([
        { id: PLUGIN_ID, enabled: true, version: VERSION },
      ]);
      expect(scene.text, 'B4').not.toContain(VERSION);
      const { extraKnownMarketplaces, ...settings } = JSON.parse(scene.text);
      expect(Object.keys(extraKnownMarketplaces)).toEqual([MARKETPLACE_NAME]);
      expect(settings, 'B12').toEqual({
        ...SETTINGS,
        enabledPlugins: { ...SETTINGS.enabledPlugins, [PLUGIN_ID]: true },
      });
      expect(scene.api.requests).toEqual([]);

      await scene.session('로그인 시도는 세 번까지로 하자', 'Three attempts it is.');
      const second = await scene.session('What did we agree on?', 'Three attempts.');
      const request = JSON.stringify(scene.plugin.conversation.at(-1)?.body.messages);
      expect(request).toContain('로그인 시도는 세 번까지로 하자');
      expect(request).toMatch(/never delete files/i);
      const given = join(scene.options.places.home, 'given', `${second}.txt`);
      expect(readFileSync(given, 'utf8')).toContain('Three attempts it is.');
      expect((await pluginStatus(scene.options)).lastSeenAt).not.toBeNull();

      const farewell = await scene.memoryKeeper('plugin', 'uninstall');
      expect(await scene.listed()).toEqual([]);
      expect(JSON.parse(scene.text)).toEqual({ ...SETTINGS, extraKnownMarketplaces: {} });
      expect(existsSync(marketplaceFolder(scene.options.places))).toBe(false);
      expect(scene.plugin.said).toContain('Three attempts it is.');
      expect(farewell).toContain(`${scene.options.places.home}\n`);
    });

    it('G4 is brought up to date from an older copy, and from another build of the same version', async () => {
      const scene = await Scene.start(binary);
      const first = await installPlugin({
        ...scene.options,
        bundledPlugin: scene.variant('older', '0.0.9'),
      });
      expect(first).toMatchObject({ installedVersion: '0.0.9', isOutdated: false });
      expect(await pluginStatus(scene.options)).toMatchObject({
        installedVersion: '0.0.9',
        isOutdated: true,
        isDamaged: false,
      });
      expect(await updatePlugin(scene.options)).toMatchObject({
        installedVersion: VERSION,
        isOutdated: false,
        problem: null,
      });
      expect(await scene.listed()).toMatchObject([
        { id: PLUGIN_ID, enabled: true, version: VERSION },
      ]);

      const rebuilt = {
        ...scene.options,
        bundledPlugin: scene.variant('rebuilt', VERSION, 'Another build.'),
      };
      expect(await pluginStatus(rebuilt)).toMatchObject({ isOutdated: true });
      expect(await updatePlugin(rebuilt)).toMatchObject({ isOutdated: false, isEnabled: true });
      const [{ readFromFolder, installPath } = {}] = await scene.listed();
      expect(readFileSync(join(String(readFromFolder ?? installPath), 'README.md'), 'utf8')).toBe(
        'Another build.',
      );
    });

    it('G4 is mended where its copy, or what Claude Code made of it, was deleted', async () => {
      const scene = await Scene.start(binary);
      await installPlugin(scene.options);
      rmSync(marketplaceFolder(scene.options.places), { recursive: true });
      const broken = await pluginStatus(scene.options);
      expect(broken).toMatchObject({ isInstalled: true, isDamaged: true });
      expect(broken.problem).toBeTruthy();
      expect(await installPlugin(scene.options)).toMatchObject({
        isEnabled: true,
        isDamaged: false,
        problem: null,
      });

      rmSync(join(scene.options.places.claude, 'plugins/cache'), { recursive: true });
      expect(await installPlugin(scene.options)).toMatchObject({
        isEnabled: true,
        isDamaged: false,
        problem: null,
      });
      await scene.session('Say something', 'Something.');
    });

    it.each([
      ['comments', '{\n  // mine\n  "theme": "dark",\n}'],
      ['half a file', '{ "theme": "dark", "a": '],
      ['a list', '[1, 2]'],
    ])(
      'G4 refuses, with words, to have settings changed that hold %s, and leaves them untouched',
      async (_, text) => {
        const scene = await Scene.start(binary);
        scene.write(text);
        for (const attempt of [installPlugin, uninstallPlugin])
          await expect(attempt(scene.options)).rejects.toThrow('plugin.settingsInvalid');
        expect(scene.text).toBe(text);
        expect(await pluginStatus(scene.options)).toMatchObject({
          isInstalled: false,
          problem: { code: 'plugin.settingsInvalid' },
        });
        expect(readdirSync(scene.options.places.home)).toEqual([]);
      },
    );
  });
}
