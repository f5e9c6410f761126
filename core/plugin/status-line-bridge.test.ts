/**
 * The status line is connected and disconnected in made homes; the command that is written is run
 * by the very shell that Claude Code uses.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import { waitFor } from '../../tests/bed/wait-for.ts';
import { readReportedWindow } from '../claude/context/reported.ts';
import { message } from '../messages/message.ts';
import { copyFolder } from './plugin-copy.ts';
import {
  connectPreview,
  connectStatusLine,
  disconnectPreview,
  disconnectStatusLine,
  projectStatusLines,
  statusLineState,
} from './status-line-bridge.ts';

const BUILT = join(import.meta.dirname, '../../dist/plugin');
const TOLD = `${JSON.stringify({
  session_id: 's1',
  model: { id: 'claude-opus-5-5', display_name: 'Opus 5.5' },
  context_window: { context_window_size: 1_000_000, used_percentage: 15 },
})}\n`;
/**
 * Quotes, a pipe, colours, two lines, Korean, a comment at the end, an exit code of its own, and
 * the input that it gets.
 */
const OWN = `printf '\\033[31m%s\\033[0m\\n' "it's \\"mine\\" $0"; wc -c | tr -d ' '; echo '한글'; exit 7 # done`;

class Home {
  readonly root: string;
  readonly places: { claude: string; home: string };
  readonly file: string;

  constructor(name = "내 집 it's") {
    this.root = join(tempFolder(), name);
    this.places = {
      claude: join(this.root, '.claude'),
      home: join(this.root, '.claude/memory-keeper'),
    };
    this.file = join(this.places.claude, 'settings.json');
    mkdirSync(this.places.home, { recursive: true, mode: 0o700 });
    cpSync(BUILT, copyFolder(this.places), { recursive: true });
  }

  get text(): string {
    return readFileSync(this.file, 'utf8');
  }

  set text(text: string) {
    writeFileSync(this.file, text);
  }

  get state() {
    return statusLineState(this);
  }

  get command(): string {
    return JSON.parse(this.text).statusLine.command;
  }

  /** As Claude Code does it. */
  run(
    command = this.command,
    path = process.env.PATH,
  ): { stdout: string; stderr: string; status: number | null } {
    const env = { HOME: this.root, ...(path !== undefined && { PATH: path }) };
    const { stdout, stderr, status } = spawnSync('/bin/sh', ['-c', command], {
      input: TOLD,
      env,
      encoding: 'utf8',
    });
    return { stdout, stderr, status };
  }
}

const settings = (statusLine: object) => JSON.stringify({ model: 'opus', statusLine }, null, 2);

