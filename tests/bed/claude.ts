/**
 * Drives the real Claude Code CLI in a real tmux, with a home of its own, a dummy key, a clean
 * environment and a mock API on loopback: it can see no login and reach no network.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Places } from '../../core/platform/store/places.ts';
import { CliProcess } from './cli-process.ts';
import { CLI } from './memory-keeper.ts';
import type { MockApi } from './mock-api.ts';
import { run } from './run.ts';
import { waitFor } from './wait-for.ts';

const DUMMY_KEY = 'sk-ant-dummy-test';

export interface ClaudeOptions {
  api: MockApi;
  model: string;
  args?: string[];
  env?: Record<string, string>;
  /** Another version than the bed's own. */
  binary?: string;
  /** Another project than the bed's own. */
  project?: string;
}

/** A throw-away home with a project in it, trusted and past the onboarding. */
export class ClaudeBed {
  readonly root = mkdtempSync(join(tmpdir(), 'memory-keeper-bed-'));
  readonly home = join(this.root, 'home');
  readonly configDir = join(this.home, '.claude');
  readonly project = join(this.root, 'project');
  readonly places: Places = { claude: this.configDir, home: join(this.configDir, 'memory-keeper') };
  readonly binary: string;
  readonly #sessions: ClaudeSession[] = [];
  #started = 0;

  constructor(binary: string) {
    this.binary = binary;
    mkdirSync(this.configDir, { recursive: true });
    mkdirSync(this.project);
    const state = {
      hasCompletedOnboarding: true,
      theme: 'dark',
      customApiKeyResponses: { approved: [DUMMY_KEY.slice(-20)], rejected: [] },
      projects: { [this.project]: { hasTrustDialogAccepted: true } },
    };
    writeFileSync(join(this.home, '.claude.json'), JSON.stringify(state));
  }

  /** One more project, before the first session starts: from then on the file is the CLI's. */
  addProject(name: string): string {
    const project = join(this.root, name);
    mkdirSync(project);
    const path = join(this.home, '.claude.json');
    const state = JSON.parse(readFileSync(path, 'utf8'));
    state.projects[project] = { hasTrustDialogAccepted: true };
    writeFileSync(path, JSON.stringify(state));
    return project;
  }

  environment(api: MockApi): Record<string, string> {
    return {
      HOME: this.home,
      PATH: `${dirname(this.binary)}:${process.env.PATH ?? '/usr/bin:/bin'}`,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      ANTHROPIC_BASE_URL: api.url,
      ANTHROPIC_API_KEY: DUMMY_KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1', // by git, from the network
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS: '60000', // it gives them 1.5 s, which a busy machine exceeds
      IS_SANDBOX: '1',
    };
  }

  /** Starts the CLI, in a pane of tmux. */
  commandLine(options: ClaudeOptions): string[] {
    const environment = { ...this.environment(options.api), ...options.env };
    const assignments = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    // The CLI knows its pane, as every program in tmux does.
    const inPane = ['sh', '-c', 'exec env -i TMUX="$TMUX" TMUX_PANE="$TMUX_PANE" "$@"', 'sh'];
    // Newer models begin in a mode whose safety check asks a server that a mock does not have.
    const args = [
      '--model',
      options.model,
      '--permission-mode',
      'default',
      ...(options.args ?? []),
    ];
    return [...inPane, ...assignments, options.binary ?? this.binary, ...args];
  }

  async start(options: ClaudeOptions): Promise<ClaudeSession> {
    const socket = join(this.root, `tmux-${this.#started++}.sock`);
    const terminal = [
      '-f',
      '/dev/null',
      'new-session',
      '-d',
      '-x',
      '120',
      '-y',
      '40',
      '-c',
      options.project ?? this.project,
    ];
    await run('tmux', ['-S', socket, ...terminal, ...this.commandLine(options)]);
    return this.attach(socket);
  }

