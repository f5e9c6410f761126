/**
 * One click (G4) with the real CLI: the plugin gets in, works, is renewed, mended and taken out
 * again, and the user's settings stay whole.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import {
  installPlugin,
  type PluginOptions,
  pluginStatus,
  repairPlugin,
  uninstallPlugin,
  updatePlugin,
} from '../../core/plugin/install.ts';
import {
  copyFolder,
  MARKETPLACE_NAME,
  marketplaceFolder,
  PLUGIN_ID,
  pluginVersion,
} from '../../core/plugin/plugin-copy.ts';
import { runProgram } from '../../core/process/run-program.ts';
import { HeadlessSession } from '../bed/headless.ts';
import { PLUGIN, PluginBed } from '../bed/plugin-bed.ts';
import { run } from '../bed/run.ts';
import { tempFolder } from '../bed/temp-folder.ts';
import { describeWith } from '../bed/with-pieces.ts';

// Each of these calls the CLI ten times and more, which takes seconds a call where many tests run
// at once.
vi.setConfig({ testTimeout: 300_000 });

const MODEL = 'claude-sonnet-4-5';
const VERSION = pluginVersion(PLUGIN);
const SETTINGS = {
  zeta: 1,
  unknownKey: { b: [1, 2], a: '한글' },
  autoMemoryEnabled: true,
  hooks: {},
  permissions: { allow: ['Bash(ls:*)'] },
  enabledPlugins: { 'other@somewhere': false },
};

class Scene {
  readonly #plugin: PluginBed;
  readonly options: PluginOptions;

  static async start(binary: string): Promise<Scene> {
    const folder = join(tempFolder(), '내 집 in a folder');
    mkdirSync(folder);
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const plugin = await PluginBed.start(binary);
    onTestFinished(() => plugin.remove());
    return new Scene(plugin, binary);
  }

  private constructor(plugin: PluginBed, binary: string) {
    this.#plugin = plugin;
    const { bed, api } = plugin;
    const env = bed.environment(api);
    this.options = {
      places: bed.places,
      env,
      run: runProgram,
      carried: plugin.plugin,
      candidates: [binary],
    };
    this.write(JSON.stringify(SETTINGS, null, 2));
  }

  get api() {
    return this.#plugin.api;
  }

  get plugin() {
    return this.#plugin;
  }

  get settingsFile(): string {
    return join(this.options.places.claude, 'settings.json');
  }

  write(settings: string): void {
    writeFileSync(this.settingsFile, settings);
  }

  get text(): string {
    return readFileSync(this.settingsFile, 'utf8');
  }

  /** As Claude Code tells it. */
  async listed(): Promise<Record<string, unknown>[]> {
    const { bed } = this.#plugin;
    return JSON.parse(
      await run(bed.binary, ['plugin', 'list', '--json'], {
        env: this.options.env,
        cwd: bed.project,
      }),
    );
  }

  async memoryKeeper(...args: string[]): Promise<string> {
    return this.#plugin.bed.memoryKeeper(this.api, ...args);
  }

  /** A session of one turn, with whatever is installed; what is said is kept while it goes on. */
  async session(words: string, answer: string): Promise<string> {
    const session = new HeadlessSession(this.#plugin.bed, this.api, { model: MODEL });
    this.api.enqueue({ text: answer });
    await session.say(words);
    await this.#plugin.kept(answer);
    await session.end();
    return session.sessionId;
  }

  /** The carried plugin in another state: another version, another file. */
  variant(name: string, version: string | null, extra = ''): string {
    const folder = join(this.#plugin.bed.root, name);
    cpSync(PLUGIN, folder, { recursive: true });
    const manifest = join(folder, '.claude-plugin/plugin.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(`"${VERSION}"`, `"${version}"`));
    if (extra !== '') writeFileSync(join(folder, 'README.md'), extra);
    return folder;
  }
}

for (const piece of ['claude', 'claudeWithoutMods', 'claudeOldest'] as const)
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
        hasMods: piece === 'claude',
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
      for (const folder of [
        scene.options.places.home,
        scene.plugin.memory.folder,
        scene.plugin.memory.sessions,
      ])
        expect(farewell).toContain(`${folder}\n`);
    });

    it('G4 is brought up to date from an older copy, and from another build of the same version', async () => {
      const scene = await Scene.start(binary);
      const first = await installPlugin({
        ...scene.options,
        carried: scene.variant('older', '0.0.9'),
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
        carried: scene.variant('rebuilt', VERSION, 'Another build.'),
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
      expect(await repairPlugin(scene.options)).toMatchObject({
        isEnabled: true,
        isDamaged: false,
        problem: null,
      });

      rmSync(join(scene.options.places.claude, 'plugins/cache'), { recursive: true });
      expect(await repairPlugin(scene.options)).toMatchObject({
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
    expect(refused).toContain('is being changed by another process');
    expect(await pluginStatus(scene.options)).toMatchObject({ isEnabled: true, isDamaged: false });
  });

  it('G4 an older application does not put its older plugin in the place of a newer one', async () => {
    const scene = await Scene.start(claude);
    await installPlugin({ ...scene.options, carried: scene.variant('newer', '99.0.0') });
    await expect(updatePlugin(scene.options)).rejects.toMatchObject({
      said: { code: 'plugin.newerInstalled', values: { installed: '99.0.0' } },
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
    await expect(updatePlugin({ ...scene.options, carried: null })).rejects.toThrow(
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
    await installPlugin({ ...scene.options, carried: scene.variant('older', '0.0.9') });
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
        said: {
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
