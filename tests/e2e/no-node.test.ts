/**
 * Hooks where `node` is not on PATH (G8, B5): it is found where installers put it, or said to be
 * missing; no hook ever fails.
 */
import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PLUGIN, PluginBed } from '../bed/plugin-bed.ts';
import { run } from '../bed/run.ts';
import { tempFolder } from '../bed/temp-folder.ts';
import { describeWith } from '../bed/with-pieces.ts';

const RULES = 'Never delete files without';
const TASKS = [
  'start',
  'tidy',
  'prompt',
  'tool',
  'agent',
  'reply',
  'enforce',
  'compact',
  'end',
  'permit',
  'mod',
];

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** A user's machine with next to nothing on PATH. */
class Machine {
  readonly home: string;
  readonly path: string;
  readonly plugin: string;
  readonly log: string;

  constructor(name = 'home') {
    const root = tempFolder();
    [this.home, this.path, this.log] = [join(root, name), join(root, 'bin'), join(root, 'log')];
    mkdirSync(this.home);
    mkdirSync(this.path);
    this.plugin = join(this.home, 'plugin');
    cpSync(PLUGIN, this.plugin, { recursive: true });
  }

  /** A Node.js that tells that it was the one. */
  install(path: string, { version = process.versions.node, as = path } = {}): void {
    const pretend = join(dirname(this.log), `${as.replace(/\W/g, '-')}.cjs`);
    writeFileSync(
      pretend,
      `Object.defineProperty(process.versions, 'node', { value: '${version}' });`,
    );
    this.#program(
      path,
      `echo '${as}' >> '${this.log}'\nexec '${process.execPath}' -r '${pretend}' "$@"`,
    );
  }

  /** A bun that tells where it was started. */
  installBun(): void {
    const script = `echo "bun in $PWD" >> '${this.log}'\nexec '${process.execPath}' "$@"`;
    this.#program(join(this.path, 'bun'), script);
  }

  /** A shim of a version manager that stands for no version. */
  installBroken(path: string): void {
    this.#program(path, `echo 'no version is set' >&2\nexit 126`);
  }

  #program(path: string, script: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
  }

  get started(): string[] {
    return existsSync(this.log) ? readFileSync(this.log, 'utf8').trim().split('\n') : [];
  }

  hook(task: string, options: { wrap?: string[]; env?: NodeJS.ProcessEnv } = {}): Promise<Ran> {
    const input = JSON.stringify({
      session_id: 's1',
      hook_event_name: 'UserPromptSubmit',
      prompt: 'hello',
    });
    return this.#run([join(this.plugin, 'hooks/run.sh'), task], { ...options, input });
  }

  commandLine(...args: string[]): Promise<Ran> {
    return this.#run([join(this.plugin, 'bin/memory-keeper'), ...args], {});
  }

  #run(
    args: string[],
    options: { input?: string; wrap?: string[]; env?: NodeJS.ProcessEnv },
  ): Promise<Ran> {
    const [file = '', ...before] = [...(options.wrap ?? []), '/bin/sh'];
    const env = { HOME: this.home, PATH: this.path, CLAUDE_PROJECT_DIR: this.home, ...options.env };
    return new Promise((resolve) => {
      const child = execFile(
        file,
        [...before, ...args],
        { cwd: this.home, env },
        (error, stdout, stderr) => {
          resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
        },
      );
      child.stdin?.on('error', () => undefined); // without a node nobody reads it
      child.stdin?.end(options.input ?? '');
    });
  }
}

describe('a machine without node on PATH', () => {
  const PLACES = [
    ['nvm', '.nvm/versions/node/v22.11.0/bin/node'],
    ['fnm', '.local/share/fnm/node-versions/v22.11.0/installation/bin/node'],
    ['volta', '.volta/tools/image/node/22.11.0/bin/node'],
    ['volta as a shim', '.volta/bin/node'],
    ['mise', '.local/share/mise/installs/node/22.11.0/bin/node'],
    ['asdf', '.asdf/installs/nodejs/22.11.0/bin/node'],
  ] as const;

  it.each(PLACES)(
    'G8 runs hooks with what %s has, though the way there has blanks and Korean letters',
    async (name, place) => {
      const machine = new Machine("내 집 it's $HOME");
      machine.install(join(machine.home, place), { as: name });
      const { code, stdout, stderr } = await machine.hook('prompt');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout).hookSpecificOutput.additionalContext).toContain(RULES);
      expect(machine.started).toEqual([name]);
    },
  );

  it('G8 takes the newest of several versions', async () => {
    const machine = new Machine();
    for (const version of ['v8.17.0', 'v10.24.1', 'v22.11.0', 'v20.1.0', 'v9.0.0'])
      machine.install(join(machine.home, `.nvm/versions/node/${version}/bin/node`), {
        as: version,
        version: version.slice(1),
      });
    expect((await machine.hook('prompt')).stdout).toContain(RULES);
    expect(machine.started).toEqual(['v22.11.0']);
  });

  it.each([
    [
      'a Node.js that is too old',
      (machine: Machine, path: string) => machine.install(path, { as: 'old', version: '16.20.2' }),
    ],
    [
      'a shim that stands for no version',
      (machine: Machine, path: string) => machine.installBroken(path),
    ],
  ])(
    'G8 goes on to the next where `node` on PATH is %s, even after another one has worked',
    async (_, install) => {
      const machine = new Machine();
      machine.install(join(machine.path, 'node'), { as: 'good' });
      await machine.hook('prompt');
      install(machine, join(machine.path, 'node'));
      machine.install(join(machine.home, '.nvm/versions/node/v22.11.0/bin/node'), { as: 'nvm' });
      const { code, stdout, stderr } = await machine.hook('prompt');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(RULES);
      expect(machine.started.at(-1)).toBe('nvm');
    },
  );

  it('G8 the command line of the skills does the same, and needs a newer one', async () => {
    const machine = new Machine();
    machine.install(join(machine.path, 'node'), { as: 'old', version: '18.20.8' });
    machine.install(join(machine.home, '.nvm/versions/node/v22.11.0/bin/node'), { as: 'nvm' });
    expect(await machine.commandLine('--version')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+/),
    });
    expect(await machine.commandLine('nonsense')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nonsense'),
    });
    expect(machine.started).toEqual(['old', 'nvm', 'old', 'nvm']);
  });
});

