/** The built command line, as a person or a script meets it. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { saveBriefing } from '../../core/memory/restore/briefing-file.ts';
import { placesFrom } from '../../core/platform/store/places.ts';
import { projectMemory } from '../../core/projects/project-memory.ts';
import {
  DRIVER_NAMES,
  SETTING_KEYS,
  settingForm,
} from '../../core/settings/setting-definitions.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { MadeSession, promptRow, replyRow } from '../bed/made-session.ts';
import { CLI } from '../bed/memory-keeper.ts';
import { run } from '../bed/run.ts';
import { tempFolder } from '../bed/temp-folder.ts';
import { waitFor } from '../bed/wait-for.ts';

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

function cli(
  home: string,
  args: string[],
  input = '',
  env: NodeJS.ProcessEnv = {},
  node = process.execPath,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { cwd: home, env: { HOME: home, PATH: process.env.PATH, ...env } };
    const child = execFile(node, [CLI, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
    child.stdin?.on('error', () => undefined); // not everything that is sent must be read
    child.stdin?.end(input);
  });
}

function madeSession(home: string, folder = 'app', claude = '.claude'): MadeSession {
  const project = join(home, folder);
  mkdirSync(project, { recursive: true });
  const session = new MadeSession(join(home, claude), project);
  onTestFinished(() => session.end());
  return session;
}

describe('help and errors', () => {
  it.each([[], ['help'], ['--help'], ['-h']])('%j explains what there is', async (...args) => {
    const { code, stdout } = await cli(tempFolder(), args);
    expect(code).toBe(0);
    for (const command of [
      'status',
      'config',
      'statusline',
      'CLAUDE_CONFIG_DIR',
      'MEMORY_KEEPER_HOME',
    ])
      expect(stdout).toContain(command);
  });

  it.each(['status', 'memory', 'config', 'statusline'])(
    '%s --help explains itself',
    async (command) => {
      const { code, stdout } = await cli(tempFolder(), [command, '--help']);
      expect(code).toBe(0);
      expect(stdout.length).toBeGreaterThan(200);
    },
  );

  it('--version is the version of the package', async () => {
    expect((await cli(tempFolder(), ['--version'])).stdout).toBe(`${packageJson.version}\n`);
  });

  it.each([
    [['stauts'], 'memory-keeper: Unknown command "stauts"\nSee memory-keeper --help\n'],
    [
      ['status', '--wach'],
      "memory-keeper: Unknown option '--wach'\nSee memory-keeper status --help\n",
    ],
    [
      ['config', 'set', 'colour', '5'],
      'memory-keeper: Unknown setting "colour"\nSee memory-keeper config --help\n',
    ],
    [
      ['config', 'set', 'thresholds.warn', 'much'],
      'memory-keeper: "much" is not a number\nSee memory-keeper config --help\n',
    ],
    [
      ['config', 'set', 'thresholds.warn', '5000%'],
      'memory-keeper: "5000%" is more than 100%\nSee memory-keeper config --help\n',
    ],
    [
      ['config', 'set', 'thresholds.warn', '0x50'],
      'memory-keeper: "0x50" is not a number\nSee memory-keeper config --help\n',
    ],
    [
      ['statusline', '--jsn'],
      'memory-keeper: Unknown argument "--jsn"\nSee memory-keeper statusline --help\n',
    ],
    [
      ['config', 'set', 'thresholds.warn'],
      'memory-keeper: Missing value\nSee memory-keeper config --help\n',
    ],
    [
      ['config', 'toString', 'thresholds.warn'],
      'memory-keeper: Unknown action "toString"\nSee memory-keeper config --help\n',
    ],
    [
      ['clear', 'app', '--cancel', '--log'],
      'memory-keeper: --cancel and --log cannot be combined\nSee memory-keeper clear --help\n',
    ],
    [
      ['clear', 'app', '--explain', '--wait'],
      'memory-keeper: --explain and --wait cannot be combined\nSee memory-keeper clear --help\n',
    ],
    [
      ['clear', '--pause', 'app'],
      'memory-keeper: --pause is for all sessions and takes no name\nSee memory-keeper clear --help\n',
    ],
    [
      ['config', 'frobnicate'],
      'memory-keeper: Unknown action "frobnicate"\nSee memory-keeper config --help\n',
    ],
    [
      ['memory', 'search', 'x', '--limit', '-1'],
      'memory-keeper: --limit needs a value; write --limit=-1 for one that starts with a dash\nSee memory-keeper memory --help\n',
    ],
    [
      ['memory', 'search', 'x', '--since', 'tomorrow'],
      'memory-keeper: "tomorrow" is not a date; use YYYY-MM-DD\nSee memory-keeper memory --help\n',
    ],
    [
      ['memory', 'facts', '--kind'],
      'memory-keeper: --kind needs a value\nSee memory-keeper memory --help\n',
    ],
  ])('%j is answered in words and exit code 2', async (args, stderr) => {
    expect(await cli(tempFolder(), args)).toEqual({ code: 2, stdout: '', stderr });
  });
});

it.each([
  [
    ['clear', 'nothing-of-this-name', '--json'],
    1,
    'There is no running session "nothing-of-this-name"',
  ],
  [['memory', 'forgte', '--json'], 2, 'Unknown action "forgte"'],
])(
  'G5 %j tells a script on stdout what is wrong, and a person on stderr',
  async (args, code, reason) => {
    const outcome = await cli(tempFolder(), args);
    expect(outcome.code).toBe(code);
    expect(JSON.parse(outcome.stdout)).toMatchObject({
      error: { text: expect.stringContaining(reason) },
    });
    expect(outcome.stderr).toContain(`memory-keeper: ${reason}`);
  },
);

it('G5 A6 pausing and resuming clears with --json is told as data', async () => {
  const home = tempFolder();
  expect(JSON.parse((await cli(home, ['clear', '--pause', '--json'])).stdout)).toEqual({
    isPaused: true,
  });
  expect(JSON.parse((await cli(home, ['clear', '--resume', '--json'])).stdout)).toEqual({
    isPaused: false,
  });
});

describe('clear of a session in which the plugin is not at work', () => {
  const NOTHING = 'it would be saved, but nothing would be restored after the clear';

  it('M13 A6 is refused with the way to get it, unless the user insists; nothing is kept or claimed before', async () => {
    const home = tempFolder();
    const session = madeSession(home);
    session.append(promptRow('hello'), replyRow(100_000));
    for (const how of [[], ['--wait'], ['--soon']]) {
      const { code, stderr } = await cli(home, ['clear', ...how, 'app']);
      expect(code).toBe(1);
      expect(stderr).toContain(NOTHING);
      expect(stderr).toMatch(/memory-keeper plugin install.*claude --continue.*--anyway/);
    }
    expect((await cli(home, ['clear', '--log'])).stdout).toBe('No activity yet.\n');
    const { code, stderr } = await cli(home, ['clear', '--anyway', 'app']);
    expect(code).toBe(1); // it has no terminal
    expect(stderr).not.toContain(NOTHING);
    expect(stderr).toContain('no reliable way');
  });

  it('M13 A4 --explain says it beforehand, and not of one that has it', async () => {
    const home = tempFolder();
    const session = madeSession(home);
    const explain = async (...args: string[]) =>
      (await cli(home, ['clear', '--explain', 'app', ...args])).stdout;
    expect(await explain()).toContain(NOTHING);
    expect(JSON.parse(await explain('--json'))).toMatchObject({ hasPlugin: false });
    saveBriefing(placesFrom({ HOME: home }), session.sessionId, '');
    expect(await explain()).not.toContain(NOTHING);
    expect(JSON.parse(await explain('--json'))).toMatchObject({ hasPlugin: true });
  });
});

it('G5 a message of several lines is printed as lines', async () => {
  const home = tempFolder();
  const [one, other] = [madeSession(home), madeSession(home)];
  const { code, stderr } = await cli(home, ['clear', 'app']);
  expect(code).toBe(1);
  expect(stderr.trimEnd().split('\n').sort()).toEqual([
    ...[one, other].map(({ sessionId, pid }) => `  ${sessionId}  process ${pid}  app`).sort(),
    'memory-keeper: "app" matches several sessions. Use the ID or the process ID:',
  ]);
});

describe('status', () => {
  it('C3 tells a person what to do when nothing runs, and a script an empty array', async () => {
    const home = tempFolder();
    expect((await cli(home, ['status'])).stdout).toContain('Start one with `claude`');
    expect(await cli(home, ['status', '--json'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  });

  it('C3 lists sessions with growth and forecast, without colours where nobody sees them', async () => {
    const home = tempFolder();
    const session = madeSession(home);
    session.append(promptRow('a'), replyRow(100_000), promptRow('b'), replyRow(112_000));
    const { stdout } = await cli(home, ['status']);
    expect(stdout).toBe(
      `app · Sonnet 4.5 · idle · no terminal · pid ${session.pid}\n` +
        '  █████████████░░░░░░░░░░░  56%  112,000 of 200,000 · +12,000 per turn · ~3 turns to 70% · window from the model table\n' +
        '  Claude Code compacts only when full\n',
    );
  });

  it('C3 tells several sessions of one project apart by the names that Claude Code gives them, and clear knows them', async () => {
    const home = tempFolder();
    for (const name of ['app-90', 'app-4d']) madeSession(home).register({ name });
    madeSession(home, 'other').register({ name: 'other-81' });
    const { stdout } = await cli(home, ['status']);
    expect(stdout).toMatch(/^app · app-90 · no reply yet/m);
    expect(stdout).toMatch(/^app · app-4d · no reply yet/m);
    expect(stdout).toMatch(/^other · no reply yet/m);
    expect((await cli(home, ['clear', 'app'])).stderr).toMatch(
      / app-90\n[\s\S]* app-4d\n| app-4d\n[\s\S]* app-90\n/,
    );
    expect((await cli(home, ['clear', '--explain', 'app-4d'])).code).toBe(0);
  });

  it('honours CLAUDE_CONFIG_DIR and MEMORY_KEEPER_HOME', async () => {
    const home = tempFolder();
    madeSession(home, 'app', 'elsewhere').append(replyRow(100_000));
    const env = {
      CLAUDE_CONFIG_DIR: join(home, 'elsewhere'),
      MEMORY_KEEPER_HOME: join(home, 'ours'),
    };
    await cli(home, ['config', 'set', 'thresholds.warn', '30%'], '', env);
    expect(JSON.parse(readFileSync(join(home, 'ours', 'config.json'), 'utf8')).thresholds).toEqual({
      warn: 30,
    });
    expect(JSON.parse((await cli(home, ['status', '--json'], '', env)).stdout)).toMatchObject([
      { level: 'warn', warnAtTokens: 60_000 },
    ]);
    expect(JSON.parse((await cli(home, ['status', '--json'])).stdout)).toEqual([]);
  });

  it('does not let a folder name steer the terminal', async () => {
    const home = tempFolder();
    madeSession(home, 'evil\x1b[2J\x07\nname').append(replyRow(1000));
    const { stdout } = await cli(home, ['status']);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(stdout.trim().split('\n')).toHaveLength(3);
  });

  it('tells on stderr what it could not use, and goes on', async () => {
    const home = tempFolder();
    madeSession(home).append(replyRow(1000));
    mkdirSync(join(home, '.claude', 'memory-keeper'));
    writeFileSync(join(home, '.claude', 'memory-keeper', 'config.json'), '{ oops');
    const { code, stdout, stderr } = await cli(home, ['status', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(1);
    expect(stderr).toMatch(
      /^note: .*config\.json.* left unchanged: config\.json is not valid JSON .*\n$/,
    );
  });

  it('C3 fits into a narrow terminal, and says in words what the colour says', async () => {
    const home = tempFolder();
    const session = madeSession(home, '아주-긴-이름의-프로젝트-폴더입니다-정말로');
    session.append(promptRow('a'), replyRow(150_000), promptRow('b'), replyRow(170_000));
    session.register({ status: 'waiting', waitingFor: 'permission prompt' });
    const socket = join(home, 'tmux.sock');
    const tmux = (...args: string[]) => run('tmux', ['-S', socket, '-f', '/dev/null', ...args]);
    await tmux(
      'new-session',
      '-d',
      '-x',
      '60',
      '-y',
      '10',
      'env',
      `HOME=${home}`,
      'LANG=C.UTF-8',
      process.execPath,
      CLI,
      'status',
      '--watch',
    );
    onTestFinished(() => tmux('kill-server').then(() => undefined));
    const screen = await waitFor('the session', async () => {
      const text = await tmux('capture-pane', '-p');
      return text.includes('85%') && text;
    });
    expect(screen).toMatch(/^아주-긴.*….* · waiting: permission prompt$/m);
    expect(screen).toContain('85%  critical · 170,000 of 200,000');
    expect(screen).toContain('Live. Press Ctrl+C to stop.');
  });

  it('tells what keeps it from seeing sessions', async () => {
    const home = tempFolder();
    mkdirSync(join(home, '.claude'));
    writeFileSync(join(home, '.claude', 'sessions'), 'a file where the folder should be');
    expect((await cli(home, ['status'])).stderr).toContain('cannot be read (ENOTDIR)');
    mkdirSync(join(home, '.claude', 'memory-keeper'));
    writeFileSync(join(home, '.claude', 'memory-keeper', 'config.json'), 'oops');
    expect((await cli(home, ['status'])).stderr).toContain('not valid JSON');
    expect(
      (await cli(home, ['status'], '', { MEMORY_KEEPER_HOME: join(home, '.claude', 'sessions') }))
        .stderr,
    ).toContain('is not a folder');
  });

  it('says so when the output cannot be written', async () => {
    const shell = `${process.execPath} ${CLI} status > /dev/full`;
    const outcome = await run('bash', ['-c', `${shell} 2>&1; echo "exit $?"`], {
      env: { HOME: tempFolder(), PATH: process.env.PATH },
    });
    expect(outcome).toMatch(/^(memory-keeper: Cannot write the output: .*ENOSPC.*\n)?exit 1\n$/);
  });

  it('is content when nobody reads to the end', async () => {
    const home = tempFolder();
    const shell = `${process.execPath} ${CLI} status --watch --json | head -n 1; exit \${PIPESTATUS[0]}`;
    const session = madeSession(home);
    const ticker = setInterval(
      () => session.append(replyRow(1000 + Math.floor(Math.random() * 100_000))),
      30,
    );
    onTestFinished(() => clearInterval(ticker));
    expect(
      await run('bash', ['-c', shell], { env: { HOME: home, PATH: process.env.PATH } }),
    ).toMatch(/^\[.*\]\n$/);
  });

  it('--watch ends with Ctrl+C, exit code 0', async () => {
    const child = spawn(process.execPath, [CLI, 'status', '--watch', '--json'], {
      env: { HOME: tempFolder(), PATH: process.env.PATH },
    });
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it("runs on the machine's own Node, from 20.19 on", async () => {
    const nodes = (await run('which', ['-a', 'node'])).trim().split('\n');
    const versions = await Promise.all(
      nodes.map(async (node) => ({ node, version: await run(node, ['--version']) })),
    );
    for (const { node, version } of versions) {
      const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
      if (major < 20 || (major === 20 && minor < 19)) continue;
      expect(await cli(tempFolder(), ['status', '--json'], '', {}, node), version).toEqual({
        code: 0,
        stdout: '[]\n',
        stderr: '',
      });
    }
  });
});

describe('config', () => {
  it('C4 shows, sets, unsets and undoes, for the user and for the project', async () => {
    const home = tempFolder();
    mkdirSync(join(home, '.git'));
    const show = async (...args: string[]) =>
      (await cli(home, ['config', ...args])).stdout.replace(/ +/g, ' ');
    expect(await show()).toMatch(
      /^thresholds\.warn 70% default\nthresholds\.critical 80% default\nsaveInterval 5 tool uses default\n[\s\S]*\nstorage home default\n[\s\S]*\ndelivery\.order mod,tmux,[\w,]+ default\napp\.language system default\n[\s\S]*\napp\.notifications true default\n$/,
    );
    expect(await show('set', 'thresholds.warn', '150k')).toContain(
      'thresholds.warn 150,000 tokens user',
    );
    expect(await show('set', 'thresholds.warn', '60', '--project')).toContain(
      'thresholds.warn 60% project',
    );
    expect(await show('unset', 'thresholds.warn', '--project')).toContain(
      'thresholds.warn 150,000 tokens user',
    );
    expect(await show('undo', '--project')).toContain('thresholds.warn 60% project');
    expect(await show('undo', '--project')).toContain('thresholds.warn 150,000 tokens user');
    expect(await show('undo')).toContain('thresholds.warn 70% default');
    expect(await show('set', 'autoClear.threshold', '150k')).toContain(
      'autoClear.threshold 150,000 tokens user',
    );
    expect(await show('set', 'delivery.order', 'tmux, mod')).toContain(
      'delivery.order tmux,mod user',
    );
    const written = JSON.parse(
      readFileSync(join(home, '.claude', 'memory-keeper', 'config.json'), 'utf8'),
    );
    expect(written).toMatchObject({
      autoClear: { threshold: { tokens: 150_000 } },
      delivery: { order: ['tmux', 'mod'] },
    });
    expect(
      JSON.parse((await cli(home, ['config', '--json'])).stdout)['thresholds.critical'],
    ).toEqual({
      value: 80,
      from: 'default',
    });
  });

  it('L1e F1 sets the window of one model, whatever its id, and shows a line for each', async () => {
    const home = tempFolder();
    const show = async (...args: string[]) =>
      (await cli(home, ['config', ...args])).stdout.replace(/ +/g, ' ');
    expect(await show()).toContain('models.windows none default\n');
    await show('set', 'models.windows.glm-5.1', '262144');
    await show('set', 'models.windows.unsloth/Qwen3:8b', '40k');
    expect(await show()).toContain(
      'models.windows.glm-5.1 262,144 tokens user\nmodels.windows.unsloth/Qwen3:8b 40,000 tokens user\n',
    );
    await show('unset', 'models.windows.glm-5.1');
    expect(await show()).not.toContain('glm-5.1');
    await show('unset', 'models.windows.unsloth/Qwen3:8b');
    expect(await show()).toContain('models.windows none default\n');
    const refused = await cli(home, ['config', 'set', 'models.windows.glm-5.1', '5']);
    expect(refused.stderr).toContain('models.windows: Must be model ids');
  });

  it('C4 a change is answered with what has changed, and with nothing else', async () => {
    const home = tempFolder();
    mkdirSync(join(home, '.git'));
    const change = async (...args: string[]) =>
      (await cli(home, ['config', ...args])).stdout.replace(/ +/g, ' ');
    expect(await change('set', 'thresholds.warn', '60')).toBe(
      'thresholds.warn 60% user (before: 70%, default)\n',
    );
    expect(await change('set', 'thresholds.warn', '60')).toBe(
      'thresholds.warn 60% user\nNothing changes in this folder.\n',
    );
    expect(await change('set', 'saveInterval', '1')).toBe(
      'saveInterval 1 tool use user (before: 5 tool uses, default)\n',
    );
    expect(await change('set', 'quietStop', 'off', '--project')).toBe(
      'quietStop false project (before: true, default)\n',
    );
    expect(await change('set', 'quietStop', 'on')).toBe(
      'quietStop false project\nNothing changes in this folder.\n',
    );
    expect(await change('undo', '--project')).toBe(
      'quietStop true user (before: false, project)\n',
    );
  });

  it('G5 --help names every setting apart from its words, and every value of a choice', async () => {
    const { stdout } = await cli(tempFolder(), ['config', '--help']);
    for (const key of SETTING_KEYS) {
      const [, words = ''] = new RegExp(`^  ${key}\n((?: {6}.+\n)+)`, 'm').exec(stdout) ?? [];
      const { kind, choices } = settingForm(key);
      if (kind === 'choice')
        for (const choice of choices)
          expect(words, key).toMatch(new RegExp(`(?<!\\w)${choice}(?!\\w)`));
      expect(words, key).not.toBe('');
    }
    expect(stdout).toContain(DRIVER_NAMES.join(','));
  });

  it('refuses nonsense in words and changes nothing', async () => {
    const home = tempFolder();
    const { code, stderr } = await cli(home, ['config', 'set', 'thresholds.warn', '500']);
    expect(code).toBe(1);
    expect(stderr).toBe(
      'memory-keeper: thresholds.warn: Must be a percentage from 1 to 100, or a number of tokens from 1,000\n',
    );
    expect((await cli(home, ['config', 'undo'])).stderr).toContain('There is no change to undo');
  });

  it('keeps a file it cannot understand, and says where', async () => {
    const home = tempFolder();
    const folder = join(home, '.claude', 'memory-keeper');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'config.json'), '{ mine');
    const { code, stderr } = await cli(home, ['config', 'set', 'thresholds.warn', '60']);
    expect(code).toBe(0);
    const [, kept = ''] = /set aside as (.*)\n/.exec(stderr) ?? [];
    expect(readFileSync(kept, 'utf8')).toBe('{ mine');
  });
});

describe('memory', () => {
  const row = (cwd: string, text: string) =>
    JSON.stringify({ ...JSON.parse(promptRow(text)), cwd });

  it('M1 B3 keeps the transcripts of this project, those of its subfolders included, and of no other', async () => {
    const home = tempFolder();
    const app = join(home, 'app');
    for (const folder of [join(app, '.git'), join(app, 'sub'), join(home, 'app-2')])
      mkdirSync(folder, { recursive: true });
    for (const [cwd, text] of [
      [app, 'in the project'],
      [join(app, 'sub'), 'below it'],
      [join(home, 'app-2'), 'elsewhere'],
    ] as const) {
      const folder = join(home, '.claude', 'projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'));
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${text.length}.jsonl`), `torn\n${row(cwd, text)}\n`);
    }
    const memory = (...args: string[]) =>
      run(process.execPath, [CLI, 'memory', ...args], {
        cwd: app,
        env: { HOME: home, PATH: process.env.PATH },
      });
    expect(await memory('show')).toContain('No memory has been saved for ');
    expect(await memory('save')).toBe(
      'Saved 2 new entries from 2 sessions (2 transcripts read).\n',
    );
    expect(await memory('save')).toBe(
      'Saved 0 new entries from 0 sessions (2 transcripts read).\n',
    );
    expect(await memory('show')).toMatch(/^2 saved sessions:\n.*1 entry, last 20/);
    expect(await memory('restore')).toMatch(/in the project|below it/);
    expect(JSON.parse(await memory('restore', '--json')).characters).toBeGreaterThan(100);
    expect(JSON.stringify(JSON.parse(await memory('show', '--json')))).not.toContain('elsewhere');
  });

  it('G5 times are those of the clock on the wall, with the day', async () => {
    const home = tempFolder();
    const [app, ours] = [join(home, 'app'), join(home, '.claude/memory-keeper')];
    const folder = join(home, '.claude/projects', app.replace(/[^a-zA-Z0-9]/g, '-'));
    for (const path of [app, ours, join(ours, 'mods'), folder])
      mkdirSync(path, { recursive: true, mode: 0o700 });
    const at = '2026-11-16T22:30:00.000Z';
    writeFileSync(
      join(folder, 's1.jsonl'),
      `${JSON.stringify({ ...JSON.parse(row(app, 'prices in cents')), timestamp: at })}\n`,
    );
    writeFileSync(
      join(ours, 'activity.jsonl'),
      `${JSON.stringify({ at, what: 'restored', project: app })}\n`,
      { mode: 0o600 },
    );
    writeFileSync(join(ours, 'mods/1'), '');
    utimesSync(join(ours, 'mods/1'), new Date(at), new Date(at));
    const there = async (...args: string[]) => {
      const env = { HOME: home, PATH: process.env.PATH, TZ: 'Asia/Seoul' };
      return run(process.execPath, [CLI, ...args], { cwd: app, env });
    };
    await there('memory', 'save');
    expect(await there('memory', 'show')).toContain('1 entry, last 2026-11-17 07:30:00\n');
    expect(await there('memory', 'search', 'cents')).toContain(' · 2026-11-17 07:30:00 · ');
    expect(await there('clear', '--log')).toBe('2026-11-17 07:30:00  app  done\n');
    expect(await there('plugin')).toContain('Last active   2026-11-17 07:30:00\n');
    expect(await there('doctor').catch(({ stdout }: { stdout: string }) => stdout)).toContain(
      'Hooks last ran Nov 17, 2026, 07:30.',
    );
  });

  it.each([['rebuild'], ['compress'], ['delta', 'cleanup'], ['export']])(
    'M1 %j makes no memory where there is none',
    async (...args) => {
      const home = tempFolder();
      await cli(home, ['memory', ...args]);
      // It has its place in the home then, and nothing in it.
      const files = readdirSync(home, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name);
      expect(files.filter((name) => !/^(?:project|[0-9a-f]{16})\.json$/.test(name))).toEqual([]);
    },
  );

  it('M3 says of a memory without conversations that none is kept', async () => {
    const home = tempFolder();
    const env = { HOME: home, PATH: process.env.PATH };
    mkdirSync(join(home, 'app'));
    const { folder } = projectMemory(placesFrom(env), join(home, 'app'), env);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'memory.md'), '# Project Memory: app\n');
    const shown = await run(process.execPath, [CLI, 'memory', 'show'], {
      cwd: join(home, 'app'),
      env,
    });
    expect(shown).toBe('# Project Memory: app\n\nNo saved sessions yet.\n');
  });

  it('is answered in words when there is nothing, or the words are off', async () => {
    const home = tempFolder();
    expect((await cli(home, ['memory', 'restore'])).stdout).toBe('Nothing to restore yet.\n');
    expect(await cli(home, ['memory', 'forgte'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'memory-keeper: Unknown action "forgte"\nSee memory-keeper memory --help\n',
    });
  });
});

describe('statusline', () => {
  const input = JSON.stringify({
    session_id: 's1',
    model: { id: 'claude-opus-5-5', display_name: 'Opus 5.5' },
    context_window: { context_window_size: 1_000_000, used_percentage: 15 },
  });

  it('C2 keeps the window and prints a line', async () => {
    const home = tempFolder();
    expect(await cli(home, ['statusline'], input)).toEqual({
      code: 0,
      stdout: 'Opus 5.5 · context 15%\n',
      stderr: '',
    });
    const saved = readFileSync(
      join(home, '.claude', 'memory-keeper', 'reported', 's1.json'),
      'utf8',
    );
    expect(JSON.parse(saved)).toEqual({ model: 'claude-opus-5-5', window: 1_000_000 });
  });

  it("runs the user's own status line with the same input and shows its output", async () => {
    const { stdout } = await cli(
      tempFolder(),
      ['statusline', '--', 'sh', '-c', 'echo "mine: $(wc -c)"'],
      input,
    );
    expect(stdout.trim()).toBe(`mine: ${Buffer.byteLength(input)}`);
  });

  it('leaves the options behind the dashes to the wrapped command', async () => {
    expect(
      (await cli(tempFolder(), ['statusline', '--', 'echo', '-h', '--help'], input)).stdout,
    ).toBe('-h --help\n');
  });

  it('does not leave the wrapped command behind when it is ended', async () => {
    const child = spawn(
      process.execPath,
      [CLI, 'statusline', '--', 'sh', '-c', 'echo $$; exec sleep 600'],
      {
        env: { HOME: tempFolder(), PATH: process.env.PATH },
      },
    );
    child.stdin.end(input);
    const [line] = await once(child.stdout, 'data');
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(existsSync(`/proc/${Number(String(line))}`)).toBe(false);
  });

  it('C2 does its work whether or not the wrapped line reads its input', async () => {
    const home = tempFolder();
    expect((await cli(home, ['statusline', '--', 'true'], input)).code).toBe(0);
    expect(
      readFileSync(join(home, '.claude', 'memory-keeper', 'reported', 's1.json'), 'utf8'),
    ).toContain('1000000');
  });

  it('says what is wrong with a wrapped command that is not there', async () => {
    const { code, stderr } = await cli(
      tempFolder(),
      ['statusline', '--', 'no-such-status-line'],
      input,
    );
    expect(code).toBe(1);
    expect(stderr).toContain('no-such-status-line');
  });

  it.each(['', 'null', '{}', '{"model":', 'x'.repeat(2_000_000)])(
    'prints something for odd input too',
    async (odd) => {
      const { code, stdout } = await cli(tempFolder(), ['statusline'], odd);
      expect(code).toBe(0);
      expect(stdout).toBe('Memory Keeper: Claude Code sent no readable status\n');
    },
  );

  it('costs the user nothing when the disk does not take it', async () => {
    const home = tempFolder();
    mkdirSync(join(home, '.claude'));
    writeFileSync(join(home, '.claude', 'memory-keeper'), 'a file where the folder should be');
    const { code, stdout, stderr } = await cli(home, ['statusline'], input);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Opus 5.5 · context 15%\n' });
    expect(stderr).toContain('The context window was not saved');
  });
});

it('A1 watch says who watches already', async () => {
  const home = tempFolder();
  const env = { HOME: home, PATH: process.env.PATH };
  const start = async () => {
    const child = spawn(process.execPath, [CLI, 'watch'], { env });
    onTestFinished(async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    });
    await once(child.stdout, 'data');
    return child;
  };
  const first = await start();
  const second = await start();
  const [note] = await once(second.stderr, 'data');
  expect(String(note)).toBe(
    `note: process ${first.pid} is already clearing sessions; each clear is done by one of the two\n`,
  );
});

it('the pipe of a reader that is gone is no crash', async () => {
  const child = spawn(process.execPath, [CLI, '--help'], { env: { HOME: tempFolder() } });
  child.stdout.destroy();
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
