/**
 * The real CLI in a real tmux, screen or kitty, beside a neighbour that writes down each byte it
 * gets. What the user types and sees goes through the terminal's own command line; what tmux wrote
 * to its panes stands in tmux's own log.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { SessionFinder } from '../../core/claude/sessions/live-sessions.ts';
import type { ClearTarget, DeliveryTools } from '../../core/clear/delivery/driver.ts';
import { refusalNow } from '../../core/clear/delivery/refusal.ts';
import { linuxProcessTable } from '../../core/platform/process/linux.ts';
import { runProgram } from '../../core/platform/process/run-program.ts';
import { ClaudeBed } from './claude.ts';
import { CliProcess } from './cli-process.ts';
import { MockApi } from './mock-api.ts';
import { run } from './run.ts';
import { waitFor } from './wait-for.ts';

const MODEL = 'claude-sonnet-4-5';

export const CTRL_S = '\x13';
const ENTER = '\r';
export const ESCAPE = '\x1b';
const BACKSPACE = '\x7f';
const DIALOG_CLOSES_MS = 1000;

const processes = linuxProcessTable();

/** How a user reaches the terminal. */
export interface Hands {
  send(keys: string): Promise<unknown>;
  screen(): Promise<string>;
}

export interface BedOptions {
  env?: Record<string, string>;
  args?: string[];
  isVim?: boolean;
}

export class TerminalBed {
  readonly api: MockApi;
  readonly claude: ClaudeBed;
  readonly tools: DeliveryTools;
  readonly #env: Record<string, string>;
  readonly #args: string[];
  readonly #endings: (() => Promise<unknown>)[] = [];
  readonly #sessions: TerminalSession[] = [];

  static async start(binary: string, options: BedOptions = {}): Promise<TerminalBed> {
    return new TerminalBed(binary, await MockApi.start(), options);
  }

