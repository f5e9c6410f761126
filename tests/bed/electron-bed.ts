/**
 * The built desktop application in a real Electron, on a desktop of its own: Xvfb with openbox, a
 * session bus, the panel's side of the tray. Pages are driven by Playwright; what a panel or a
 * person would do goes over the bus and xdotool.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { argumentsAsRoot } from '../../scripts/electron-runtime.ts';
import { DbusNotifications } from './dbus-notifications.ts';
import { DbusSession } from './dbus-session.ts';
import { DbusTray } from './dbus-tray.ts';
import { DesktopBed } from './desktop-bed.ts';
import { waitFor } from './wait-for.ts';

/** The application as `npm start` starts it. */
const APPLICATION = join(import.meta.dirname, '../..');
const WINDOW = 'app://memory-keeper/index.html';
const COUNTDOWN = 'app://memory-keeper/countdown/index.html';

type DesktopParts = Pick<ElectronDesktop, 'desktop' | 'dbus' | 'tray' | 'notifications'>;

/** A desktop that outlives the applications on it. */
export class ElectronDesktop {
  readonly desktop: DesktopBed;
  readonly dbus: DbusSession;
  readonly tray: DbusTray;
  readonly notifications: DbusNotifications;
  readonly binary: string;

  static async start(binary: string): Promise<ElectronDesktop> {
    const desktop = await DesktopBed.start();
    const dbus = await DbusSession.start();
    const parts = {
      desktop,
      dbus,
      tray: await DbusTray.start(dbus),
      notifications: await DbusNotifications.start(dbus),
    };
    return new ElectronDesktop(binary, parts);
  }

  private constructor(binary: string, parts: DesktopParts) {
    this.binary = binary;
    this.desktop = parts.desktop;
    this.dbus = parts.dbus;
    this.tray = parts.tray;
    this.notifications = parts.notifications;
  }

  /** `env` says whose home it is. */
  environment(env: NodeJS.ProcessEnv): Record<string, string> {
    const all = {
      ...this.desktop.env,
      ...env,
      DISPLAY: this.desktop.display,
      DBUS_SESSION_BUS_ADDRESS: this.dbus.address,
    };
    return Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
  }

  async open(env: NodeJS.ProcessEnv = {}, ...args: string[]): Promise<ElectronBed> {
    const known = this.tray.count;
    const home = env.HOME ?? this.desktop.root;
    mkdirSync(home, { recursive: true });
    const app = await _electron.launch({
      executablePath: this.binary,
      args: [...argumentsAsRoot(), APPLICATION, ...args],
      env: this.environment({ ...env, HOME: home }),
    });
    await waitFor('the item in the tray', () => this.tray.count > known);
    return new ElectronBed(this, app);
  }

  /** Starts it once more, as a user does by another click; it ends at once and with this code. */
  startAgain(env: NodeJS.ProcessEnv = {}): Promise<number> {
    return new Promise((resolve) => {
      const options = { env: this.environment({ HOME: this.desktop.root, ...env }) };
      const child = execFile(this.binary, [...argumentsAsRoot(), APPLICATION], options);
      child.on('exit', (code) => resolve(code ?? -1));
    });
  }

  async remove(): Promise<void> {
    await this.dbus.stop();
    this.desktop.remove();
  }
}

export class ElectronBed {
  readonly app: ElectronApplication;
  readonly tray: DbusTray;
  readonly #desktop: ElectronDesktop;

  constructor(desktop: ElectronDesktop, app: ElectronApplication) {
    this.#desktop = desktop;
    this.app = app;
    this.tray = desktop.tray;
  }

  get pid(): number {
    return this.app.process().pid as number;
  }

  /**
   * In the main process. The inspector now and then loses a result to the garbage collector; then
   * it is asked again.
   */
  readonly evaluate = (async (...args: Parameters<ElectronApplication['evaluate']>) => {
    for (;;)
      try {
        return await this.app.evaluate(...args);
      } catch (error) {
        if (!(error as Error).message.includes('garbage collected')) throw error;
      }
  }) as ElectronApplication['evaluate'];

  /** The window's page. */
  window(): Promise<Page> {
    return this.#page(WINDOW);
  }

  countdown(): Promise<Page> {
    return this.#page(COUNTDOWN);
  }

  hasCountdown(): boolean {
    return this.app.windows().some((page) => page.url() === COUNTDOWN);
  }

  #page(address: string): Promise<Page> {
    return waitFor(
      () => `${address} among ${this.app.windows().map((page) => page.url())}`,
      () => this.app.windows().find((page) => page.url() === address),
    );
  }

  /** Whether a person sees the window, and whether it has the focus. */
  visible(): Promise<{ isVisible: boolean; isFocused: boolean }[]> {
    return this.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .filter((window) => window.getTitle() === 'Memory Keeper')
        .map((window) => ({ isVisible: window.isVisible(), isFocused: window.isFocused() })),
    );
  }

  async waitForWindow(wanted: 'shown' | 'hidden'): Promise<void> {
    await waitFor(`the window to be ${wanted}`, async () => {
      const windows = await this.visible();
      return windows.some(({ isVisible }) => isVisible) === (wanted === 'shown');
    });
  }

  /** All that it has started, and what those have, by their pids. */
  processes(): number[] {
    const parents = new Map(runningProcesses().map((pid) => [pid, parentOf(pid)]));
    const isOurs = (pid: number): boolean =>
      pid === this.pid || (parents.has(pid) && isOurs(parents.get(pid) ?? 0));
    return [...parents.keys()].filter(isOurs);
  }

  /** By the tray's menu, as a user does. */
  async quit(label = 'Quit'): Promise<void> {
    const exit = this.#exit();
    await this.tray.click(label);
    await exit;
  }

  async stop(): Promise<void> {
    const child = this.app.process();
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = this.#exit();
    child.kill('SIGTERM');
    await exit;
  }

  async #exit(): Promise<void> {
    const child = this.app.process();
    if (child.exitCode !== null || child.signalCode !== null) return;
    await once(child, 'exit');
  }

  get desktop(): DesktopBed {
    return this.#desktop.desktop;
  }
}

export function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

function runningProcesses(): number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

function parentOf(pid: number): number {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0; // it has ended since
  }
}
