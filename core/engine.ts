/**
 * The product in one object: what the command line, the tray application and the plugin build on. It composes the folders
 * beside it and owns the truth; whoever shows something keeps only a copy.
 */
import { type ProcessTable, systemProcessTable } from './process/process-table.ts';
import { type RunProgram, runProgram } from './process/run-program.ts';
import { type StatusReport, StatusTracker } from './status/status-tracker.ts';
import { StatusWatch } from './status/status-watch.ts';
import { type Places, placesFrom } from './store/places.ts';

export interface EngineOptions {
  env?: NodeJS.ProcessEnv;
  processes?: ProcessTable;
  run?: RunProgram;
}

export interface Engine {
  readonly places: Places;
  /** Every live session, once. */
  status(): Promise<StatusReport>;
  /** Every live session, now and whenever something about them changes, until the watch is closed. */
  watchStatus(onReport: (report: StatusReport) => void): Promise<{ close(): Promise<void> }>;
}

export function createEngine(options: EngineOptions = {}): Engine {
  const env = options.env ?? process.env;
  const places = placesFrom(env);
  const tracker = () =>
    new StatusTracker({
      places,
      env,
      processes: options.processes ?? systemProcessTable(),
      run: options.run ?? runProgram,
    });
  return {
    places,
    status: () => tracker().look(),
    watchStatus: (onReport) => new StatusWatch(tracker(), places, onReport).start(),
  };
}
