/**
 * The application as it is packed for users: packed once, then started by its own program on a
 * desktop of its own. Its fuses keep Playwright out of the main process (`--inspect` is off), so
 * its pages are driven as any Chromium is, and the rest over the tray and the screen.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, chromium, type Page } from 'playwright-core';
import { argumentsAsRoot } from '../../scripts/electron-runtime.ts';
import { connectWithRetry, type ElectronDesktop, endProcess, WINDOW } from './electron-bed.ts';
import { run } from './run.ts';
import { waitFor } from './wait-for.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface Package {
  program: string;
  resources: string;
  /** What was printed while it was made. */
  printed: string;
}

/** Of what the build has left in dist. */
export async function packApplication(output: string): Promise<Package> {
  const args = [join(ROOT, 'scripts/package.ts'), '--linux', 'dir', '--output', output];
  const printed = await run(process.execPath, args, { cwd: ROOT });
  const folder = join(output, 'linux-unpacked');
  return { program: join(folder, 'memory-keeper'), resources: join(folder, 'resources'), printed };
}

/** Waits for the window before, whose page is the one that connections hang on. */
async function connect(address: string): Promise<Browser> {
  const list = `${address.replace(/^ws:/, 'http:').replace(/\/devtools.*/, '')}/json/list`;
  await waitFor('the window to be there', async () => {
    const targets = (await (await fetch(list)).json()) as { url: string }[];
    return targets.some(({ url }) => url === WINDOW);
  });
  return connectWithRetry(async () => ({ connection: chromium.connectOverCDP(address) }));
}

export class PackagedApp {
  readonly #child: ChildProcess;
  readonly #browser: Browser;

  static async start(
    desktop: ElectronDesktop,
    program: string,
    env: NodeJS.ProcessEnv,
  ): Promise<PackagedApp> {
    const known = desktop.tray.count;
    const args = [...argumentsAsRoot(), '--remote-debugging-port=0'];
    const child = spawn(program, args, {
      env: desktop.environment(env),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const address = await new Promise<string>((resolve, reject) => {
      const lines = createInterface({ input: child.stderr });
      lines.on('line', (line) => {
        const [, found] = /^DevTools listening on (ws:\S+)/.exec(line) ?? [];
        if (found !== undefined) resolve(found);
      });
      child.once('exit', (code) => reject(new Error(`the application has ended with ${code}`)));
    });
    await waitFor('the item in the tray', () => desktop.tray.count > known);
    return new PackagedApp(child, await connect(address));
  }

  private constructor(child: ChildProcess, browser: Browser) {
    this.#child = child;
    this.#browser = browser;
  }

  window(): Promise<Page> {
    const pages = () => this.#browser.contexts().flatMap((context) => context.pages());
    return waitFor(
      () => `the window among ${pages().map((page) => page.url())}`,
      () => pages().find((page) => page.url() === WINDOW),
    );
  }

  async stop(): Promise<void> {
    await this.#browser.close().catch(() => undefined); // the application may be gone already
    await endProcess(this.#child);
  }
}
