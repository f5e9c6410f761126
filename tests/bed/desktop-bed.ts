/**
 * A desktop: Xvfb with openbox, terminals in it that run the real CLI, and decoys that write down
 * each byte they get. Keys of the "user" and what is in the clipboard come from xdotool and xclip,
 * so that the judge shares nothing with what is judged.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { SessionFinder } from '../../core/claude/sessions/live-sessions.ts';
import type { ClearTarget, DeliveryTools } from '../../core/clear/delivery/driver.ts';
import { refusalNow } from '../../core/clear/delivery/refusal.ts';
import { saveBriefing } from '../../core/memory/restore/briefing-file.ts';
import { linuxProcessTable } from '../../core/platform/process/linux.ts';
import { runProgram } from '../../core/platform/process/run-program.ts';
import type { ClaudeBed } from './claude.ts';
import { CliProcess } from './cli-process.ts';
import type { MockApi } from './mock-api.ts';
import { run } from './run.ts';
import { waitFor } from './wait-for.ts';

const MODEL = 'claude-sonnet-4-5';
const TITLE = 'one of many';
const LOOKS_PER_SIZE = 15;

export const processes = linuxProcessTable();

export class DesktopBed {
  readonly root = mkdtempSync(join(tmpdir(), 'memory-keeper-desktop-'));
  readonly display: string;
  readonly env: NodeJS.ProcessEnv;
  /** All that the driver finds on its PATH; there is no xdotool in it. */
  readonly programs = join(this.root, 'programs');
  readonly #started: ChildProcess[];

  static async start(): Promise<DesktopBed> {
    const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x900x24'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    const pipe = server.stdio[3] as NodeJS.ReadableStream;
    const number = await new Promise<string>((resolve) =>
      createInterface({ input: pipe }).once('line', resolve),
    );
    const desktop = new DesktopBed(`:${number}`, server);
    desktop.#spawn('openbox', ['--config-file', '/dev/null']);
    await waitFor('the window manager', async () =>
      (await desktop.#xprop('_NET_SUPPORTING_WM_CHECK')).includes('window id'),
    );
    return desktop;
  }

  private constructor(display: string, server: ChildProcess) {
    this.display = display;
    this.env = { PATH: process.env.PATH, HOME: this.root, LANG: 'C.UTF-8', DISPLAY: display };
    this.#started = [server];
    mkdirSync(this.programs);
  }

  /** A terminal with the CLI in it, idle. */
  async openClaude(bed: ClaudeBed, api: MockApi, args: string[] = []): Promise<TerminalWithClaude> {
    const assignments = Object.entries({ ...bed.environment(api), DISPLAY: this.display }).map(
      ([name, value]) => `${name}=${value}`,
    );
    const cli = [bed.binary, '--model', MODEL, '--permission-mode', 'default', ...args];
    const { pid, window, shown } = await this.openTerminal(
      ['env', '-i', ...assignments, ...cli],
      bed.project,
    );
    const child = await waitFor(
      'the CLI',
      async () => Number((await runProgram('pgrep', ['-P', String(pid)])).stdout) || undefined,
    );
    const claude = new TerminalWithClaude(this, bed, { pid: child, terminal: pid, window }, shown);
    await claude.waitForState('idle');
    await claude.isShown('❯');
    return claude;
  }

  /** A terminal with the same title that keeps what it is given. */
  async openDecoy(): Promise<{ window: string; pid: number; bytes: () => string }> {
    const file = join(this.root, `decoy-${this.#started.length}`);
    const program = `stty raw -echo; printf '\\033[?1004l\\033[?2004h'; exec cat > ${file}`;
    const terminal = await this.openTerminal(['sh', '-c', program]);
    await waitFor('the decoy to listen', () => existsSync(file));
    return { ...terminal, bytes: () => readFileSync(file, 'latin1') };
  }

  /** With a record of all that was ever shown in it. */
  async openTerminal(
    command: string[],
    cwd = this.root,
  ): Promise<{ pid: number; window: string; shown: () => string }> {
    const log = join(this.root, `shown-${this.#started.length}`);
    // The CLI would rename the window, but the titles are to be equal.
    const options = [
      '-T',
      TITLE,
      '-xrm',
      'XTerm*allowTitleOps: false',
      '-u8',
      '-geometry',
      '100x30',
      '-l',
      '-lf',
      log,
    ];
    const terminal = this.#spawn('xterm', [...options, '-e', ...command], cwd);
    const pid = terminal.pid as number;
    const window = await waitFor('the window of the terminal', async () => {
      const { stdout } = await runProgram(
        'xdotool',
        ['search', '--onlyvisible', '--pid', String(pid)],
        { env: this.env },
      );
      return stdout.split('\n').find((line) => /^\d+$/.test(line));
    });
    return { pid, window, shown: () => (existsSync(log) ? readFileSync(log, 'utf8') : '') };
  }

  #spawn(program: string, args: string[], cwd = this.root): ChildProcess {
    const child = spawn(program, args, { env: this.env, cwd, stdio: 'ignore' });
    this.#started.push(child);
    return child;
  }

  async xdotool(...args: string[]): Promise<string> {
    return (await run('xdotool', args, { env: this.env })).trim();
  }

  async #xprop(name: string): Promise<string> {
    return (await runProgram('xprop', ['-root', name], { env: this.env })).stdout;
  }

  async focus(window: string): Promise<void> {
    await waitFor('the focus', async () => {
      await this.xdotool('windowactivate', window).catch(() => undefined);
      return (await this.activeWindow()) === window;
    });
  }

  async activeWindow(): Promise<string> {
    return this.xdotool('getactivewindow').catch(() => '');
  }

  async copy(
    selection: 'clipboard' | 'primary',
    content: string | Buffer,
    target = 'UTF8_STRING',
  ): Promise<void> {
    const file = join(this.root, 'copied');
    writeFileSync(file, content);
    // It stays as the owner in the background and ends with the display.
    await new Promise<void>((resolve, reject) => {
      const xclip = spawn('xclip', ['-i', '-selection', selection, '-t', target, file], {
        env: this.env,
        stdio: 'ignore',
      });
      xclip.on('error', reject).on('exit', () => resolve());
    });
    await waitFor('the copy', async () =>
      (await this.pasted(selection, target)).equals(Buffer.from(content)),
    );
  }

  async pasted(selection: 'clipboard' | 'primary', target = 'UTF8_STRING'): Promise<Buffer> {
    const args = ['-c', 'exec xclip -o -selection "$0" -t "$1" | base64', selection, target];
    const { stdout } = await runProgram('sh', args, { env: this.env });
    return Buffer.from(stdout, 'base64');
  }

  layout(name: string): Promise<string> {
    return run('setxkbmap', [name], { env: this.env });
  }

  /** A program of the system as the driver is to find it. */
  fake(program: string, script: string): void {
    writeFileSync(join(this.programs, program), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  unfake(program: string): void {
    rmSync(join(this.programs, program), { force: true });
  }

  tools(
    { places, home }: Pick<ClaudeBed, 'places' | 'home'>,
    beforeRefusal: (calls: number) => Promise<void> = async () => undefined,
  ): DeliveryTools {
    const env = { PATH: this.programs, HOME: home };
    const runHere: DeliveryTools['run'] = (file, args, options) =>
      runProgram(file, args, { ...options, env });
    const finder = new SessionFinder({ claudeFolder: places.claude, env, processes, run: runHere });
    let calls = 0;
    return {
      places,
      env,
      processes,
      run: runHere,
      async refusal(target) {
        await beforeRefusal(++calls);
        return refusalNow(finder, target);
      },
    };
  }

  remove(): void {
    for (const child of this.#started.reverse()) child.kill();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 10 });
  }
}

export class TerminalWithClaude extends CliProcess {
  /** The process whose window it is. */
  readonly terminal: number;
  readonly window: string;
  readonly #desktop: DesktopBed;
  readonly #bed: ClaudeBed;
  readonly #shown: () => string;

  constructor(
    desktop: DesktopBed,
    bed: ClaudeBed,
    ids: { pid: number; terminal: number; window: string },
    shown: () => string,
  ) {
    super(ids.pid, bed.configDir);
    this.#desktop = desktop;
    this.#bed = bed;
    this.terminal = ids.terminal;
    this.window = ids.window;
    this.#shown = shown;
  }

  async target(): Promise<ClearTarget> {
    const { sessionId } = await this.waitForState('idle');
    saveBriefing(this.#bed.places, sessionId, ''); // as the plugin does when a session begins; not all of these have it
    const processStart = (await processes.lookUp([this.pid])).get(this.pid)?.startTime ?? '';
    return { sessionId, pid: this.pid, processStart };
  }

  /** As a user would, and with the clipboard, which knows every script. */
  async type(text: string): Promise<void> {
    await this.#desktop.copy('primary', text);
    await this.press('shift+Insert');
  }

  /**
   * Blanks may have been drawn by moving the cursor. The terminal records what it got only when
   * more comes, so that now and then its size is changed, which makes the CLI draw anew.
   */
  async isShown(text: string): Promise<void> {
    const letters = (from: string) => stripVTControlCharacters(from).replace(/\s/g, '');
    let looks = 0;
    await waitFor(
      () => `"${text}" in the terminal, which showed ${letters(this.#shown()).slice(-2000)}`,
      async () => {
        if (++looks % LOOKS_PER_SIZE === 0)
          await this.#desktop.xdotool(
            'windowsize',
            this.window,
            String(700 + (looks % 100)),
            '450',
          );
        return letters(this.#shown()).includes(letters(text));
      },
    );
  }

  async press(key: string): Promise<void> {
    await this.#desktop.focus(this.window);
    await this.#desktop.xdotool('key', '--clearmodifiers', key);
  }
}