describe('a status line that is connected', () => {
  it.each([
    ['plain', settings({ type: 'command', command: OWN, padding: 2 })],
    [
      'in one line',
      `{"statusLine":{"command":${JSON.stringify(OWN)},"type":"command","unknown":[1]}}`,
    ],
    [
      'with comments, CRLF, tabs, escapes and commas at the end',
      `\uFEFF{\r\n\t// 내 것\r\n\t"statusLine": {\r\n\t\t"type": "command", /* mine */\r\n\t\t"command": "echo \\u0027a\\/b\\u0027", // "own"\r\n\t},\r\n\t"zeta": {"statusLine": 1},\r\n}`,
    ],
  ])(
    'G4 comes back byte for byte when it is disconnected, and only its command is changed: %s',
    (_, before) => {
      const home = new Home();
      home.text = before;
      connectStatusLine(home);
      expect(home.state).toMatchObject({ kind: 'connected', isWhole: true });
      const [head = '', tail = ''] = before.split(/"(?:printf|echo)(?:[^"\\]|\\.)*"/);
      expect(home.text.startsWith(head) && home.text.endsWith(tail)).toBe(true);
      const connected = home.text;
      expect(connectStatusLine(home)).toEqual([message('plugin.statusLineConnectedAlready')]);
      expect(home.text).toBe(connected);
      disconnectStatusLine(home);
      expect(home.text).toBe(before);
    },
  );

  it.each([
    ['an empty object', '{}'],
    ['plain lines', '{\n    "model": "opus"\n}\n'],
    ['a comma at the end, CRLF', '{\r\n\t"model": "opus", // mine\r\n}\r\n'],
    ['one line', '{"model": "opus"}\n'],
  ])('G4 is added where there was none, said so before, and is gone again: %s', (_, before) => {
    const home = new Home();
    home.text = before;
    const preview = connectPreview(home);
    expect(preview.at(0)).toEqual(message('plugin.changedFile', { path: home.file }));
    expect(preview).toContainEqual(
      message('plugin.lineAdded', { line: expect.stringContaining('status-line.sh') }),
    );
    expect(preview.at(-1)).toEqual(message('plugin.statusLineAdded'));
    expect(home.text, 'a preview changes nothing').toBe(before);
    expect(connectStatusLine(home)).toContainEqual(message('plugin.statusLineAdded'));
    expect(
      home.run(JSON.parse(home.text.replace(/\/\/.*|,(?=\s*})/g, '')).statusLine.command),
    ).toEqual({
      stdout: 'Opus 5.5 · context 15%\n',
      stderr: '',
      status: 0,
    });
    disconnectStatusLine(home);
    expect(home.text).toBe(before);
  });

  it('G4 needs no settings to be there', () => {
    const home = new Home();
    connectStatusLine(home);
    expect(home.run().stdout).toBe('Opus 5.5 · context 15%\n');
    expect(statSync(home.file).mode & 0o777).toBe(0o600);
    disconnectStatusLine(home);
    expect(JSON.parse(home.text)).toEqual({});
  });

  it('C2 shows what the user’s own shows, to the byte, with its exit code and its input, and tells the window', async () => {
    const home = new Home();
    home.text = settings({ type: 'command', command: OWN });
    const before = home.run();
    expect(before).toMatchObject({
      status: 7,
      stdout: `\x1b[31mit's "mine" /bin/sh\x1b[0m\n${Buffer.byteLength(TOLD)}\n한글\n`,
    });
    connectStatusLine(home);
    expect(home.run()).toEqual(before);
    const told = await waitFor('the window', () => readReportedWindow(home.places.home, 's1'));
    expect(told).toMatchObject({ window: 1_000_000, model: 'claude-opus-5-5' });
  });

  it.each([
    'true',
    'head -c 3',
    'echo no >&2; exit 2',
    'no-such-status-line',
    "echo 'half",
    'exec cat',
    'cat | cat -v | head -1',
  ])('C2 is no different for a status line that is odd: %s', (own) => {
    const home = new Home();
    home.text = settings({ type: 'command', command: own });
    const before = home.run();
    connectStatusLine(home);
    expect(home.run()).toEqual(before);
  });

  it('G8 shows the user’s own where our plugin is gone, and where nothing can run it', () => {
    const home = new Home();
    home.text = settings({ type: 'command', command: "read -r told; echo 'mine'" });
    connectStatusLine(home);
    expect(home.run(home.command, '/nowhere')).toEqual({ stdout: 'mine\n', stderr: '', status: 0 });
    rmSync(copyFolder(home.places), { recursive: true });
    expect(home.run()).toEqual({ stdout: 'mine\n', stderr: '', status: 0 });
    expect(home.state).toMatchObject({ kind: 'connected', isWhole: false });
    rmSync(home.places.home, { recursive: true });
    disconnectStatusLine(home);
    expect(
      JSON.parse(home.text).statusLine.command,
      'nothing of ours is needed to bring it back',
    ).toBe("read -r told; echo 'mine'");
  });

  it('B4 is written without the number of a version', () => {
    const home = new Home();
    connectStatusLine(home);
    expect(home.command).not.toMatch(/\d+\.\d+/);
  });

  it('G4 comes back as it was written after Claude Code has written the settings again', () => {
    const home = new Home();
    home.text = '{"statusLine": {"type": "command", "command": "echo \\u0027a\\u0027"}, "z": 1}';
    connectStatusLine(home);
    home.text = JSON.stringify({ ...JSON.parse(home.text), enabledPlugins: {} }, null, 2);
    disconnectStatusLine(home);
    expect(home.text).toContain('"command": "echo \\u0027a\\u0027"');
    expect(JSON.parse(home.text)).toEqual({
      statusLine: { type: 'command', command: "echo 'a'" },
      z: 1,
      enabledPlugins: {},
    });
  });

  it('G4 follows our folder when that was moved, and still has the user’s own', () => {
    const home = new Home();
    home.text = settings({ type: 'command', command: OWN });
    connectStatusLine(home);
    const moved = { claude: home.places.claude, home: join(home.root, 'elsewhere') };
    renameSync(home.places.home, moved.home);
    connectStatusLine({ places: moved });
    expect(statusLineState({ places: moved })).toEqual({
      kind: 'connected',
      own: OWN,
      isWhole: true,
    });
    disconnectStatusLine({ places: moved });
    expect(home.text).toBe(settings({ type: 'command', command: OWN }));
  });
});

