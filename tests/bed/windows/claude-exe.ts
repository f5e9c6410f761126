/**
 * The real claude.exe on a machine of the Windows bed, each session in a console window of its own,
 * with a dummy key and a mock API on loopback. Keys come from the keyboard of the X display; Wine's
 * console shows control sequences as they are, so what a session has is seen at the mock.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliProcess } from '../cli-process.ts';
import type { MockApi } from '../mock-api.ts';
import { waitFor } from '../wait-for.ts';
import type { WindowsMachine } from './windows-machine.ts';

const DUMMY_KEY = 'sk-ant-dummy-test';
/** Between two keys. Claude Code takes letters that come faster for a paste. */
const KEY_DELAY_MS = '25';

export class ClaudeExe {
  readonly machine: WindowsMachine;
  readonly api: MockApi;
  readonly version: string;
  readonly program: string;

  constructor(machine: WindowsMachine, api: MockApi, version: string) {
    this.machine = machine;
    this.api = api;
    this.version = version;
    const folder = join(
      machine.bed.claude(version),
      'node_modules/@anthropic-ai/claude-code-win32-x64',
    );
    this.program = machine.windows(join(folder, 'claude.exe'));
    this.trust(machine.project);
  }

  /** Past the onboarding, and the project trusted. To be called before the first session. */
  trust(project: string): void {
    const path = join(this.machine.home, '.claude.json');
    const state = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { projects: {} };
    const windows = this.machine.windows(project);
    const trusted = { hasTrustDialogAccepted: true };
    const names = { [windows]: trusted, [windows.replaceAll('\\', '/')]: trusted };
    const known = {
      hasCompletedOnboarding: true,
      theme: 'dark',
      customApiKeyResponses: { approved: [DUMMY_KEY.slice(-20)], rejected: [] },
    };
    writeFileSync(path, JSON.stringify({ ...known, projects: { ...state.projects, ...names } }));
  }

  get env(): Record<string, string> {
    const folders = [this.program, this.machine.node].map((path) =>
      path.slice(0, path.lastIndexOf('\\')),
    );
    return {
      PATH: [...folders, 'C:\\windows\\system32', 'C:\\windows'].join(';'),
      ANTHROPIC_BASE_URL: this.api.url,
      ANTHROPIC_API_KEY: DUMMY_KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS: '60000',
      IS_SANDBOX: '1',
    };
  }

  /** Opens a console window with a session in it. One at a time: it is known by being new. */
  async open(
    options: { args?: string[]; env?: Record<string, string>; project?: string } = {},
  ): Promise<ConsoleSession> {
    const { machine } = this;
    const { args = [], env = {}, project = machine.project } = options;
    const folder = join(machine.places.claude, 'sessions');
    mkdirSync(folder, { recursive: true });
    const pids = () => readdirSync(folder).flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? []);
    const [before, windows] = [pids(), await machine.windowIds()];
    const words = [this.program, '--model', 'claude-sonnet-4-5', '--permission-mode', 'default'];
    const { code, stderr } = await machine.run('start.exe', [...words, ...args], {
      cwd: project,
      env: { ...this.env, ...env },
    });
    if (code !== 0) throw new Error(`claude.exe was not started: ${stderr}`);
    const pid = await waitFor('claude.exe', () => pids().find((name) => !before.includes(name)));
    const window = await waitFor('its window', async () =>
      (await machine.windowIds()).find((id) => !windows.includes(id)),
    );
    const session = new ConsoleSession(machine, Number(pid), window);
    await session.waitForState('idle');
    return session;
  }
}

export class ConsoleSession extends CliProcess {
  readonly window: string;
  readonly #machine: WindowsMachine;

  constructor(machine: WindowsMachine, pid: number, window: string) {
    super(pid, machine.places.claude);
    this.#machine = machine;
    this.window = window;
  }

  /** Gives the keyboard to its window, as a click does. */
  async focus(): Promise<void> {
    await this.#machine.xdotool('windowactivate', '--sync', this.window);
  }

  async type(text: string): Promise<void> {
    await this.focus();
    await this.#machine.xdotool('type', '--delay', KEY_DELAY_MS, text);
  }

  async press(...keys: string[]): Promise<void> {
    await this.focus();
    await this.#machine.xdotool('key', '--delay', KEY_DELAY_MS, ...keys);
  }

  /** Types a prompt and sends it. An Enter that follows too fast would belong to a paste. */
  async say(text: string): Promise<void> {
    await this.type(text);
    await new Promise((rest) => setTimeout(rest, 500));
    await this.press('Return');
  }

  /** Says something and waits until the reply is there. */
  async turn(api: MockApi, text: string): Promise<void> {
    const before = api.requests.length;
    await this.say(text);
    await waitFor('the prompt at the mock', () => api.requests.length > before);
    await this.waitForState('idle');
  }

  /** Ends the process by force. */
  async kill(): Promise<void> {
    await this.#machine.run('taskkill.exe', ['/f', '/pid', String(this.pid)]);
  }
}

/** What was typed, of each request of a conversation: the last text in it. */
export function promptsAt(api: MockApi): string[] {
  return api.requests.flatMap(({ body: { messages } }) => {
    const content = messages.findLast(({ role }) => role === 'user')?.content ?? '';
    const texts = typeof content === 'string' ? [content] : content.map(({ text = '' }) => text);
    return texts.at(-1) ?? [];
  });
}
