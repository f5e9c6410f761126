/**
 * The packaged application (G7, G8), packed once by electron-builder and then used as it is: what
 * is in it, how its fuses are set, that it installs the plugin that it carries and clears a real
 * CLI, and that hooks run with nothing but its runtime.
 */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractFile, listPackage } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { readBriefing } from '../../../core/memory/restore/briefing-file.ts';
import type { Message } from '../../../core/messages/message.ts';
import { runtimeProgram } from '../../../core/plugin/hook-runtime.ts';
import { copyFolder, holdsAllOf } from '../../../core/plugin/plugin-copy.ts';
import type { CallResult } from '../../../core/usecases/contract.ts';
import { resolveElectron } from '../../../scripts/electron-runtime.ts';
import { AppPage } from '../../bed/app-page.ts';
import type { ClaudeSession } from '../../bed/claude.ts';
import { ElectronDesktop } from '../../bed/electron-bed.ts';
import { type Package, PackagedApp, packApplication } from '../../bed/packaged-app.ts';
import { PLUGIN, PluginBed } from '../../bed/plugin-bed.ts';
import { run } from '../../bed/run.ts';
import { tempFolder } from '../../bed/temp-folder.ts';
import { UpdateFeed } from '../../bed/update-feed.ts';
import { waitFor } from '../../bed/wait-for.ts';
import { describeWith } from '../../bed/with-pieces.ts';

// Packing copies a quarter of a gigabyte, on a disk that others may be using.
vi.setConfig({ hookTimeout: 300_000 });

const ROOT = join(import.meta.dirname, '../../..');
const MODEL = 'claude-sonnet-4-5';
const PIECES = [
  'electron',
  'Xvfb',
  'openbox',
  'xdotool',
  'dbus-daemon',
  'xterm',
  'xprop',
  'claude',
  'tmux',
  'smallDisk',
] as const;

/** Node.js of the system, where hooks look for it. */
const SYSTEM = ['/opt/homebrew/bin/node', '/usr/local/bin/node', '/usr/bin/node'].filter(
  existsSync,
);