  private constructor(
    binary: string,
    api: MockApi,
    { env = {}, args = [], isVim = false }: BedOptions,
  ) {
    this.api = api;
    this.claude = new ClaudeBed(binary);
    this.#env = env;
    this.#args = args;
    mkdirSync(this.claude.places.home, { recursive: true, mode: 0o700 });
    if (isVim) {
      const path = join(this.claude.home, '.claude.json');
      writeFileSync(
        path,
        JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), editorMode: 'vim' }),
      );
    }
    const finder = new SessionFinder({
      claudeFolder: this.claude.configDir,
      env: {},
      processes,
      run: runProgram,
    });
    this.tools = {
      places: this.claude.places,
      env: { PATH: process.env.PATH, HOME: this.claude.home },
      processes,
      run: runProgram,
      refusal: (target) => refusalNow(finder, target),
    };
  }

  /**
   * Calls `open` with a command line that starts the CLI with these variables of the terminal, and
   * waits for it.
   */
  async openClaude(
    kept: string[],
    open: (command: string[]) => Promise<Hands>,
  ): Promise<TerminalSession> {
    const assignments = Object.entries({ ...this.claude.environment(this.api), ...this.#env }).map(
      ([name, value]) => `${name}=${value}`,
    );
    const keep = kept.map((name) => `${name}="$${name}"`).join(' ');
    const known = this.#pids();
    const hands = await open([
      ...['sh', '-c', `env -i ${keep} "$@"; exit`, 'sh', ...assignments],
      ...[this.claude.binary, '--model', MODEL, '--permission-mode', 'default', ...this.#args],
    ]);
    const pid = await waitFor('the CLI', () =>
      this.#pids().find((other) => !known.includes(other)),
    );
    const session = new TerminalSession(pid, this.claude.configDir, hands);
    this.#sessions.push(session);
    await session.waitForState('idle');
    await session.waitForScreen(/❯|^o\u00a0/m);
    return session;
  }

  /** A program that writes down each byte it gets. */
  listener(): { command: string[]; bytes: () => string } {
    const file = join(this.claude.root, `heard-${this.#endings.length}-${Date.now()}`);
    return {
      command: ['sh', '-c', `stty raw -echo; exec cat > ${file}`],
      bytes: () => (existsSync(file) ? readFileSync(file, 'latin1') : ''),
    };
  }

  atEnd(ending: () => Promise<unknown>): void {
    this.#endings.unshift(ending);
  }

  async remove(): Promise<void> {
    for (const ending of this.#endings) await ending();
    for (const session of this.#sessions)
      await waitFor('the CLI to end', () => !existsSync(`/proc/${session.pid}`));
    await this.claude.remove();
    await this.api.stop();
  }

  #pids(): number[] {
    const folder = join(this.claude.configDir, 'sessions');
    return existsSync(folder) ? readdirSync(folder).map((name) => Number.parseInt(name, 10)) : [];
  }
}

/** A CLI in a terminal, as its user sees it. */
export class TerminalSession extends CliProcess {
  readonly #hands: Hands;

  constructor(pid: number, configDir: string, hands: Hands) {
    super(pid, configDir);
    this.#hands = hands;
  }

  send(keys: string): Promise<unknown> {
    return this.#hands.send(keys);
  }

  screen(): Promise<string> {
    return this.#hands.screen();
  }

  async waitForScreen(wanted: string | RegExp): Promise<void> {
    let screen = '';
    await waitFor(
      () => `${wanted} on the screen, which shows:\n${screen}`,
      async () => {
        screen = await this.screen();
        return typeof wanted === 'string' ? screen.includes(wanted) : wanted.test(screen);
      },
    );
  }

  /** Types text and waits until it stands there, as a person would. */
  async write(text: string, shown = text): Promise<void> {
    await this.send(text);
    await this.waitForScreen(shown);
  }

  async say(text: string): Promise<void> {
    await this.write(text);
    await this.send(ENTER);
  }

  async target(): Promise<ClearTarget> {
    const { sessionId } = await waitFor('the registry', () => this.registry());
    const process = (await processes.lookUp([this.pid])).get(this.pid);
    return { sessionId, pid: this.pid, processStart: process?.startTime ?? '' };
  }

  /**
   * Claude Code passes over keys that come right after a dialog has opened; and two Escapes in a
   * row would open another.
   */
  async closeDialog(): Promise<void> {
    await waitFor('the dialog to close', async () => {
      await this.send(ESCAPE);
      await sleep(DIALOG_CLOSES_MS);
      return this.registry()?.status !== 'waiting';
    });
    await this.waitForState('idle');
  }

  /** Empties the box by hand. */
  async emptyBox(): Promise<void> {
    await waitFor('an empty box', async () => {
      if (/^─+\n❯\u00a0?\n─+$/m.test((await this.screen()).replaceAll(/ +$/gm, ''))) return true;
      await this.send(BACKSPACE.repeat(8));
      return false;
    });
  }
}

/**
 * A window of tmux with the neighbour on the left, and a log of each key that tmux wrote to a pane.
 */
export class TmuxWindow {
  readonly #bed: TerminalBed;
  readonly #socket: string;
  readonly heard: () => string;

  static async open(bed: TerminalBed): Promise<TmuxWindow> {
    const neighbour = bed.listener();
    const window = new TmuxWindow(bed, neighbour.bytes);
    const options = ['-vv', '-u', '-S', window.#socket, '-f', '/dev/null'];
    await run(
      'tmux',
      [
        ...options,
        'new-session',
        '-d',
        '-s',
        'work',
        '-x',
        '220',
        '-y',
        '40',
        ...neighbour.command,
      ],
      {
        cwd: bed.claude.root,
      },
    );
    bed.atEnd(() => window.tmux('kill-server').catch(() => undefined));
    return window;
  }

  private constructor(bed: TerminalBed, heard: () => string) {
    this.#bed = bed;
    this.#socket = join(bed.claude.root, 'tmux.sock');
    this.heard = heard;
  }

  async openClaude(): Promise<TerminalSession & { pane: string }> {
    let pane = '';
    const session = await this.#bed.openClaude(['TMUX', 'TMUX_PANE'], async (command) => {
      const place = ['-h', '-t', 'work', '-c', this.#bed.claude.project];
      pane = (
        await this.tmux('split-window', '-P', '-F', '#{pane_id}', ...place, ...command)
      ).trim();
      return {
        send: (keys) => this.tmux('send-keys', '-t', pane, '-l', keys),
        screen: () => this.tmux('capture-pane', '-p', '-t', pane),
      };
    });
    return Object.assign(session, { pane });
  }

  tmux(...args: string[]): Promise<string> {
    return run('tmux', ['-u', '-S', this.#socket, ...args]);
  }

  /** Each key that tmux wrote so far, and to which pane. */
  keys(): string[] {
    const log =
      readdirSync(this.#bed.claude.root).find((name) => name.startsWith('tmux-server-')) ?? '';
    const lines = readFileSync(join(this.#bed.claude.root, log), 'utf8');
    return lines.match(/writing key .*/g) ?? [];
  }
}

/** Window 0 is the neighbour. */
export class ScreenServer {
  readonly #bed: TerminalBed;
  readonly #env: NodeJS.ProcessEnv;
  readonly heard: () => string;

  static async open(bed: TerminalBed): Promise<ScreenServer> {
    const neighbour = bed.listener();
    const server = new ScreenServer(bed, neighbour.bytes);
    mkdirSync(server.#env.SCREENDIR as string, { mode: 0o700 });
    await run('screen', ['-U', '-c', '/dev/null', '-S', 'work', '-d', '-m', ...neighbour.command], {
      env: server.#env,
    });
    bed.atEnd(() => server.screen('-X', 'quit').catch(() => undefined));
    await waitFor('screen', () => server.screen('-p', '0', '-Q', 'info').catch(() => undefined));
    return server;
  }

  private constructor(bed: TerminalBed, heard: () => string) {
    this.#bed = bed;
    const { claude } = bed;
    this.#env = {
      PATH: process.env.PATH,
      HOME: claude.home,
      LANG: 'C.UTF-8',
      SCREENDIR: join(claude.root, 'screens'),
    };
    this.heard = heard;
  }

  openClaude(number = 1): Promise<TerminalSession> {
    const window = ['-p', String(number)];
    return this.#bed.openClaude(['STY', 'WINDOW', 'SCREENDIR'], async (command) => {
      await this.screen('-X', 'chdir', this.#bed.claude.project);
      // screen would expand `$` and quotes in its arguments.
      const script = join(this.#bed.claude.root, 'start.sh');
      writeFileSync(
        script,
        command.map((word) => `'${word.replaceAll("'", String.raw`'\\''`)}'`).join(' '),
      );
      await this.screen('-X', 'screen', String(number), 'sh', script);
      const copy = join(this.#bed.claude.root, 'hardcopy');
      return {
        send: (keys) => this.screen(...window, '-X', 'stuff', keys.replaceAll(/[\\^$]/g, '\\$&')),
        screen: async () => {
          await this.screen(...window, '-X', 'hardcopy', copy);
          await this.screen(...window, '-Q', 'info'); // the file is written by then
          return readFileSync(copy, 'latin1')
            .replaceAll('\0', '─')
            .replaceAll(/^o(?=\u00a0)/gm, '❯');
        },
      };
    });
  }

  screen(...args: string[]): Promise<string> {
    return run('screen', ['-S', 'work', ...args], { env: this.#env });
  }
}

/** kitty under Xvfb with the neighbour in its first window. */
export class KittyWindow {
  readonly #bed: TerminalBed;
  readonly #address: string;
  readonly heard: () => string;

  static async open(bed: TerminalBed): Promise<KittyWindow> {
    const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1000x24'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    const pipe = server.stdio[3] as NodeJS.ReadableStream;
    const number = await new Promise<string>((resolve) =>
      createInterface({ input: pipe }).once('line', resolve),
    );
    bed.atEnd(() => ended(server));
    const neighbour = bed.listener();
    const window = new KittyWindow(bed, neighbour.bytes);
    const env = {
      PATH: process.env.PATH,
      HOME: bed.claude.home,
      LANG: 'C.UTF-8',
      DISPLAY: `:${number}`,
      LIBGL_ALWAYS_SOFTWARE: '1',
    };
    const size = [
      '-o',
      'remember_window_size=no',
      '-o',
      'initial_window_width=1500',
      '-o',
      'initial_window_height=900',
    ];
    const control = ['-o', 'allow_remote_control=socket-only', '--listen-on', window.#address];
    const kitty = spawn('kitty', ['--config', 'NONE', ...size, ...control, ...neighbour.command], {
      env,
      stdio: 'ignore',
    });
    bed.atEnd(() => ended(kitty));
    await waitFor('kitty', () => window.kitty('ls').catch(() => undefined));
    return window;
  }

  private constructor(bed: TerminalBed, heard: () => string) {
    this.#bed = bed;
    this.#address = `unix:${join(bed.claude.root, 'kitty.sock')}`;
    this.heard = heard;
  }

  openClaude(): Promise<TerminalSession> {
    return this.#bed.openClaude(['KITTY_LISTEN_ON', 'KITTY_WINDOW_ID'], async (command) => {
      const id = (
        await this.kitty(
          'launch',
          '--type',
          'window',
          '--cwd',
          this.#bed.claude.project,
          ...command,
        )
      ).trim();
      return {
        send: (keys) => this.kitty('send-text', '--match', `id:${id}`, escaped(keys)),
        screen: () => this.kitty('get-text', '--match', `id:${id}`),
      };
    });
  }

  kitty(...args: string[]): Promise<string> {
    return run('kitty', ['@', '--to', this.#address, ...args], {
      env: { PATH: process.env.PATH, HOME: this.#bed.claude.home },
    });
  }
}

/** Control characters as Python writes them: kitty takes a plain carriage return for a newline. */
function escaped(keys: string): string {
  return [...keys]
    .map((key) =>
      key < ' ' || key === BACKSPACE
        ? `\\x${key.charCodeAt(0).toString(16).padStart(2, '0')}`
        : key,
    )
    .join('');
}

async function ended(child: ChildProcess): Promise<void> {
  child.kill();
  await waitFor('it to end', () => child.exitCode !== null || child.signalCode !== null);
}
