/**
 * What should not have happened, in crash.log of our own folder, freed of secrets; it is sent to
 * nobody. After an error that nobody caught the application starts again, unless it has only just
 * started; a page that is gone is loaded again, unless it goes again and again.
 */
import { join } from 'node:path';
import { app, BrowserWindow, crashReporter, dialog, type WebContents } from 'electron';
import type { Places } from '../core/platform/store/places.ts';
import { logCrash } from '../core/usecases/host-files.ts';
import { ReloadLimit } from './reload-limit.ts';
import type { Say } from './texts.ts';

/** One that fails sooner than this would fail again. */
const WORTH_A_RESTART_MS = 60_000;

export class CrashReport {
  readonly path: string;
  readonly #say: () => Say;
  readonly #reloads = new ReloadLimit();

  constructor(places: Places, say: () => Say) {
    this.#say = say;
    this.path = join(places.home, 'crash.log');
    app.setPath('crashDumps', join(places.home, 'crash-dumps'));
    crashReporter.start({ uploadToServer: false });
    process.on('uncaughtException', (error) => this.end(error));
    process.on('unhandledRejection', (reason) => this.write('unhandled rejection', reason));
    app.on('render-process-gone', (_event, contents, { reason, exitCode }) => {
      if (reason === 'clean-exit') return;
      this.write('a page is gone', `${reason}, code ${exitCode}`);
      this.#bringBack(contents, reason);
    });
    app.on('child-process-gone', (_event, { type, name, reason, exitCode }) => {
      if (reason !== 'clean-exit')
        this.write('a process is gone', `${name ?? type}: ${reason}, code ${exitCode}`);
    });
  }

  /**
   * What was killed out of sight is loaded when it is wanted next: whoever killed it may need the
   * memory.
   */
  #bringBack(contents: WebContents, reason: string): void {
    if (contents.isDestroyed()) return;
    const isSeen = BrowserWindow.fromWebContents(contents)?.isVisible() === true;
    if (reason === 'killed' && !isSeen) return;
    // Within the event, a reload ends the whole application on Electron 42.
    if (this.#reloads.take()) setImmediate(() => contents.isDestroyed() || contents.reload());
    else if (isSeen) void this.#tellPageFails();
  }

  async #tellPageFails(): Promise<void> {
    const say = this.#say();
    await dialog.showMessageBox({
      type: 'error',
      message: say('pageFails'),
      detail: `${say('pageFailsHelp')}\n\n${this.path}`,
    });
  }

  write(what: string, error: unknown): void {
    const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const versions = `memory-keeper ${app.getVersion()}, electron ${process.versions.electron}, ${process.platform}`;
    logCrash(this.path, `${what} (${versions}): ${details}`);
  }

  end(error: Error): void {
    const say = this.#say();
    this.write('uncaught exception', error);
    const isWorthIt = process.uptime() * 1000 > WORTH_A_RESTART_MS;
    if (isWorthIt) app.relaunch();
    else dialog.showErrorBox(say('failedStart'), `${error.message}\n\n${this.path}`);
    app.exit(1);
  }
}
