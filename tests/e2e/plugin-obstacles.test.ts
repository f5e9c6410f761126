/** Installing the plugin (G4), whatever is in the way, with the real CLI. */
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { installPlugin, uninstallPlugin, updatePlugin } from '../../core/plugin/install.ts';
import {
  copyFolder,
  MARKETPLACE_NAME,
  marketplaceFolder,
  PLUGIN_ID,
} from '../../core/plugin/plugin-copy.ts';
import { pluginStatus } from '../../core/plugin/plugin-status.ts';
import { MODEL, Scene, SETTINGS } from '../bed/install-scene.ts';
import { run } from '../bed/run.ts';
import { describeWith } from '../bed/with-pieces.ts';

describeWith('the plugin, whatever is in the way', ['claude'], ({ claude }) => {
  it('G4 installing it twice, or with it switched off, comes to the same', async () => {
    const scene = await Scene.start(claude);
    await installPlugin(scene.options);
    const settings = scene.text;
    await installPlugin(scene.options);
    expect(scene.text).toBe(settings);
    await run(claude, ['plugin', 'disable', PLUGIN_ID], { env: scene.options.env });
    expect(await updatePlugin(scene.options), 'stays off').toMatchObject({
      isInstalled: true,
      isEnabled: false,
    });
    expect(await installPlugin(scene.options)).toMatchObject({
      isInstalled: true,
      isEnabled: true,
    });
    expect(JSON.parse(scene.text)).toEqual(JSON.parse(settings));
  });

  it('G4 two installations at once: one does it, the other says that it is being done', async () => {
    const scene = await Scene.start(claude);
    const outcomes = await Promise.allSettled([
      installPlugin(scene.options),
      installPlugin(scene.options),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [refused] = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [String(outcome.reason)] : [],
    );
    expect(refused).toContain('store.busy');
    expect(await pluginStatus(scene.options)).toMatchObject({ isEnabled: true, isDamaged: false });
  });

  it('G4 an older application does not put its older plugin in the place of a newer one', async () => {
    const scene = await Scene.start(claude);
    await installPlugin({ ...scene.options, bundledPlugin: scene.variant('newer', '99.0.0') });
    await expect(updatePlugin(scene.options)).rejects.toMatchObject({
      reason: { code: 'plugin.newerInstalled', values: { installed: '99.0.0' } },
    });
    expect(await pluginStatus(scene.options)).toMatchObject({
      installedVersion: '99.0.0',
      isOutdated: false,
    });
  });

  it('G4 without the CLI it says so and what to type, and what it says to type works', async () => {
    const scene = await Scene.start(claude);
    const without = {
      ...scene.options,
      candidates: [join(scene.options.places.claude, 'nowhere/claude')],
    };
    expect(await pluginStatus(without)).toMatchObject({
      cli: null,
      problem: { code: 'plugin.claudeNotFound' },
      isInstalled: false,
    });
    await expect(installPlugin(without)).rejects.toThrow(
      /plugin\.claudeNotFound.*claude plugin marketplace add/,
    );
    const { manualSteps } = await pluginStatus(without);
    const typed = manualSteps.filter(({ code }) => code === 'plugin.command');
    expect(typed).toHaveLength(2);
    for (const { values } of typed)
      await run('sh', ['-c', String(values?.command)], { env: scene.options.env });
    expect(await pluginStatus(scene.options)).toMatchObject({
      isInstalled: true,
      isEnabled: true,
      problem: null,
    });
    await expect(updatePlugin({ ...scene.options, bundledPlugin: null })).rejects.toThrow(
      'plugin.notIncluded',
    );
  });

  it('G4 a program that calls itself claude and fails is told, not taken for none', async () => {
    const scene = await Scene.start(claude);
    const broken = join(scene.plugin.bed.root, 'claude');
    writeFileSync(broken, '#!/bin/sh\necho no licence >&2\nexit 3\n', { mode: 0o755 });
    const status = await pluginStatus({ ...scene.options, candidates: [broken] });
    expect(status.problem).toEqual({
      code: 'plugin.claudeFails',
      values: { path: broken, reason: 'no licence' },
    });
  });

  it('G4 no part of it reaches for the network', async () => {
    const scene = await Scene.start(claude);
    const reached: string[] = [];
    const proxy = createServer((request, response) => {
      reached.push(String(request.url));
      response.writeHead(502).end();
    });
    proxy.on('connect', (request, socket) => {
      reached.push(String(request.url));
      socket.end();
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void proxy.close());
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    // As on a user's machine: nothing here keeps the CLI from it but what we tell it.
    const {
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: _,
      DISABLE_AUTOUPDATER: __,
      ...env
    } = scene.options.env;
    const options = {
      ...scene.options,
      env: { ...env, HTTPS_PROXY: address, HTTP_PROXY: address, NO_PROXY: '' },
    };
    await installPlugin(options);
    await updatePlugin(options);
    await uninstallPlugin(options);
    expect(reached).toEqual([]);
  });

  it('G4 a session that is open while the plugin is renewed and taken out shows no error', async () => {
    const scene = await Scene.start(claude);
    await installPlugin({ ...scene.options, bundledPlugin: scene.variant('older', '0.0.9') });
    const { plugin } = scene;
    const session = await plugin.bed.start({ api: plugin.api, model: MODEL });
    await plugin.turn(session, 'The first words', 'The first answer.');
    await plugin.kept('The first answer.');
    await updatePlugin(scene.options);
    await plugin.turn(session, 'The second words', 'The second answer.');
    await plugin.kept('The second answer.');
    await uninstallPlugin(scene.options);
    await plugin.turn(session, 'The third words', 'The third answer.');
    expect(await session.screen()).not.toMatch(/hook error|No such file|can't open|failed/i);
    await session.stop();
    await uninstallPlugin(scene.options);
    expect(existsSync(marketplaceFolder(scene.options.places)), 'the last session is gone').toBe(
      false,
    );
  });
});

describeWith(
  'the plugin on a disk that cannot be written',
  ['claude', 'smallDisk'],
  ({ claude }) => {
    it('G4 a read-only home is told in words', async () => {
      const scene = await Scene.start(claude);
      const { home } = scene.plugin.bed;
      await run('mount', ['--bind', home, home]);
      onTestFinished(() => run('umount', [home]).then(() => undefined));
      await run('mount', ['-o', 'remount,bind,ro', home]);
      await expect(installPlugin(scene.options)).rejects.toMatchObject({
        reason: {
          code: 'plugin.cannotWrite',
          values: { path: scene.options.places.home, reason: { code: 'system.readOnly' } },
        },
      });
      expect(JSON.parse(scene.text)).toEqual(SETTINGS);
      expect(existsSync(copyFolder(scene.options.places))).toBe(false);
      expect(await pluginStatus(scene.options)).toMatchObject({ isInstalled: false });
      expect(scene.text).not.toContain(MARKETPLACE_NAME);
    });
  },
);
