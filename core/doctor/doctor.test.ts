/** What the doctor finds in made homes, one thing amiss at a time, and what its fixes change. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MadeMemory } from '../../tests/bed/made-memory.ts';
import { MadeSession, replyRow } from '../../tests/bed/made-session.ts';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import { OLDEST_CLAUDE_CODE } from '../claude/sessions/claude-version.ts';
import { areClearsPaused, pauseClears } from '../clear/clear-requests.ts';
import { announceWatcher, withdrawWatcher } from '../clear/watchers.ts';
import { saveBriefing } from '../memory/restore/briefing-file.ts';
import { renderMessage } from '../messages/all-messages.ts';
import { type Message, message } from '../messages/message.ts';
import { linuxStartTime } from '../platform/process/linux.ts';
import { systemProcessTable } from '../platform/process/process-table.ts';
import { type RunProgram, runProgram } from '../platform/process/run-program.ts';
import { appendLog } from '../platform/store/append-log.ts';
import { writeFileAtomic } from '../platform/store/atomic-write.ts';
import { thisProcess } from '../platform/store/owner.ts';
import { writeRuntime } from '../plugin/hook-runtime.ts';
import { installPlugin } from '../plugin/install.ts';
import { copyFolder, marketplaceFolder, PLUGIN_ID } from '../plugin/plugin-copy.ts';
import { factsPath } from '../projects/memory-paths.ts';
import type { Check, DoctorOptions } from './check.ts';
import { applyFix, runDoctor } from './doctor.ts';
import { FIX_IDS, type Finding } from './finding.ts';

const HOOKS = join(import.meta.dirname, '../../hooks-plugin');
const GB = 1024 ** 3;
const HOUR_MS = 3_600_000;

/** A home, and a Claude Code that says what it is told to say. */
class Home {
  readonly root = tempFolder();
  readonly places = {
    claude: join(this.root, '.claude'),
    home: join(this.root, '.claude/memory-keeper'),
  };
  readonly bundledPlugin = this.#plugin(join(this.root, 'carried'));
  readonly program = join(this.root, 'claude');
  version = '2.1.325';
  plugins: object[] = [];
  options: Partial<DoctorOptions> = {};

  constructor() {
    mkdirSync(this.places.home, { recursive: true, mode: 0o700 });
    writeFileSync(this.program, '#!/bin/sh\n');
    chmodSync(this.program, 0o755);
  }

  #plugin(folder: string, version = '1.0.0'): string {
    mkdirSync(join(folder, '.claude-plugin'), { recursive: true });
    mkdirSync(join(folder, 'hooks'));
    writeFileSync(
      join(folder, '.claude-plugin/plugin.json'),
      JSON.stringify({ name: 'memory-keeper', version }),
    );
    for (const name of ['run.sh', 'hook.cjs'])
      writeFileSync(join(folder, 'hooks', name), readFileSync(join(HOOKS, name)));
    return folder;
  }

  /** As Claude Code has it after an installation. */
  install({ version = '1.0.0', enabled = true } = {}): void {
    this.#plugin(copyFolder(this.places), version);
    mkdirSync(join(marketplaceFolder(this.places), '.claude-plugin'));
    writeFileSync(join(marketplaceFolder(this.places), '.claude-plugin/marketplace.json'), '{}');
    this.plugins.push({
      id: PLUGIN_ID,
      version,
      scope: 'user',
      enabled,
      readFromFolder: copyFolder(this.places),
    });
  }

  settings(text: string): void {
    writeFileSync(join(this.places.claude, 'settings.json'), text);
  }

  get all(): DoctorOptions {
    const run: RunProgram = async (file, args, options) => {
      if (file !== this.program) return runProgram(file, args, options);
      const stdout =
        args[0] === '--version' ? `${this.version} (Claude Code)` : JSON.stringify(this.plugins);
      return { ok: true, stdout, reason: '' };
    };
    const env = { HOME: this.root, PATH: process.env.PATH };
    const { places, bundledPlugin } = this;
    return {
      places,
      env,
      run,
      bundledPlugin,
      candidates: [this.program],
      processes: systemProcessTable(),
      ...this.options,
    };
  }

  async finding(id: string): Promise<Finding> {
    const found = (await runDoctor(this.all)).find((finding) => finding.id === id);
    if (found === undefined) throw new Error(`there is no check "${id}"`);
    return found;
  }

  fix(id: string): Promise<Message[]> {
    return applyFix(this.all, id).then(({ done }) => done);
  }

  session(): MadeSession {
    const session = new MadeSession(this.places.claude, this.root);
    onTestFinished(() => session.end());
    return session;
  }
}