describeWith('the packaged application', PIECES, (paths) => {
  let folder: string;
  let packed: Package;
  let plugin: PluginBed;
  let desktop: ElectronDesktop;
  let app: PackagedApp;
  let page: Page;

  beforeAll(async () => {
    // As on a user's disk, where folders are called anything.
    folder = join(mkdtempSync(join(tmpdir(), 'memory-keeper-package-')), `it's 내 앱`);
    packed = await packApplication(folder);
    plugin = await PluginBed.start(paths.claude);
    plugin.configure({ autoClear: { countdownSeconds: 600, summary: false } });
    desktop = await ElectronDesktop.start(paths.electron);
    app = await PackagedApp.start(desktop, packed.program, plugin.bed.environment(plugin.api));
    page = await app.window();
  });
  afterAll(async () => {
    await app?.stop();
    await desktop?.remove();
    await plugin?.remove();
    rmSync(join(folder, '..'), { recursive: true, force: true });
  });

  const call = (method: string, args: object) =>
    page.evaluate(([name, given]) => memoryKeeperHost?.call(name as never, given as never), [
      method,
      args,
    ] as const) as Promise<CallResult<unknown>>;

  it('G7 holds what it needs and nothing else', () => {
    const archive = join(packed.resources, 'app.asar');
    const files = listPackage(archive, { isPack: false });
    const top = new Set(files.map((path) => path.split('/')[1]));
    expect([...top].sort()).toEqual(['dist', 'node_modules', 'package.json']);
    const ours = new Set(
      files.filter((path) => path.startsWith('/dist/')).map((path) => path.split('/')[2]),
    );
    expect([...ours].sort()).toEqual(['electron', 'renderer']);
    expect(
      files.filter((path) => /\.[cm]?ts$|\.map$|\.test\.|\/tests?(?:\/|$)/.test(path)),
    ).toEqual([]);
    // Of npm only what the product itself depends on.
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
    const modules = files
      .filter((path) => path.endsWith('/package.json') && path !== '/package.json')
      .map((path) => path.slice(1, -'/package.json'.length));
    const strangers = modules.filter(
      (path) => /node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) && lock[path]?.dev !== undefined,
    );
    expect(strangers).toEqual([]);
    expect(modules).toContain('node_modules/@nut-tree/nut-js');
    const manifest = JSON.parse(extractFile(archive, 'package.json').toString());
    expect(Object.keys(manifest)).not.toContain('devDependencies');
    expect(holdsAllOf(join(packed.resources, 'plugin'), PLUGIN)).toBe(true);
    expect(existsSync(join(packed.resources, 'app-update.yml')), 'no address for updates').toBe(
      false,
    );
    const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
    process.stderr.write(
      `package: ${megabytes(sizeOf(join(packed.resources, '..')))}, of which ours ${megabytes(sizeOf(packed.resources))}\n`,
    );
  });

  it('G7 its fuses are set', async () => {
    const wire = await getCurrentFuseWire(packed.program);
    const states = Object.fromEntries(
      Object.entries(FuseV1Options).flatMap(([name, index]) =>
        typeof index === 'number' ? [[name, wire[index as FuseV1Options]]] : [],
      ),
    );
    expect(states).toMatchObject({
      RunAsNode: FuseState.ENABLE, // hooks
      EnableCookieEncryption: FuseState.DISABLE,
      EnableNodeOptionsEnvironmentVariable: FuseState.DISABLE,
      EnableNodeCliInspectArguments: FuseState.DISABLE,
      EnableEmbeddedAsarIntegrityValidation: FuseState.ENABLE,
      OnlyLoadAppFromAsar: FuseState.ENABLE,
      GrantFileProtocolExtraPrivileges: FuseState.DISABLE,
    });
    expect(await page.context().cookies(), 'nothing that would have to be encrypted').toEqual([]);
  });

  it('G7 nothing that could be given to others is made with the Electron for closed networks', async (test) => {
    const electron = await resolveElectron();
    test.skip(!('note' in electron) || electron.note === undefined, 'the pinned Electron is here');
    const output = join(folder, 'refused');
    const refused = /No package was made: the Electron that is pinned cannot be had here/;
    const wishes = [['--linux', 'AppImage'], ['--linux', 'dir', 'deb'], ['--win', 'dir'], []];
    await Promise.all(
      wishes.map((wanted) =>
        expect(
          run(process.execPath, ['scripts/package.ts', ...wanted, '--output', output], {
            cwd: ROOT,
          }),
        ).rejects.toThrow(refused),
      ),
    );
    expect(existsSync(output)).toBe(false);
  });

  it('G7 an address for updates that anybody on the way could change is refused', async () => {
    const env = { ...process.env, MEMORY_KEEPER_UPDATE_FEED: 'http://updates.example.com' };
    const packing = run(process.execPath, ['scripts/package.ts', '--linux', 'dir'], {
      cwd: ROOT,
      env,
    });
    await expect(packing).rejects.toThrow('must be an address that begins with https://');
  });

  it('G4 G7 its Install button installs the plugin that it carries, and leaves hooks its runtime', async () => {
    const window = new AppPage(page);
    await window.open('plugin');
    await window.button('plugin.install').click();
    await window.button('plugin.uninstall').waitFor();
    expect(holdsAllOf(copyFolder(plugin.bed.places), join(packed.resources, 'plugin'))).toBe(true);
    const listed = JSON.parse(
      await run(paths.claude, ['plugin', 'list', '--json'], {
        env: plugin.bed.environment(plugin.api),
        cwd: plugin.bed.project,
      }),
    );
    expect(listed).toMatchObject([{ id: 'memory-keeper@memory-keeper-app', enabled: true }]);
    expect(runtimeProgram(plugin.bed.places)).toBe(packed.program);
  });

  it('G7 A4 clears a real CLI that has the plugin from it, by the tray', async () => {
    const session = await startSession();
    await plugin.turn(session, 'which colour has the logo', 'The colour is teal.');
    const before = (await session.waitForState('idle')).sessionId;
    await desktop.tray.click(/^project · \d+ % · idle$/, 'Clear now');
    const after = await waitFor('the new session', async () => {
      const { sessionId } = await session.waitForState('idle');
      return sessionId !== before && sessionId;
    });
    expect(plugin.said).toEqual(['which colour has the logo', 'The colour is teal.']);
    await waitFor('what it was given', () =>
      readBriefing(plugin.bed.places, after)?.includes('which colour has the logo'),
    );
    // Read by a thread whose program is in the archive.
    const memory = await call('memory.sessions', { project: plugin.bed.project });
    expect(memory).toMatchObject({ ok: true });
    await session.stop();
  });

  it('G7 A4 its child that types starts from the archive, and sees the window of a session', async () => {
    const terminal = await desktop.desktop.openClaude(plugin.bed, plugin.api);
    const { sessionId, pid } = await terminal.target();
    await waitFor('the way by the keyboard', async () => {
      const answer = (await call('sessions.explain', { sessionId, pid })) as CallResult<{
        ways: { name: string; certainty: { how?: Message } }[];
      }>;
      const way = answer.ok ? answer.value.ways.find(({ name }) => name === 'desktop') : undefined;
      return way?.certainty.how?.values?.pid === String(terminal.terminal);
    });
    process.kill(terminal.terminal);
  });

  it('G8 hooks work with no node at all: a session is kept and restored by its runtime alone', async () => {
    const { root, places } = plugin.bed;
    const { binary, path } = await withoutNode();
    const copy = copyFolder(places);
    const found = await run('env', [
      '-i',
      `HOME=${plugin.bed.home}`,
      binary,
      '/bin/sh',
      join(copy, 'hooks/run.sh'),
      'runtime',
    ]);
    expect(found).toMatch(/^\d+\.\d+\.\d+ /);
    expect(found.trim().endsWith(packed.program)).toBe(true);
    const claude = join(root, 'claude-without-node');
    writeFileSync(claude, `#!/bin/sh\nexec '${binary}' '${paths.claude}' "$@"\n`, { mode: 0o755 });
    const session = await startSession({ binary: claude, env: { PATH: path } });
    await plugin.turn(session, '로그인 화면을 고쳐줘', 'The login page is mended.');
    await plugin.kept('The login page is mended.');
    expect(plugin.said).toContain('로그인 화면을 고쳐줘');
    expect(await session.screen()).toContain('[rules injected]');
    await session.clear();
    const { sessionId } = await session.waitForState('idle');
    await waitFor('what it was given', () =>
      readBriefing(places, sessionId)?.includes('로그인 화면을 고쳐줘'),
    );
    await session.stop();
  });

  it('G8 without its runtime nothing is kept there, and the user is told', async () => {
    const { places, root, home } = plugin.bed;
    const { binary } = await withoutNode();
    const script = join(places.home, 'runtime');
    const kept = readFileSync(script);
    rmSync(script);
    const told = await run(
      'env',
      ['-i', `HOME=${home}`, binary, '/bin/sh', join(copyFolder(places), 'hooks/run.sh'), 'start'],
      {
        cwd: root,
      },
    );
    writeFileSync(script, kept, { mode: 0o700 });
    expect(JSON.parse(told).systemMessage).toContain('Nothing is kept');
  });

  it('G1 starts at login by its own program', async () => {
    const entry = join(plugin.bed.home, '.config/autostart/memory-keeper.desktop');
    expect(await call('settings.change', { key: 'app.startAtLogin', value: true })).toMatchObject({
      ok: true,
    });
    await waitFor('the entry', () => existsSync(entry));
    expect(readFileSync(entry, 'utf8')).toContain(`Exec="${packed.program}" "--hidden"\n`);
  });

  it('G4 G8 Uninstall takes the plugin out, and the runtime with it', async () => {
    await waitFor('the last session to end', async () => {
      const state = (await call('sessions.state', {})) as CallResult<{ sessions: unknown[] }>;
      return state.ok && state.value.sessions.length === 0;
    });
    const window = new AppPage(page);
    await window.open('plugin');
    await window.button('plugin.uninstall').click();
    await window.page.getByText(window.text('plugin.remainsTitle')).waitFor();
    expect(runtimeProgram(plugin.bed.places)).toBeUndefined();
    expect(readdirSync(plugin.bed.places.home)).not.toContain('plugin-marketplace');
  });

  it('G7 made with an address for updates, it fetches one only after a yes; at the end that takes its place', async () => {
    const feed = await UpdateFeed.start('9.9.9', 'the new one');
    onTestFinished(() => feed.stop());
    writeFileSync(join(packed.resources, 'app-update.yml'), feed.appUpdateYml);
    // An AppImage says by these where it lies and where it was unpacked to.
    const image = join(tempFolder(), 'Memory-Keeper.AppImage');
    writeFileSync(image, 'the old one', { mode: 0o755 });
    const home = join(tempFolder(), 'home');
    mkdirSync(home);
    const env = { HOME: home, APPIMAGE: image, APPDIR: join(packed.resources, '..') };
    const other = await PackagedApp.start(desktop, packed.program, env);
    onTestFinished(() => other.stop());
    await waitFor('the question', async () => {
      const args = ['-id', await desktop.desktop.activeWindow(), '_NET_WM_WINDOW_TYPE'];
      return (await run('xprop', args, { env: desktop.desktop.env }).catch(() => '')).includes(
        'DIALOG',
      );
    });
    expect(feed.asked).toEqual(['latest-linux.yml']);
    await desktop.desktop.xdotool('key', 'Left', 'Return');
    await waitFor('the download', () =>
      existsSync(join(home, '.cache/memory-keeper-updater/pending/update-info.json')),
    );
    expect(readFileSync(image, 'utf8')).toBe('the old one');
    await other.stop();
    expect(readFileSync(image, 'utf8')).toBe('the new one');
  });

  /** With whatever is installed, as a user starts it. */
  function startSession(
    options: { binary?: string; env?: Record<string, string> } = {},
  ): Promise<ClaudeSession> {
    return plugin.bed.start({ api: plugin.api, model: MODEL, ...options });
  }

  /**
   * A program that runs another where there is no Node.js on the whole machine, and a PATH with
   * what the CLI itself needs.
   */
  async function withoutNode(): Promise<{ binary: string; path: string }> {
    const path = join(plugin.bed.root, 'bin');
    const binary = join(plugin.bed.root, 'without-node');
    if (existsSync(binary)) return { binary, path };
    mkdirSync(path);
    for (const name of ['sh', 'bash', 'env', 'git', 'ps', 'uname', 'which']) {
      const program = (await run('sh', ['-c', `command -v ${name} || true`])).trim();
      if (program !== '') symlinkSync(program, join(path, name));
    }
    const unshare = (await run('sh', ['-c', 'command -v unshare'])).trim();
    const mount = (await run('sh', ['-c', 'command -v mount'])).trim();
    const hide = SYSTEM.map((node) => `${mount} --bind /dev/null ${node}`).join(' && ') || ':';
    writeFileSync(
      binary,
      `#!/bin/sh\nPATH='${path}'\nexport PATH\nexec ${unshare} --mount /bin/sh -c '${hide} && exec "$@"' sh "$@"\n`,
      { mode: 0o755 },
    );
    return { binary, path };
  }
});

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.reduce(
    (sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size,
    0,
  );
}