/**
 * Node.js of the system lies where hooks look for it; there it is hidden from one process at a
 * time.
 */
describeWith('a machine without any node', ['smallDisk'], () => {
  const SYSTEM = ['/opt/homebrew/bin/node', '/usr/local/bin/node', '/usr/bin/node'].filter(
    existsSync,
  );
  const hide = SYSTEM.map((path) => `mount --bind /dev/null '${path}'`).join(' && ') || 'true';
  const wrap = [
    '/usr/bin/env',
    `PATH=${process.env.PATH}`,
    'unshare',
    '--mount',
    '/bin/sh',
    '-c',
    `${hide} && exec "$@"`,
    'sh',
  ];
  const withOwnPath = ({ path }: Machine) => [...wrap, '/usr/bin/env', `PATH=${path}`];

  it("G8 runs hooks with the app's own runtime", async () => {
    const machine = new Machine('내 집');
    const ours = join(machine.home, '.claude/memory-keeper');
    const app = join(machine.home, 'app');
    machine.install(app, { as: 'app' });
    mkdirSync(ours, { recursive: true });
    symlinkSync(app, join(ours, 'runtime'));
    expect((await machine.hook('prompt', { wrap: withOwnPath(machine) })).stdout).toContain(RULES);
    expect(machine.started).toEqual(['app']);
  });

  it('G8 T1 runs hooks with bun, not in the project, whose files bun would run', async () => {
    const machine = new Machine();
    machine.installBun();
    expect((await machine.hook('prompt', { wrap: withOwnPath(machine) })).stdout).toContain(RULES);
    expect(machine.started).toEqual([`bun in ${join(machine.plugin, 'hooks')}`]);
  });

  it.each([
    ['en_US.UTF-8', 'Nothing is kept'],
    ['ko_KR.UTF-8', '저장되지 않습니다'],
  ])('G8 B5 says so when a session starts, and otherwise nothing (%s)', async (LANG, words) => {
    const machine = new Machine();
    for (const task of TASKS) {
      const { code, stdout, stderr } = await machine.hook(task, {
        wrap: withOwnPath(machine),
        env: { LANG },
      });
      expect({ task, code, stderr }).toEqual({ task, code: 0, stderr: '' });
      if (task === 'start') expect(JSON.parse(stdout).systemMessage).toContain(words);
      else expect({ task, stdout }).toEqual({ task, stdout: '' });
    }
  });

  it('K8 the MCP server says so where Claude Code looks for it, and Claude goes on without', async () => {
    const machine = new Machine();
    machine.installBroken(join(machine.path, 'node'));
    const ran = await machine.hook('mcp', { wrap: withOwnPath(machine) });
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('no Node.js (20 or later)');
  });

  it('G8 says so too where there is only one that is too old', async () => {
    const machine = new Machine();
    machine.install(join(machine.path, 'node'), { as: 'old', version: '16.20.2' });
    const { stdout } = await machine.hook('start', { wrap: withOwnPath(machine) });
    expect(JSON.parse(stdout).systemMessage).toContain('there is no Node.js (18 or later)');
  });
});

describeWith('a session of the real CLI without node on PATH', ['claude', 'tmux'], ({ claude }) => {
  it('G8 M4 keeps what is said', async () => {
    const plugin = await PluginBed.start(claude);
    onTestFinished(() => plugin.remove());
    const { home, root } = plugin.bed;
    // What the CLI itself and its shell need, and no node.
    const path = join(root, 'bin');
    mkdirSync(path);
    for (const name of ['sh', 'bash', 'env', 'git', 'ps', 'uname', 'which']) {
      const program = (await run('sh', ['-c', `command -v ${name} || true`])).trim();
      if (program !== '') symlinkSync(program, join(path, name));
    }
    const node = join(home, '.volta/bin/node');
    mkdirSync(dirname(node), { recursive: true });
    writeFileSync(node, `#!/bin/sh\n: > '${root}/started'\nexec '${process.execPath}' "$@"\n`);
    chmodSync(node, 0o755);
    const session = await plugin.start({ env: { PATH: path } });
    await plugin.turn(session, '로그인 화면을 고쳐줘', 'It is mended.');
    await plugin.kept('It is mended.');
    expect(plugin.said).toEqual(['로그인 화면을 고쳐줘', 'It is mended.']);
    expect(existsSync(join(root, 'started'))).toBe(true);
    expect(await session.screen()).toContain('[rules injected]');
  });
});