  /** Runs a line as a person's shell would, which starts the CLI with this session. */
  async startCommand(api: MockApi, line: string, sessionId: string): Promise<ClaudeSession> {
    const socket = join(this.root, `tmux-${this.#started++}.sock`);
    const environment = { ...this.environment(api), ANTHROPIC_MODEL: 'claude-sonnet-4-5' };
    const assignments = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    const size = ['-x', '120', '-y', '40', '-c', this.project];
    const shell = ['env', '-i', ...assignments, 'sh', '-c', line];
    await run('tmux', ['-S', socket, '-f', '/dev/null', 'new-session', '-d', ...size, ...shell]);
    const session = new ClaudeSession(socket, this.configDir);
    this.#sessions.push(session);
    await session.attachTo(sessionId);
    return session;
  }

  /** A CLI that was started in this pane, or in the only one. */
  async attach(socket: string, pane?: string): Promise<ClaudeSession> {
    const session = new ClaudeSession(socket, this.configDir, pane);
    this.#sessions.push(session);
    await session.attach();
    return session;
  }

  /** Runs a command of Memory Keeper for this home; gives back what it printed. */
  memoryKeeper(api: MockApi, ...args: string[]): Promise<string> {
    return run(process.execPath, [CLI, ...args], { env: this.environment(api) });
  }

  async remove(): Promise<void> {
    for (const session of this.#sessions) await session.stop();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** One running CLI: what it shows, what it is told, what it says of itself. */
export class ClaudeSession extends CliProcess {
  readonly socket: string;
  /** As tmux is told it. */
  readonly #target: string[];

  constructor(socket: string, configDir: string, pane?: string) {
    super(0, configDir);
    this.socket = socket;
    this.#target = pane === undefined ? [] : ['-t', pane];
  }

  async attach(): Promise<void> {
    // `env` execs the CLI, so the pane's process is the CLI itself.
    this.pid = Number(await this.#tmux('display-message', '-p', ...this.#target, '#{pane_pid}'));
    await this.waitForState('idle');
    await this.waitForScreen(/❯/);
  }

  /** A program of the pane has started it. */
  async attachTo(sessionId: string): Promise<void> {
    this.pid = await this.pidOf(sessionId);
    await this.waitForState('idle');
    await this.waitForScreen(/❯/);
  }

  async type(text: string): Promise<void> {
    await this.#tmux('send-keys', ...this.#target, '-l', text);
  }

  async press(key: string): Promise<void> {
    await this.#tmux('send-keys', ...this.#target, key);
  }

  /**
   * Types a line and sends it, as a person would: the Enter only once the text stands in the box.
   */
  async say(text: string): Promise<void> {
    await this.type(text);
    await this.waitForScreen(text.slice(0, 60));
    await this.press('Enter');
  }

  async screen(): Promise<string> {
    return this.#tmux('capture-pane', '-p', ...this.#target);
  }

  async waitForScreen(wanted: string | RegExp): Promise<string> {
    let screen = '';
    const look = async () => {
      screen = await this.screen();
      return (typeof wanted === 'string' ? screen.includes(wanted) : wanted.test(screen)) && screen;
    };
    return waitFor(() => `${wanted} on the screen, which shows:\n${screen}`, look);
  }

  /** Types /clear and waits for the new session. */
  async clear(): Promise<void> {
    const before = await this.waitForState('idle');
    await this.say('/clear');
    await this.waitForSessionAfter(before);
  }

  async stop(): Promise<void> {
    await this.#tmux('kill-server').catch(() => undefined); // already gone when the test killed the CLI itself
    await this.ended(); // it writes files until then
  }

  async ended(): Promise<void> {
    await waitFor('the CLI to end', () => !existsSync(`/proc/${this.pid}`));
  }

  async #tmux(...args: string[]): Promise<string> {
    return (await run('tmux', ['-u', '-S', this.socket, ...args])).trimEnd();
  }
}
