/**
 * The application as a user has it, in either of its two hosts, and its page to be driven: the
 * built `memory-keeper serve` with a real Chromium, or a real Electron. One test body runs in both.
 * Whatever leaves loopback is refused and remembered.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { ElectronDesktop } from './electron-bed.ts';
import { CLI } from './memory-keeper.ts';
import { waitFor } from './wait-for.ts';

export const HOSTS = ['browser', 'electron'] as const;
export type HostKind = (typeof HOSTS)[number];

export interface OpenApp {
  readonly kind: HostKind;
  readonly page: Page;
  /** Addresses off this machine that the page asked for: always empty. */
  readonly strayRequests: string[];
  /** Dialogs that a script opened, and errors that nobody caught. */
  readonly surprises: string[];
  /** Does what asks for a file, or for a folder, and chooses this one there. */
  choose(path: string, ask: () => Promise<void>): Promise<void>;
  /** Does what gives a file away, and lets it be saved in this folder; gives back its name. */
  saveIn(folder: string, ask: () => Promise<void>): Promise<string>;
  stop(): Promise<void>;
}

/** Paths of the programs. */
export interface AppPieces {
  chromium: string;
  electron: string;
}

export function openApp(
  kind: HostKind,
  env: NodeJS.ProcessEnv,
  pieces: AppPieces,
): Promise<OpenApp> {
  return kind === 'electron'
    ? openInElectron(env, pieces.electron)
    : openInBrowser(env, pieces.chromium);
}

/**
 * Of one look at the page. It only ends what hangs: the product itself gives `claude` a minute for
 * each command.
 */
const PATIENCE_MS = 90_000;
const SIZE = { width: 1080, height: 720 };
/**
 * As root there is no sandbox; and nothing is asked of the network, which a test bed may not have.
 */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A running `memory-keeper serve`, and the address that it told. */
export class Served {
  readonly address: string;
  readonly #child: ChildProcess;

  static async start(env: NodeJS.ProcessEnv, ...args: string[]): Promise<Served> {
    const child = spawn(process.execPath, [CLI, 'serve', ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let told = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (told += text));
    const address = await waitFor(
      () => `the address of serve, which said: ${told}`,
      () => {
        if (child.exitCode !== null) throw new Error(`serve ended: ${told}`);
        return /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(told)?.[0];
      },
    );
    return new Served(child, address);
  }

  private constructor(child: ChildProcess, address: string) {
    this.#child = child;
    this.address = address;
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGINT');
    await ended;
  }
}

export async function openInBrowser(
  env: NodeJS.ProcessEnv,
  executablePath: string,
): Promise<OpenApp> {
  const served = await Served.start(env);
  const profile = mkdtempSync(join(tmpdir(), 'memory-keeper-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: FLAGS,
    viewport: SIZE,
    locale: 'en-US',
  });
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(PATIENCE_MS);
  const watched = watchPage(context, page);
  await page.goto(served.address);
  return {
    kind: 'browser',
    page,
    ...watched,
    async choose(path, ask) {
      const asked = page.waitForEvent('filechooser');
      await ask();
      await (await asked).setFiles(path);
    },
    async saveIn(folder, ask) {
      const given = page.waitForEvent('download');
      await ask();
      const download = await given;
      await download.saveAs(join(folder, download.suggestedFilename()));
      return download.suggestedFilename();
    },
    async stop() {
      await context.close();
      await served.stop();
      rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

async function openInElectron(env: NodeJS.ProcessEnv, binary: string): Promise<OpenApp> {
  const desktop = await ElectronDesktop.start(binary);
  const bed = await desktop.open(env);
  const page = await bed.window();
  page.setDefaultTimeout(PATIENCE_MS);
  return {
    kind: 'electron',
    page,
    ...watchPage(bed.app.context(), page),
    async choose(path, ask) {
      await bed.evaluate(({ dialog }, chosen) => {
        dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] });
      }, path);
      await ask();
    },
    async saveIn(folder, ask) {
      await bed.evaluate(({ dialog }, wanted) => {
        dialog.showSaveDialog = (async (
          _window: unknown,
          { defaultPath = '' }: { defaultPath?: string },
        ) => {
          const name = defaultPath.slice(defaultPath.lastIndexOf('/') + 1);
          return { canceled: false, filePath: `${wanted}/${name}` };
        }) as unknown as typeof dialog.showSaveDialog;
      }, folder);
      await ask();
      return waitFor('the saved file', () =>
        readdirSync(folder).find((name) => name.endsWith('.zip')),
      );
    },
    async stop() {
      await bed.stop();
      await desktop.remove();
    },
  };
}

function watchPage(
  context: BrowserContext,
  page: Page,
): Pick<OpenApp, 'strayRequests' | 'surprises'> {
  const strayRequests: string[] = [];
  const surprises: string[] = [];
  context.on('request', (request) => {
    if (!isHere(request.url())) strayRequests.push(request.url());
  });
  page.on('dialog', (dialog) => {
    surprises.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => surprises.push(`an error: ${error.message}`));
  return { strayRequests, surprises };
}

/** Of the host itself, or made by the page. */
function isHere(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return (
    ['data:', 'blob:', 'file:', 'devtools:', 'app:', 'memory-keeper:'].includes(protocol) ||
    hostname === '127.0.0.1'
  );
}
