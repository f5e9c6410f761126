/**
 * The doctor with the real CLI (G4, G8): it finds what is amiss on a user's machine, and what it
 * offers to mend is well afterwards.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Finding } from '../../core/doctor/finding.ts';
import { doctor, findings } from '../bed/doctor.ts';
import { PluginBed } from '../bed/plugin-bed.ts';
import { tempFolder } from '../bed/temp-folder.ts';
import { describeWith } from '../bed/with-pieces.ts';

// The CLI is called several times by each look, which takes seconds a call where many tests run at
// once.
vi.setConfig({ testTimeout: 300_000 });

const MODEL = 'claude-sonnet-4-5';

/** Programs of the system without `claude`, and `node` only if wanted. */
function pathWithout(...names: string[]): string {
  const folder = join(tempFolder(), 'bin');
  mkdirSync(folder);
  for (const program of ['sh', 'env', 'ps', 'node'].filter((name) => !names.includes(name))) {
    const real =
      program === 'node'
        ? process.execPath
        : [`/usr/bin/${program}`, `/bin/${program}`].find(existsSync);
    if (real !== undefined) symlinkSync(real, join(folder, program));
  }
  return folder;
}

describe('the doctor on a machine without Claude Code', () => {
  it('G4 says so with a way out, exits with 1, and leaves nothing behind', async () => {
    const home = tempFolder();
    const env = { HOME: home, PATH: pathWithout('claude'), LANG: 'C.UTF-8' };
    const { code, stdout, stderr } = await doctor(env);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(/✗ Claude Code: .*not found/);
    expect(stdout).toMatch(/→ Install Claude Code/);
    expect(stdout).toMatch(/\n\d+ problems? · .*\d+ OK\n$/);
    expect(stdout).not.toContain('\x1b');
    expect(readdirSync(home)).toEqual([]);
  });

  it('G4 an unknown fix is a mistake of words', async () => {
    const { code, stderr } = await doctor({ HOME: tempFolder(), PATH: pathWithout() }, [
      '--fix',
      'nonsense',
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('Unknown fix "nonsense"');
  });

  it('G4 --fix alone shows what can be done and what it would change, and changes nothing', async () => {
    const env = { HOME: tempFolder(), PATH: pathWithout('claude') };
    const file = join(env.HOME, '.claude/memory-keeper/known-projects.json');
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, '{"version": 1, "roots": []}', { mode: 0o644 });
    const { code, stdout, stderr } = await doctor(env, ['--fix']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'memory-keeper: Nothing was changed. Name a fix after --fix\n',
    });
    expect(stdout).toContain(
      `memory-keeper doctor --fix permissions\n  File permissions: Make them private\n    ${file}: 0644 → 0600\n`,
    );
    expect(statSync(file).mode & 0o777).toBe(0o644);
    const fixes: { id: string }[] = JSON.parse((await doctor(env, ['--fix', '--json'])).stdout);
    expect(fixes.map(({ id }) => id)).toContain('permissions');
  });
});

describeWith('the doctor and what it mends', ['claude'], ({ claude }) => {
  it('G8 broken permissions of what is kept are set right', async () => {
    const plugin = await PluginBed.start(claude);
    onTestFinished(() => plugin.remove());
    const env = plugin.bed.environment(plugin.api);
    await doctor(env, ['--fix', 'plugin-install']);
    const { home } = plugin.bed.places;
    const log = join(home, 'hooks.log');
    writeFileSync(log, '');
    chmodSync(log, 0o666);
    chmodSync(home, 0o555);
    const broken = await doctor(env, ['--json']);
    expect(broken.code).toBe(1);
    const found = (JSON.parse(broken.stdout) as Finding[]).find(({ id }) => id === 'permissions');
    expect(found).toMatchObject({ state: 'problem', fix: { id: 'permissions' } });
    const { stdout } = await doctor(env, ['--fix', 'permissions']);
    expect(stdout).toContain(`${home}: 0555 → 0700`);
    expect(stdout).toContain(`${log}: 0666 → 0600`);
    expect([home, log].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
    expect((await findings(env)).permissions).toMatchObject({ state: 'well' });
  });

  it('A9 the real CLI reads settings in which auto-compact was switched, and keeps the switch', async () => {
    const plugin = await PluginBed.start(claude);
    onTestFinished(() => plugin.remove());
    const env = plugin.bed.environment(plugin.api);
    const file = join(plugin.bed.places.claude, 'settings.json');
    writeFileSync(file, '{\n  "zeta": 1,\n  "permissions": { "allow": ["Bash(ls:*)"] }\n}\n');
    await doctor(env, ['--fix', 'auto-compact-off']);
    expect(readFileSync(file, 'utf8')).toBe(
      '{\n  "zeta": 1,\n  "permissions": { "allow": ["Bash(ls:*)"] },\n  "autoCompactEnabled": false\n}\n',
    );
    await doctor(env, ['--fix', 'plugin-install']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      zeta: 1,
      autoCompactEnabled: false,
      enabledPlugins: {},
    });
    expect((await findings(env))['auto-compact']).toMatchObject({
      found: { code: 'doctor.autoCompactOff' },
    });
  });
});

