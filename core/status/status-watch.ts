/**
 * Keeps a status report up to date: files are watched, so a change shows at once; once a second everything is looked at
 * again, which notices ended processes and whatever a file watcher missed.
 */
import { type FSWatcher, watch as watchFiles } from 'chokidar';
import { reportsFolder } from '../context/reported.ts';
import { projectSettingsPath, userSettingsPath } from '../settings/settings.ts';
import type { Places } from '../store/places.ts';
import type { StatusReport, StatusTracker } from './status-tracker.ts';

const LOOK_EVERY_MS = 1000;

export class StatusWatch {
  readonly #tracker: StatusTracker;
  readonly #onReport: (report: StatusReport) => void;
  readonly #files: FSWatcher;
  #watched = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #lastReport: StatusReport = { sessions: [], problems: [] };
  #lastText = '';
  #closed = false;

  constructor(tracker: StatusTracker, places: Places, onReport: (report: StatusReport) => void) {
    this.#tracker = tracker;
    this.#onReport = onReport;
    this.#files = watchFiles([tracker.finder.registry.folder, reportsFolder(places.home), userSettingsPath(places)], {
      ignoreInitial: true,
      atomic: false,
      depth: 0,
    });
    this.#files.on('all', () => void this.#look());
    this.#files.on('error', () => undefined); // out of watches, or no permission: the look every second goes on
  }

  /** Resolves once the first report has been given. */
  async start(): Promise<this> {
    await this.#look();
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS);
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
    this.#looking ??= this.#lookUntilQuiet().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #lookUntilQuiet(): Promise<void> {
    while (this.#lookAgain && !this.#closed) {
      this.#lookAgain = false;
      const report = await this.#tracker.look().catch((error: Error) => this.#stale(error));
      if (this.#closed) return;
      this.#watchFilesOf(report);
      const text = JSON.stringify(report);
      if (text === this.#lastText) continue;
      this.#lastReport = report;
      this.#lastText = text;
      this.#onReport(report);
    }
  }

  /** Whatever goes wrong (too many open files, say), the user sees it and the watch goes on. */
  #stale(error: Error): StatusReport {
    return { sessions: this.#lastReport.sessions, problems: [`the sessions cannot be looked at now: ${error.message}`] };
  }

  #watchFilesOf(report: StatusReport): void {
    const wanted = new Set(
      report.sessions.flatMap(({ transcript, projectRoot }) => [
        projectSettingsPath(projectRoot),
        ...(transcript === null ? [] : [transcript]),
      ]),
    );
    const added = [...wanted].filter((path) => !this.#watched.has(path));
    const dropped = [...this.#watched].filter((path) => !wanted.has(path));
    if (added.length > 0) this.#files.add(added);
    if (dropped.length > 0) this.#files.unwatch(dropped);
    this.#watched = wanted;
  }
}
