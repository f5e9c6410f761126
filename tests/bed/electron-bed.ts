/**
 * The built desktop application in a real Electron, on a desktop of its own: Xvfb with openbox, a
 * session bus, the panel's side of the tray. Pages are driven by Playwright; what a panel or a
 * person would do goes over the bus and xdotool.
 */
import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { argumentsAsRoot } from '../../scripts/electron-runtime.ts';
import { DbusNotifications } from './dbus-notifications.ts';
import { DbusSession } from './dbus-session.ts';
import { DbusTray } from './dbus-tray.ts';
import { DesktopBed } from './desktop-bed.ts';
import { processTree } from './process-use.ts';
import { waitFor } from './wait-for.ts';

/** The application as `npm start` starts it. */
const APPLICATION = join(import.meta.dirname, '../..');
export const WINDOW = 'app://memory-keeper/index.html';
const COUNTDOWN = 'app://memory-keeper/countdown/index.html';
/** For one attempt to connect, counted from when the application is up. */
const CONNECT_TIMEOUT_MS = 20_000;
const CONNECT_ATTEMPTS = 4;

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
    const home = env.HOME ?? this.desktop.root;
    mkdirSync(home, { recursive: true });
    const launch = async () => {
      const before = this.tray.count;
      const connection = _electron.launch({
        executablePath: this.binary,
        args: [...argumentsAsRoot(), APPLICATION, ...args],
        env: this.environment({ ...env, HOME: home }),
      });
      const item = waitFor('the item in the tray', () => this.tray.count > before);
      await Promise.race([item, connection.then(() => item)]); // a failed launch ends the wait
      return { connection, giveUp: () => this.#killApplication() };
    };
    return new ElectronBed(this, await connectWithRetry(launch));
  }

  async #killApplication(): Promise<void> {
    const pid = await this.tray.ownerPid();
    process.kill(pid, 'SIGKILL');
    await waitFor(`the end of ${pid}`, () => !isRunning(pid));
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
    return processTree(this.pid);
  }

  /** By the tray's menu, as a user does. */
  async quit(label = 'Quit'): Promise<void> {
    const exit = once(this.app.process(), 'exit');
    await this.tray.click(label);
    await exit;
  }

  stop(): Promise<void> {
    return endProcess(this.app.process());
  }

  get desktop(): DesktopBed {
    return this.#desktop.desktop;
  }
}

interface Attempt<T> {
  connection: Promise<T>;
  /** Makes room for the next attempt. */
  giveUp?: () => Promise<void>;
}

/**
 * Connects Playwright to an application that is up. One answer of a page that is just being made
 * can get lost, and Playwright then waits for it in vain: such an attempt is given up and made once
 * more.
 */
export async function connectWithRetry<T>(begin: () => Promise<Attempt<T>>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    const { connection, giveUp } = await begin();
    const connected = connection.then((value) => ({ value }));
    const late = sleep(CONNECT_TIMEOUT_MS, undefined, { ref: false });
    const outcome = await Promise.race([connected, late]);
    if (outcome !== undefined) return outcome.value;
    connected.catch(() => undefined); // nobody waits for it any more
    await giveUp?.();
    if (attempts === CONNECT_ATTEMPTS)
      throw new Error(`Playwright did not connect in ${attempts} attempts`);
  }
}

export function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}