/**
 * Node.js of the system lies where hooks look for it; there it is hidden from one process at a
 * time.
 */
describeWith('the doctor on a machine without node on PATH', ['smallDisk'], () => {
  const SYSTEM = ['/opt/homebrew/bin/node', '/usr/local/bin/node', '/usr/bin/node'].filter(
    (path) => existsSync(path) && path !== process.execPath,
  );
  const hide = SYSTEM.map((path) => `mount --bind /dev/null '${path}'`).join(' && ') || 'true';
  const wrap = (path: string) => [
    '/usr/bin/env',
    `PATH=${process.env.PATH}`,
    ...[
      'unshare',
      '--mount',
      '/bin/sh',
      '-c',
      `${hide} && exec "$@"`,
      'sh',
      '/usr/bin/env',
      `PATH=${path}`,
    ],
  ];

  it('G8 there is none: a problem. The application has left its own: well', async () => {
    const home = tempFolder();
    const path = pathWithout('node');
    const env = { HOME: home, LANG: 'C.UTF-8' };
    expect((await findings(env, wrap(path))).node).toMatchObject({
      state: 'problem',
      found: { code: 'doctor.nodeMissing' },
    });
    const runtime = join(home, '.claude/memory-keeper/runtime');
    mkdirSync(dirname(runtime), { recursive: true, mode: 0o700 });
    symlinkSync(process.execPath, runtime);
    expect((await findings(env, wrap(path))).node).toMatchObject({
      state: 'well',
      found: { values: { version: process.versions.node } },
    });
    expect(readdirSync(dirname(runtime))).toEqual(['runtime']);
  });
});

describeWith('the doctor beside sessions that run', ['claude', 'tmux'], ({ claude }) => {
  it('G4 A4 is content with a session that has the plugin, and names the one that was started before it', async () => {
    const plugin = await PluginBed.start(claude);
    onTestFinished(() => plugin.remove());
    const { bed, api } = plugin;
    const env = bed.environment(api);
    const early = await bed.start({ api, model: MODEL });
    await doctor(env, ['--fix', 'plugin-install']);
    const late = await bed.start({ api, model: MODEL });
    await plugin.turn(late, 'Three attempts, no more', 'Three attempts it is.');
    await plugin.kept('Three attempts it is.');

    const both = await findings(env);
    expect(both.hooks).toMatchObject({
      state: 'notice',
      found: { text: expect.stringContaining(`process ${early.pid}`) },
    });
    expect(both.hooks?.found.text).not.toContain(`process ${late.pid}`);
    expect(both.ways).toMatchObject({
      state: 'well',
      found: { text: expect.stringContaining(`(process ${late.pid}): mod`) },
    });
    expect(both.ways?.found.text).toContain(`(process ${early.pid}): tmux`);

    await early.stop();
    const alone = await findings(env);
    expect(alone.hooks).toMatchObject({
      state: 'well',
      found: { code: 'doctor.hooksLastSeen' },
    });
    for (const id of ['permissions', 'memory', 'logs', 'settings', 'claude-settings'])
      expect(alone[id], id).toMatchObject({ state: 'well' });
  });
});
