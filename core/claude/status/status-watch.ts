/** Keeps a status report up to date: at once by a file watcher, and by polling once a second. */
import { existsSync } from 'node:fs';
import { type FSWatcher, watch as watchFiles } from 'chokidar';
import { messageOf } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import type { Places } from '../../platform/store/places.ts';
import { reportsFolder } from '../context/reported.ts';
import { keepingFolder } from './keeping-note-path.ts';
import type { StatusReport, StatusTracker } from './status-tracker.ts';

const POLL_INTERVAL_MS = 1000;

export class StatusWatch {
  readonly #tracker: StatusTracker;
  readonly #onReport: (report: StatusReport) => void;
  readonly #folders: string[];
  readonly #pollIntervalMs: number;
  readonly #files: FSWatcher = watchFiles([], { ignoreInitial: true, atomic: false, depth: 0 });
  #watched = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #refreshing: Promise<void> | undefined;
  #isDirty = false;
  #lastReport: StatusReport = { sessions: [], problems: [] };
  #lastText = '';
  #closed = false;

  constructor(
    tracker: StatusTracker,
    places: Places,
    onReport: (report: StatusReport) => void,
    pollIntervalMs = POLL_INTERVAL_MS,
  ) {
    this.#tracker = tracker;
    this.#pollIntervalMs = pollIntervalMs;
    this.#onReport = onReport;
    this.#folders = [
      tracker.finder.registry.folder,
      reportsFolder(places.home),
      keepingFolder(places),
    ];
    this.#files.on('all', () => void this.#refresh());
    // chokidar drops events within 50 ms of a change, but passes on every raw one
    this.#files.on('raw', () => void this.#refresh());
    this.#files.on('unlink', (path) => this.#watched.delete(path)); // watched again when it is back
    this.#files.on('unlinkDir', (path) => this.#watched.delete(path));
    this.#files.on('error', () => undefined); // out of watches, or no permission: polling goes on
  }

  /** Resolves after the first report. */
  async start(): Promise<this> {
    await this.#refresh();
    this.#timer = setInterval(() => void this.#refresh(), this.#pollIntervalMs);
    return this;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#files.close();
    await this.#refreshing;
  }

  /** One refresh at a time; what happens meanwhile leads to one more. */
  #refresh(): Promise<void> {
    this.#isDirty = true;
    this.#refreshing ??= this.#refreshUntilQuiet();
    return this.#refreshing;
  }

  async #refreshUntilQuiet(): Promise<void> {
    while (this.#isDirty && !this.#closed) {
      this.#isDirty = false;
      const report = await this.#tracker.report().catch((error: Error) => this.#staleReport(error));
      this.#watchFilesOf(report);
      if (!this.#closed) this.#report(report);
    }
    this.#refreshing = undefined;
  }

  #report(report: StatusReport): void {
    const text = JSON.stringify(report);
    if (text === this.#lastText) return;
    this.#lastReport = report;
    this.#lastText = text;
    this.#onReport(report);
  }

  /** The user sees what went wrong (too many open files, say), and the watch goes on. */
  #staleReport(error: Error): StatusReport {
    return {
      sessions: this.#lastReport.sessions,
      problems: [message('sessions.notUpToDate', { reason: messageOf(error) })],
    };
  }

  /** For a missing file chokidar would watch the folder above, which may be a whole project. */
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
