/**
 * Newer versions (G7): looked for soon after the start and then once a day, at the address that the
 * package was made with. Where it was made with none, nothing is asked and not even the library is
 * loaded. What is there is told; it is fetched only after a yes and takes the place of this one
 * when the application ends. Why the address is no setting: docs/decisions/0015-packages.md.
 */
import { existsSync } from 'node:fs';

/** What is used of electron-updater. */
export interface Updater {
  autoDownload: boolean;
  logger: unknown;
  checkForUpdates(): Promise<{
    isUpdateAvailable: boolean;
    updateInfo: { version: string };
  } | null>;
  downloadUpdate(): Promise<unknown>;
}

export interface UpdatesOptions {
  /** electron-builder writes it into packages with an address. */
  feedFile: string;
  load(): Promise<Updater>;
  ask(version: string): Promise<boolean>;
  report(error: unknown): void;
}

/** When the window is there: a question must not lie behind it. */
const FIRST_MS = 5000;
const EVERY_MS = 24 * 60 * 60_000;

export class Updates {
  readonly #options: UpdatesOptions;
  #timer: NodeJS.Timeout | undefined;
  /** Not asked about twice, until the application starts anew. */
  #answered: string | undefined;

  constructor(options: UpdatesOptions) {
    this.#options = options;
  }

  /** As the setting says, now and whenever it changes. */
  follow(isWanted: boolean): void {
    if (isWanted === (this.#timer !== undefined)) return;
    this.stop();
    if (!isWanted || !existsSync(this.#options.feedFile)) return;
    this.#lookIn(FIRST_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #lookIn(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#lookIn(EVERY_MS);
      this.#look().catch((error) => this.#options.report(error));
    }, ms);
  }

  async #look(): Promise<void> {
    const updater = await this.#options.load();
    updater.autoDownload = false;
    updater.logger = null; // it would write to where nobody reads
    const found = await updater.checkForUpdates();
    if (found?.isUpdateAvailable !== true || found.updateInfo.version === this.#answered) return;
    this.#answered = found.updateInfo.version;
    if (await this.#options.ask(found.updateInfo.version)) await updater.downloadUpdate();
  }
}