describe('a status line that is left alone', () => {
  it.each([
    ['another one of the user’s', (command: string) => command.replace('s=', 'echo new; s=')],
    ['one around ours', (command: string) => `${command}; echo more`],
    ['a new one', () => 'echo new'],
  ])('G4 is one that was changed meanwhile: %s', (_, change) => {
    const home = new Home();
    home.text = settings({ type: 'command', command: OWN });
    connectStatusLine(home);
    home.text = settings({ type: 'command', command: change(home.command) });
    const changed = home.text;
    expect(disconnectStatusLine(home)).toEqual([message('plugin.statusLineNotConnected')]);
    expect(home.text).toBe(changed);
  });

  it('G4 is one that was set up by hand', () => {
    const home = new Home();
    home.text = settings({
      type: 'command',
      command: 'node /x/memory-keeper.js statusline -- mine',
    });
    const before = home.text;
    expect(home.state).toEqual({ kind: 'by-hand' });
    expect(connectStatusLine(home)).toEqual([message('plugin.statusLineConnectedAlready')]);
    disconnectStatusLine(home);
    expect(home.text).toBe(before);
  });

  it.each([
    ['broken JSON', '{"statusLine": ', 'plugin.notUnderstood'],
    ['a list', '[]', 'plugin.notUnderstood'],
    [
      'no command',
      '{"statusLine": {"type": "mystery", "command": "x"}}',
      'plugin.statusLineNoCommand',
    ],
    ['no object', '{"statusLine": null}', 'plugin.statusLineNoCommand'],
  ])('G4 is one in settings that are not understood: %s', (_, before, code) => {
    const home = new Home();
    home.text = before;
    expect(() => connectPreview(home)).toThrow(code);
    expect(() => connectStatusLine(home)).toThrow(code);
    expect(disconnectStatusLine(home)).toEqual([message('plugin.statusLineNotConnected')]);
    expect(home.text).toBe(before);
    expect(readdirSync(home.places.home)).toEqual(['plugin-marketplace']);
  });

  it('G4 is one in settings that are read-only', () => {
    const home = new Home();
    home.text = '{}';
    chmodSync(home.file, 0o444);
    expect(() => connectStatusLine(home)).toThrow('plugin.readOnly');
    expect([home.text, statSync(home.file).mode & 0o777]).toEqual(['{}', 0o444]);
  });

  it('G4 is a project’s own, which is only reported', () => {
    const home = new Home();
    const [project, other] = [join(home.root, 'project'), join(home.root, 'other')];
    for (const root of [project, other]) mkdirSync(join(root, '.claude'), { recursive: true });
    const file = join(project, '.claude/settings.local.json');
    writeFileSync(file, '{"statusLine": {"type": "command", "command": "x"}}');
    writeFileSync(join(other, '.claude/settings.json'), '{}');
    home.text = settings({ type: 'command', command: OWN });
    expect(projectStatusLines(home.places, [project, other, home.root])).toEqual([file]);
  });

  it('G4 is every one on Windows, and where the plugin is not installed', () => {
    const home = new Home();
    expect(() => connectStatusLine({ ...home, platform: 'win32' })).toThrow(
      'plugin.statusLineNotOnWindows',
    );
    rmSync(copyFolder(home.places), { recursive: true });
    expect(() => connectStatusLine(home)).toThrow('plugin.statusLineNeedsPlugin');
  });
});

it('G4 a link to the settings stays one, rights stay, and a copy of what was there is kept', () => {
  const home = new Home();
  const dotfiles = join(home.root, 'dotfiles.json');
  const before = settings({ type: 'command', command: OWN });
  writeFileSync(dotfiles, before, { mode: 0o640 });
  chmodSync(dotfiles, 0o640);
  symlinkSync(dotfiles, home.file);
  const kept = connectStatusLine(home).at(-1);
  expect(kept?.code).toBe('plugin.previousKept');
  expect(readFileSync(String(kept?.values?.path), 'utf8')).toBe(before);
  expect(lstatSync(home.file).isSymbolicLink()).toBe(true);
  expect(disconnectPreview(home)).toEqual([
    message('plugin.changedFile', { path: home.file }),
    message('plugin.lineRemoved', { line: expect.stringMatching(/^"command": "set --/) }),
    message('plugin.lineAdded', { line: expect.stringMatching(/^"command": "printf/) }),
  ]);
  disconnectStatusLine(home);
  expect([readFileSync(dotfiles, 'utf8'), statSync(dotfiles).mode & 0o777]).toEqual([
    before,
    0o640,
  ]);
});
