/**
 * Keeps a status report up to date. A file watcher shows changes at once; a full check once a
 * second notices ended processes and what the watcher missed.
 */
import { existsSync } from 'node:fs';
import { type FSWatcher, watch as watchFiles } from 'chokidar';
import { messageOf } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import type { Places } from '../../platform/store/places.ts';
import { reportsFolder } from '../context/reported.ts';
import type { StatusReport, StatusTracker } from './status-tracker.ts';

const LOOK_EVERY_MS = 1000;

export class StatusWatch {
  readonly #tracker: StatusTracker;
  readonly #onReport: (report: StatusReport) => void;
  readonly #folders: string[];
  readonly #lookEveryMs: number;
  readonly #files: FSWatcher = watchFiles([], { ignoreInitial: true, atomic: false, depth: 0 });
  #watched = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #lastReport: StatusReport = { sessions: [], problems: [] };
  #lastText = '';
  #closed = false;

  constructor(
    tracker: StatusTracker,
    places: Places,
    onReport: (report: StatusReport) => void,
    lookEveryMs = LOOK_EVERY_MS,
  ) {
    this.#tracker = tracker;
    this.#lookEveryMs = lookEveryMs;
    this.#onReport = onReport;
    this.#folders = [tracker.finder.registry.folder, reportsFolder(places.home)];
    this.#files.on('all', () => void this.#look());
    // chokidar swallows what follows within 50 ms of a change; the bare event it passes on each
    // time.
    this.#files.on('raw', () => void this.#look());
    this.#files.on('unlink', (path) => this.#watched.delete(path)); // watched again when it is back
    this.#files.on('unlinkDir', (path) => this.#watched.delete(path));
    this.#files.on('error', () => undefined); // out of watches, or no permission: the look every second goes on
  }

  /** Resolves once the first report has been given. */
  async start(): Promise<this> {
    await this.#look();
    this.#timer = setInterval(() => void this.#look(), this.#lookEveryMs);
    return this;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#files.close();
    await this.#looking;
  }

  /** One look at a time; what happens meanwhile leads to one more. */
  #look(): Promise<void> {
    this.#lookAgain = true;
    this.#looking ??= this.#lookUntilQuiet();
    return this.#looking;
  }

  async #lookUntilQuiet(): Promise<void> {
    while (this.#lookAgain && !this.#closed) {
      this.#lookAgain = false;
      const report = await this.#tracker.look().catch((error: Error) => this.#stale(error));
      this.#watchFilesOf(report);
      if (!this.#closed) this.#tell(report);
    }
    this.#looking = undefined;
  }

  #tell(report: StatusReport): void {
    const text = JSON.stringify(report);
    if (text === this.#lastText) return;
    this.#lastReport = report;
    this.#lastText = text;
    this.#onReport(report);
  }

  /** Whatever goes wrong (too many open files, say), the user sees it and the watch goes on. */
  #stale(error: Error): StatusReport {
    return {
      sessions: this.#lastReport.sessions,
      problems: [message('sessions.notUpToDate', { reason: messageOf(error) })],
    };
  }

  /**
   * Only what exists: for what does not, chokidar would watch the folder above, which may be a
   * whole project.
   */
  #watchFilesOf(report: StatusReport): void {
    const transcripts = report.sessions.flatMap(({ transcript }) => transcript ?? []);
    const wanted = new Set([...this.#folders, ...transcripts]);
    for (const path of this.#watched) if (!wanted.has(path)) this.#unwatch(path);
    for (const path of wanted) {
      if (this.#closed || this.#watched.has(path) || !existsSync(path)) continue;
      this.#files.add(path);
      this.#watched.add(path);
    }
  }

  #unwatch(path: string): void {
    this.#files.unwatch(path);
    this.#watched.delete(path);
  }
}