describe('the doctor', () => {
  it('G4 says of every thing what was found and why it matters, and changes nothing by looking', async () => {
    const home = new Home();
    home.install();
    const before = readdirSync(home.root, { recursive: true }).sort();
    const findings = await runDoctor(home.all);
    for (const { title, found, why, state, mend, fix } of findings) {
      for (const language of ['en', 'ko'] as const)
        for (const said of [title, found, why])
          expect(renderMessage(language, said)).not.toMatch(/^$|\{\w+/);
      if (state === 'problem' || state === 'notice') expect(mend ?? fix).toBeTruthy();
    }
    expect(new Set(findings.map(({ id }) => id)).size).toBe(findings.length);
    expect(findings.filter(({ state }) => state === 'problem')).toEqual([]);
    expect(readdirSync(home.root, { recursive: true }).sort()).toEqual(before);
  });

  it('G4 a check that throws, one that rejects and one that hangs are unknown with the reason, and the others go on', async () => {
    const check = (id: string, run: Check['run']): Check => ({
      id,
      topic: 'clock',
      run,
    });
    const options = { ...new Home().all, checkTimeoutMs: 50 };
    const checks = [
      check('throws', () => {
        throw new Error('the password=hunter2hunter2 broke');
      }),
      check('rejects', () => Promise.reject(new Error('refused'))),
      check('hangs', () => new Promise(() => undefined)),
      check('well', () => ({ state: 'well', found: message('doctor.settingsFound') })),
    ];
    const told: number[] = [];
    const findings = await runDoctor(options, { checks, onProgress: (done) => told.push(done) });
    expect(told).toEqual([0, 1, 2, 3, 4]);
    expect(findings.map(({ state }) => state)).toEqual(['unknown', 'unknown', 'unknown', 'well']);
    const [thrown = '', rejected] = findings.map(({ found }) => renderMessage('en', found));
    expect(thrown).toContain('broke');
    expect(thrown).not.toContain('hunter2');
    expect(rejected).toContain('refused');
    expect(findings[2]?.found).toEqual(
      message('doctor.unknown', { reason: message('doctor.tookTooLong') }),
    );
  });

  it('G4 refuses a fix that does not exist, with those that do', async () => {
    await expect(new Home().fix('everything')).rejects.toMatchObject({
      reason: message('doctor.noSuchFix', { id: 'everything', ids: FIX_IDS }),
    });
  });
});

describe('Claude Code and the plugin', () => {
  it('T7 a Claude Code that is too old is a problem, and the plugin is not offered for it', async () => {
    const home = new Home();
    home.version = '2.1.138';
    const reason = message('plugin.claudeTooOld', {
      version: '2.1.138',
      oldest: OLDEST_CLAUDE_CODE,
    });
    expect(await home.finding('claude')).toMatchObject({ state: 'problem', found: reason });
    const plugin = await home.finding('plugin');
    expect(plugin).toMatchObject({ state: 'problem', mend: message('doctor.claudeTooOldMend') });
    expect(plugin.fix).toBeUndefined();
    await expect(installPlugin(home.all)).rejects.toMatchObject({ reason });
    expect(home.plugins).toEqual([]);
  });

  it('G4 without Claude Code it says so, and what hangs on it is not known', async () => {
    const home = new Home();
    home.options = { candidates: [join(home.root, 'nowhere')] };
    expect(await home.finding('claude')).toMatchObject({
      state: 'problem',
      found: message('plugin.claudeNotFound'),
      mend: message('plugin.lines', { lines: [message('plugin.stepInstallClaude')] }),
    });
    for (const id of ['plugin', 'mods', 'other-plugins'])
      expect(await home.finding(id)).toMatchObject({
        state: 'unknown',
        found: message('doctor.needsClaude'),
      });
  });

  it.each([
    [
      'not installed',
      () => undefined,
      'problem',
      message('doctor.pluginMissing'),
      'plugin-install',
    ],
    [
      'switched off',
      (home: Home) => home.install({ enabled: false }),
      'problem',
      message('doctor.pluginOff', { version: '1.0.0' }),
      'plugin-install',
    ],
    [
      'older',
      (home: Home) => home.install({ version: '0.9.0' }),
      'notice',
      message('doctor.pluginOutdated', { version: '0.9.0', carried: '1.0.0' }),
      'plugin-update',
    ],
    [
      'current',
      (home: Home) => home.install(),
      'well',
      message('doctor.pluginFound', { version: '1.0.0' }),
      undefined,
    ],
  ] as const)('G4 the plugin is %s', async (_, prepare, state, found, fix) => {
    const home = new Home();
    prepare(home);
    const finding = await home.finding('plugin');
    expect(finding).toMatchObject({ state, found });
    expect(finding.fix?.id).toBe(fix);
  });

  it('G4 a plugin of which a part is missing is to be repaired', async () => {
    const home = new Home();
    home.install();
    writeFileSync(join(copyFolder(home.places), '.claude-plugin/plugin.json'), '');
    expect(await home.finding('plugin')).toMatchObject({
      state: 'problem',
      fix: { id: 'plugin-repair' },
    });
  });

  it('G4 mods are missed before 2.1.287', async () => {
    const home = new Home();
    expect(await home.finding('mods')).toMatchObject({ state: 'well' });
    home.version = '2.1.240';
    expect(await home.finding('mods')).toMatchObject({
      state: 'notice',
      found: message('doctor.modsMissing', { version: '2.1.240' }),
    });
  });

  it('G4 hooks: never seen, seen, a session without them, and one that should have them', async () => {
    const home = new Home();
    home.install();
    expect(await home.finding('hooks')).toMatchObject({
      state: 'notice',
      found: message('doctor.hooksNeverSeen'),
    });
    saveBriefing(home.places, 'earlier', 'x');
    expect(await home.finding('hooks')).toMatchObject({
      state: 'well',
      found: { code: 'doctor.hooksLastSeen' },
    });
    const session = home.session();
    session.register({ startedAt: Date.now() - HOUR_MS });
    expect(await home.finding('hooks')).toMatchObject({
      state: 'notice',
      found: {
        code: 'doctor.hooksWithout',
        values: { sessions: [{ values: { pid: String(session.pid) } }] },
      },
    });
    const earlier = new Date(Date.now() - 2 * HOUR_MS);
    utimesSync(marketplaceFolder(home.places), earlier, earlier);
    expect(await home.finding('hooks')).toMatchObject({
      state: 'problem',
      found: {
        code: 'doctor.hooksSilent',
        values: { session: { values: { pid: String(session.pid) } } },
      },
    });
    saveBriefing(home.places, session.sessionId, 'x');
    expect(await home.finding('hooks')).toMatchObject({ state: 'well' });
    home.settings('{"disableAllHooks": true}');
    expect(await home.finding('hooks')).toMatchObject({
      state: 'problem',
      found: { code: 'doctor.hooksDisabled' },
    });
  });

  it('G4 other plugins that speak of memory are reported, those that are off or speak of something else are not', async () => {
    const home = new Home();
    const described = join(home.root, 'described');
    mkdirSync(join(described, '.claude-plugin'), { recursive: true });
    writeFileSync(
      join(described, '.claude-plugin/plugin.json'),
      '{"name":"brain","description":"Remembers your sessions"}',
    );
    home.install();
    home.plugins.push({ id: 'linter@x', enabled: true }, { id: 'claude-memory@x', enabled: false });
    expect(await home.finding('other-plugins')).toMatchObject({ state: 'well' });
    home.plugins.push(
      { id: 'memory-keeper@others', enabled: true },
      { id: 'brain@x', enabled: true, installPath: described },
    );
    const finding = await home.finding('other-plugins');
    expect(finding).toMatchObject({
      state: 'notice',
      found: message('doctor.otherPluginsFound', { ids: ['memory-keeper@others', 'brain@x'] }),
    });
    expect(finding.fix).toBeUndefined();
  });
});

describe('files', () => {
  const mode = (path: string) => statSync(path).mode & 0o777;
  const modeChange = (path: string, from: string, to: string) =>
    message('doctor.permissionsChange', { path, from, to });

  it('M18 G8 what others may read is reported and taken from them, and links are left alone', async () => {
    const home = new Home();
    const memory = new MadeMemory({ places: home.places });
    memory.decide('s1', 'Tabs are four wide');
    expect(await home.finding('permissions')).toMatchObject({ state: 'well' });
    const facts = factsPath(memory.memory);
    const outside = join(home.root, 'outside');
    writeFileSync(outside, '', { mode: 0o644 });
    symlinkSync(outside, join(home.places.home, 'link'));
    chmodSync(facts, 0o644);
    const finding = await home.finding('permissions');
    expect(finding).toMatchObject({
      state: 'notice',
      fix: { id: 'permissions', preview: [modeChange(facts, '0644', '0600')] },
    });
    expect(await home.fix('permissions')).toEqual([modeChange(facts, '0644', '0600')]);
    expect([mode(facts), mode(outside)]).toEqual([0o600, 0o644]);
    expect(await home.finding('permissions')).toMatchObject({ state: 'well' });
    expect(await home.fix('permissions')).toEqual([message('doctor.permissionsNoChange')]);
  });

  it.each([
    ['cannot be written', 0o500, 'doctor.permissionsDenied'],
    ['can be written by others', 0o770, 'doctor.permissionsWritable'],
  ])('G8 a folder that %s is a problem, until it is set right', async (_, wrong, code) => {
    const home = new Home();
    const folder = join(home.places.home, 'given');
    saveBriefing(home.places, 's1', 'x');
    chmodSync(folder, wrong);
    onTestFinished(() => chmodSync(folder, 0o700));
    expect(await home.finding('permissions')).toMatchObject({
      state: 'problem',
      found: { code, values: { files: [{ values: { path: folder } }] } },
    });
    await home.fix('permissions');
    expect(mode(folder)).toBe(0o700);
    expect(await home.finding('permissions')).toMatchObject({ state: 'well' });
  });

  it.each([
    [
      'the home folder, where there is nothing yet',
      (home: Home) => [home.root, home.places.claude] as const,
    ],
    ['Claude Code’s folder', (home: Home) => [home.places.claude, undefined] as const],
  ])('G8 nothing is called well where nothing can be written: %s', async (_, choose) => {
    const home = new Home();
    const [folder, gone] = choose(home);
    if (gone !== undefined) rmSync(gone, { recursive: true });
    chmodSync(folder, 0o500);
    onTestFinished(() => chmodSync(folder, 0o700));
    expect(await home.finding('permissions')).toMatchObject({
      state: 'problem',
      found: message('doctor.permissionsFolder', { folder }),
      mend: message('doctor.permissionsFolderMode', { folder }),
    });
    expect(await home.finding('claude-settings')).toMatchObject({
      state: 'problem',
      found: { code: 'plugin.settingsFolderLocked', values: { folder } },
    });
  });

  it('G8 our own folder that cannot be written is set right by a fix', async () => {
    const home = new Home();
    chmodSync(home.places.home, 0o555);
    onTestFinished(() => chmodSync(home.places.home, 0o700));
    expect(await home.finding('permissions')).toMatchObject({
      state: 'problem',
      fix: { id: 'permissions' },
    });
    expect(await home.fix('permissions')).toEqual([modeChange(home.places.home, '0555', '0700')]);
    expect(await home.finding('permissions')).toMatchObject({ state: 'well' });
  });

  it('G8 what cannot be found out without the rights points to them, and is nothing to report', async () => {
    const denied = Object.assign(new Error('EACCES: permission denied'), {
      code: 'EACCES',
      errno: -13,
      path: '/a/b',
    });
    const check: Check = {
      id: 'x',
      topic: 'clock',
      run: () => Promise.reject(denied),
    };
    expect(await runDoctor(new Home().all, { checks: [check] })).toMatchObject([
      {
        state: 'unknown',
        found: message('doctor.unknown', {
          reason: message('system.noPermission', { place: '/a', code: 'EACCES' }),
        }),
        mend: message('doctor.seePermissions'),
      },
    ]);
  });

  it('G8 the plugin’s own programs stay programs', async () => {
    const home = new Home();
    home.install();
    const program = join(copyFolder(home.places), 'hooks/run.sh');
    chmodSync(program, 0o755);
    expect(await home.finding('permissions')).toMatchObject({ state: 'well' });
    chmodSync(program, 0o777);
    expect(await home.finding('permissions')).toMatchObject({ state: 'problem' });
    await home.fix('permissions');
    expect(mode(program)).toBe(0o755);
  });

  it('G4 errors of the last day are counted, the newest is shown without its secrets', async () => {
    const home = new Home();
    expect(await home.finding('logs')).toMatchObject({ state: 'well' });
    writeFileAtomic(join(home.places.home, 'hooks.log'), '2020-01-01T00:00:00.000Z old: Error\n');
    expect(await home.finding('logs')).toMatchObject({ state: 'well' });
    appendLog(join(home.places.home, 'hooks.log'), 'start: Error: one');
    appendLog(join(home.places.home, 'app.log'), 'state: Error: two, password=hunter2hunter2');
    home.options = { now: () => Date.now() + 1000 };
    const { state, found } = await home.finding('logs');
    expect(state).toBe('notice');
    expect(found).toMatchObject({
      code: 'doctor.logsFound',
      values: { count: 2, log: 'app.log', line: expect.stringMatching(/^state: Error: two/) },
    });
    expect(JSON.stringify(found)).not.toContain('hunter2');
    appendLog(
      join(home.places.home, 'app.log'),
      'search.find: Error: three\n    at there.js:1\n    at here.js:2',
    );
    expect((await home.finding('logs')).found.values).toMatchObject({
      log: 'app.log',
      line: 'search.find: Error: three',
    });
  });

  it('G4 settings of Claude Code that it cannot change are reported', async () => {
    const home = new Home();
    home.settings('{}');
    expect(await home.finding('claude-settings')).toMatchObject({ state: 'well' });
    home.settings('{"a": ');
    expect(await home.finding('claude-settings')).toMatchObject({
      state: 'problem',
      found: { code: 'plugin.settingsInvalid' },
    });
  });

  it('G8 settings of ours that are not understood are reported, a project’s too', async () => {
    const home = new Home();
    const memory = new MadeMemory({ places: home.places });
    memory.decide('s1', 'Tabs are four wide');
    expect(await home.finding('settings')).toMatchObject({ state: 'well' });
    writeFileSync(join(memory.memory.folder, 'config.json'), '{"saveInterval": "often"}');
    const { state, found } = await home.finding('settings');
    expect(state).toBe('problem');
    expect(renderMessage('en', found)).toContain('saveInterval');
  });

  it('M2 a memory that cannot be read is a problem, one that was set aside is reported', async () => {
    const home = new Home();
    expect(await home.finding('memory')).toMatchObject({
      state: 'well',
      found: message('doctor.memoryNone'),
    });
    const memory = new MadeMemory({ places: home.places });
    memory.decide('s1', 'Tabs are four wide');
    expect(await home.finding('memory')).toMatchObject({
      state: 'well',
      found: message('doctor.memoryFound', { count: 1 }),
    });
    const aside = `${factsPath(memory.memory)}.broken-2026-11-16T09-00-00-000Z`;
    writeFileSync(aside, 'x');
    expect(await home.finding('memory')).toMatchObject({
      state: 'notice',
      found: message('doctor.memorySetAside', { files: [aside] }),
    });
    writeFileSync(factsPath(memory.memory), '{"half');
    const broken = await home.finding('memory');
    expect(broken.state).toBe('problem');
    expect(renderMessage('en', broken.found)).toContain('facts.json');
  });
});

describe('the machine', () => {
  it('G8 says which Node.js hooks run with, by the script that starts them, and that there is none', async () => {
    const home = new Home();
    const bin = join(home.root, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
    chmodSync(join(bin, 'node'), 0o755);
    home.options = { env: { HOME: home.root, PATH: bin } };
    const { state, found } = await home.finding('node');
    expect([state, found]).toEqual([
      'well',
      message('doctor.nodeFound', { version: process.versions.node, path: process.execPath }),
    ]);
    home.options = { ...home.options, run: async () => ({ ok: true, stdout: '', reason: '' }) };
    expect(await home.finding('node')).toMatchObject({
      state: 'problem',
      found: message('doctor.nodeMissing'),
    });
  });

  it('G8 asks the script for Windows there', async () => {
    const home = new Home();
    const script = join(home.bundledPlugin, 'hooks/run.cmd');
    writeFileSync(script, '');
    const asked: string[][] = [];
    const run: RunProgram = async (file, args) => {
      asked.push([file, ...args]);
      return { ok: true, stdout: '20.20.2 C:\\Program Files\\nodejs\\node.exe\r\n', reason: '' };
    };
    home.options = { platform: 'win32', run };
    expect(await home.finding('node')).toMatchObject({
      state: 'well',
      found: message('doctor.nodeFound', {
        version: '20.20.2',
        path: 'C:\\Program Files\\nodejs\\node.exe',
      }),
    });
    expect(asked).toContainEqual(['cmd', '/d', '/c', 'call', script, 'runtime']);
  });

  it('G8 says that it is the application’s own, or that this is gone', async () => {
    const home = new Home();
    writeRuntime(home.places, '/opt/Memory Keeper/memory-keeper');
    const answering = (stdout: string) => ({ run: async () => ({ ok: true, stdout, reason: '' }) });
    home.options = answering('22.20.0 /opt/Memory Keeper/memory-keeper\n');
    const path = '/opt/Memory Keeper/memory-keeper';
    expect(await home.finding('node')).toMatchObject({
      state: 'well',
      found: message('doctor.nodeOfApp', { version: '22.20.0', path }),
    });
    home.options = answering('');
    expect(await home.finding('node')).toMatchObject({
      state: 'problem',
      found: message('doctor.nodeOfAppGone', { path }),
    });
  });

  it('G8 a plugin that does not know the question is not asked', async () => {
    const home = new Home();
    writeFileSync(
      join(home.bundledPlugin, 'hooks/hook.cjs'),
      "require('node:fs').writeFileSync(__dirname + '/asked', '')",
    );
    expect(await home.finding('node')).toMatchObject({
      state: 'well',
      found: { code: 'doctor.nodeOnPath' },
    });
    expect(existsSync(join(home.bundledPlugin, 'hooks/asked'))).toBe(false);
  });

  it.each([
    [5 * GB, 'well', '5 GB'],
    [GB / 2, 'notice', '512 MB'],
    [GB / 100, 'problem', '10 MB'],
  ] as const)('G8 %i bytes free on the disk: %s', async (free, state, size) => {
    const home = new Home();
    home.options = { freeBytes: async () => free };
    expect(await home.finding('disk')).toMatchObject({
      state,
      found: { code: 'doctor.diskFree', values: { size } },
    });
  });

  it('G8 a clock that goes wrong is noticed, also by transcripts from the future', async () => {
    const home = new Home();
    const session = home.session();
    session.append('{}');
    expect(await home.finding('clock')).toMatchObject({ state: 'well' });
    const later = new Date(Date.now() + 48 * HOUR_MS);
    utimesSync(session.transcript, later, later);
    expect(await home.finding('clock')).toMatchObject({
      state: 'notice',
      found: message('doctor.clockBehind', { count: 1, path: session.transcript }),
    });
    home.options = { now: () => Date.parse('2001-01-01') };
    expect(await home.finding('clock')).toMatchObject({
      state: 'problem',
      found: { code: 'doctor.clockWrong', values: { day: expect.stringContaining('2001') } },
    });
  });
});

describe('clears', () => {
  it.each([
    [
      'no display',
      {},
      message('doctor.typingNotNow', { reason: message('doctor.typingNoDisplay') }),
    ],
    [
      'Wayland alone',
      { WAYLAND_DISPLAY: 'wayland-0' },
      message('doctor.typingNotNow', { reason: message('doctor.typingWayland') }),
    ],
    ['a display that is not there', { DISPLAY: ':4711' }, { code: 'doctor.typingImpossible' }],
  ])('A4 %s: typing is not possible, and it is said why', async (_, env, found) => {
    const home = new Home();
    home.options = { env: { ...home.all.env, ...env }, platform: 'linux' };
    expect(await home.finding('typing')).toMatchObject({
      state: 'notice',
      found,
    });
  });

  it('A4 a session that no driver reaches is reported, with the reason', async () => {
    const home = new Home();
    expect(await home.finding('ways')).toMatchObject({
      state: 'well',
      found: message('doctor.driversNoSession'),
    });
    const { pid } = home.session();
    expect(await home.finding('ways')).toMatchObject({
      state: 'notice',
      found: {
        values: {
          lines: [
            {
              code: 'doctor.driverMissing',
              values: { session: { values: { pid: String(pid) } }, reason: expect.anything() },
            },
          ],
        },
      },
    });
  });

  it('A1 says who watches', async () => {
    const home = new Home();
    expect(await home.finding('watching')).toMatchObject({
      state: 'notice',
      found: message('doctor.watchingNone'),
    });
    announceWatcher(home.places);
    onTestFinished(() => withdrawWatcher(home.places));
    home.options = { isWatching: true };
    expect(await home.finding('watching')).toMatchObject({
      state: 'well',
      found: message('doctor.watchingFound'),
    });
    const { pid } = home.session();
    const other = { ...thisProcess(), pid, startTime: linuxStartTime(pid) ?? '' };
    writeFileAtomic(
      join(home.places.home, 'watching', `${pid}-${other.host}.json`),
      JSON.stringify(other),
    );
    expect(await home.finding('watching')).toMatchObject({
      state: 'notice',
      found: message('doctor.watchingSeveral', { count: 2, pids: [String(pid)] }),
    });
  });

  it('A6 paused clears are reported, and go on by a fix', async () => {
    const home = new Home();
    expect(await home.finding('paused')).toMatchObject({ state: 'well' });
    pauseClears(home.places);
    expect(await home.finding('paused')).toMatchObject({
      state: 'notice',
      fix: { id: 'resume-clears' },
    });
    await home.fix('resume-clears');
    expect(areClearsPaused(home.places)).toBe(false);
  });
});

describe('long turns', () => {
  it('K6 offers it, follows what the user has, and tells what is in the way', async () => {
    const home = new Home();
    home.settings('{"theme":"dark"}');
    const offered = await home.finding('long-turns');
    expect(offered).toMatchObject({
      state: 'well',
      found: { code: 'doctor.longTurnsOff' },
      fix: { id: 'long-turns-on' },
    });
    expect(JSON.stringify(offered.fix?.preview)).toContain('833000');
    await home.fix('long-turns-on');
    expect(await home.finding('long-turns')).toMatchObject({
      state: 'well',
      found: { code: 'doctor.longTurnsOn' },
      fix: { id: 'long-turns-off' },
    });
    home.settings('{"theme":"dark","autoCompactEnabled":false,"autoCompactWindow":833000}');
    expect(await home.finding('long-turns')).toMatchObject({
      state: 'notice',
      found: { code: 'doctor.longTurnsInVain' },
    });
    home.settings('{"autoCompactWindow":400000}');
    const own = await home.finding('long-turns');
    expect(own).toMatchObject({ state: 'well', found: { code: 'doctor.longTurnsOwn' } });
    expect(own.fix).toBeUndefined();
    await expect(home.fix('long-turns-on')).rejects.toMatchObject({
      reason: { code: 'longTurns.ownValue', values: { own: '400000' } },
    });
  });
});

describe('auto-compact', () => {
  const SETTINGS = '{\n  // mine\n  "zeta": 1,\n  "unknown": {"b": [1, 2,]}, // 한글\n}\n';

  it('A9 is switched off and on again: one line, a copy of what was there, the rest byte for byte', async () => {
    const home = new Home();
    const file = join(home.places.claude, 'settings.json');
    home.settings(SETTINGS);
    chmodSync(file, 0o644);
    const finding = await home.finding('auto-compact');
    expect(finding).toMatchObject({
      state: 'well',
      fix: {
        id: 'auto-compact-off',
        preview: [
          message('plugin.changedFile', { path: file }),
          message('plugin.lineAdded', { line: '"autoCompactEnabled": false' }),
        ],
      },
    });
    const [, kept] = await home.fix('auto-compact-off');
    expect(readFileSync(file, 'utf8')).toBe(
      SETTINGS.replace('// 한글\n', '// 한글\n  "autoCompactEnabled": false\n'),
    );
    expect(statSync(file).mode & 0o777).toBe(0o644);
    expect(kept?.code).toBe('plugin.previousKept');
    expect(readFileSync(String(kept?.values?.path), 'utf8')).toBe(SETTINGS);
    expect(await home.finding('auto-compact')).toMatchObject({
      state: 'well',
      fix: { id: 'auto-compact-on' },
    });
    const dotfiles = join(home.root, 'dotfiles.json');
    renameSync(file, dotfiles);
    symlinkSync(dotfiles, file);
    await home.fix('auto-compact-on');
    expect(readFileSync(file, 'utf8')).toContain('"autoCompactEnabled": true\n');
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(statSync(dotfiles).mode & 0o777).toBe(0o644);
    expect(await home.fix('auto-compact-on')).toEqual([
      message('doctor.autoCompactOnAlready', { path: file }),
    ]);
  });

  it('A9 is switched where there were no settings, and refused where they are broken', async () => {
    const home = new Home();
    await home.fix('auto-compact-off');
    expect(JSON.parse(readFileSync(join(home.places.claude, 'settings.json'), 'utf8'))).toEqual({
      autoCompactEnabled: false,
    });
    home.settings('{"half": ');
    await expect(home.fix('auto-compact-off')).rejects.toMatchObject({
      reason: { code: 'plugin.cannotChange', values: { reason: message('plugin.notUnderstood') } },
    });
    expect(readFileSync(join(home.places.claude, 'settings.json'), 'utf8')).toBe('{"half": ');
    expect((await home.finding('auto-compact')).fix).toBeUndefined();
  });

  it('A9 where it is off and nothing else makes room, that is reported; a variable is no business of the switch', async () => {
    const home = new Home();
    home.settings('{"autoCompactEnabled": false}');
    writeFileSync(join(home.places.home, 'config.json'), '{"autoClear": {"mode": "off"}}', {
      mode: 0o600,
    });
    expect(await home.finding('auto-compact')).toMatchObject({
      state: 'notice',
      found: { code: 'doctor.autoCompactOff', values: { effect: message('doctor.clearsOff') } },
    });
    home.settings('{"env": {"DISABLE_AUTO_COMPACT": "1"}, "autoCompactEnabled": true}');
    const finding = await home.finding('auto-compact');
    expect(finding).toMatchObject({
      state: 'notice',
      mend: message('doctor.autoCompactVariableMend', { variable: 'DISABLE_AUTO_COMPACT' }),
    });
    expect(finding.fix).toBeUndefined();
  });

  it('A9 where it comes before the automatic clear, that is reported; older versions’ file counts too', async () => {
    const home = new Home();
    writeFileSync(join(home.places.home, 'config.json'), '{"autoClear": {"threshold": 95}}', {
      mode: 0o600,
    });
    expect(await home.finding('auto-compact')).toMatchObject({
      state: 'notice',
      fix: { id: 'auto-compact-off' },
    });
    writeFileSync(join(home.root, '.claude.json'), '{"autoCompactEnabled": false}');
    expect(await home.finding('auto-compact')).toMatchObject({
      state: 'well',
      found: {
        code: 'doctor.autoCompactOff',
        values: { from: { values: { path: join(home.root, '.claude.json') } } },
      },
    });
  });
});

describe('where Claude Code compacts', () => {
  function running(home: Home, cwd: string): MadeSession {
    const session = new MadeSession(home.places.claude, cwd);
    onTestFinished(() => session.end());
    session.append(replyRow(90_000, { model: 'claude-opus-5-5' }));
    return session;
  }

  it('K5 a window that the user set, and that comes before the automatic clear, is reported', async () => {
    const home = new Home();
    home.settings('{"autoCompactWindow": 200000}');
    const by = message('sessions.compactionUser', { name: 'autoCompactWindow' });
    expect(await home.finding('auto-compact')).toMatchObject({
      state: 'notice',
      found: {
        values: {
          effect: message('doctor.compactsFirst', { window: 1_000_000, tokens: 167_000, by }),
        },
      },
      mend: message('doctor.compactsFirstMend', { tokens: 167_000 }),
    });
    // Both come after the clear.
    home.settings('{"autoCompactWindow": 900000}');
    expect(await home.finding('auto-compact')).toMatchObject({ state: 'well' });
  });

  it('K5 a session that a project has compacted before it is cleared is named, with what to do', async () => {
    const home = new Home();
    const project = join(home.root, 'app');
    mkdirSync(join(project, '.claude'), { recursive: true });
    const file = join(project, '.claude/settings.json');
    const { pid } = running(home, project);
    expect(await home.finding('auto-compact')).toMatchObject({ state: 'well' });
    writeFileSync(file, '{"autoCompactWindow": 200000}');
    expect(await home.finding('auto-compact')).toMatchObject({
      state: 'notice',
      found: {
        values: {
          effect: {
            values: {
              lines: [
                message('doctor.sessionCompactsFirst', {
                  session: message('doctor.session', { project: 'app', pid: String(pid) }),
                  tokens: 167_000,
                  by: message('sessions.compactionProject', { name: 'autoCompactWindow' }),
                  clearsAt: 700_000,
                }),
              ],
            },
          },
        },
      },
      mend: message('doctor.compactsFirstSettingMend', {
        name: 'autoCompactWindow',
        path: file,
        tokens: 167_000,
      }),
    });
    writeFileSync(join(home.places.home, 'config.json'), '{"autoClear": {"threshold": 150000}}', {
      mode: 0o600,
    });
    expect(await home.finding('auto-compact')).toMatchObject({ state: 'well' });
  });
});

describe('the status line', () => {
  const own = JSON.stringify({ statusLine: { type: 'command', command: 'echo mine' } });

  /** With the part of the plugin that is told the window. */
  function ready(): Home {
    const home = new Home();
    home.version = '2.1.240';
    home.install();
    writeFileSync(join(copyFolder(home.places), 'hooks/status-line.sh'), '');
    home.settings(own);
    return home;
  }

  it('C2 is to be connected where Claude Code has no mods, and need not be where it has', async () => {
    const home = ready();
    const finding = await home.finding('status-line');
    expect(finding).toMatchObject({ state: 'notice', fix: { id: 'status-line-connect' } });
    expect(finding.fix?.preview).toHaveLength(3);
    home.version = '2.1.325';
    expect(await home.finding('status-line')).toMatchObject({
      state: 'well',
      found: message('doctor.statusLineNotNeeded'),
    });
    home.options = { candidates: [] };
    expect(await home.finding('status-line')).toMatchObject({ state: 'unknown' });
  });

  it('C2 is connected by a fix and disconnected by another, and the settings are what they were', async () => {
    const home = ready();
    await home.fix('status-line-connect');
    expect(await home.finding('status-line')).toMatchObject({
      state: 'well',
      fix: { id: 'status-line-disconnect' },
    });
    await home.fix('status-line-disconnect');
    expect(readFileSync(join(home.places.claude, 'settings.json'), 'utf8')).toBe(own);
    expect(await home.finding('status-line')).toMatchObject({
      state: 'notice',
      fix: { id: 'status-line-connect' },
    });
  });

  it('C2 is a problem when the plugin is gone, with a way out', async () => {
    const home = ready();
    await home.fix('status-line-connect');
    renameSync(copyFolder(home.places), join(home.root, 'gone'));
    expect(await home.finding('status-line')).toMatchObject({
      state: 'problem',
      fix: { id: 'status-line-disconnect' },
    });
  });

  it('G4 is offered neither without the plugin nor in settings that are broken', async () => {
    const home = ready();
    home.settings('{"statusLine": ');
    const broken = await home.finding('status-line');
    expect(broken).toMatchObject({
      state: 'notice',
      mend: {
        values: { lines: [{ values: { reason: message('plugin.notUnderstood') } }] },
      },
    });
    expect(broken.fix).toBeUndefined();
    const bare = new Home();
    bare.version = '2.1.240';
    const without = await bare.finding('status-line');
    expect(without).toMatchObject({
      state: 'notice',
      mend: { values: { lines: [message('plugin.statusLineNeedsPlugin')] } },
    });
    expect(without.fix).toBeUndefined();
  });

  it('G4 of a project hides the user’s: that is reported, and nothing in the project is changed', async () => {
    const home = ready();
    const memory = new MadeMemory({ places: home.places });
    memory.decide('s1', 'Tabs are four wide');
    await home.fix('status-line-connect');
    const file = join(memory.root, '.claude/settings.local.json');
    mkdirSync(dirname(file));
    writeFileSync(file, own);
    expect(await home.finding('status-line')).toMatchObject({
      state: 'notice',
      found: message('doctor.statusLineHidden', { files: [file] }),
    });
    expect(readFileSync(file, 'utf8')).toBe(own);
  });
});
