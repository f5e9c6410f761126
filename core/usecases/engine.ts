/**
 * The product in one object, for the command line and the two window hosts; hooks call `hooks/`
 * directly. `call` runs a method in this process, `open` starts the live engine for a window.
 */

import type { SessionStatus } from '../claude/status/session-status.ts';
import { type StatusReport, StatusTracker } from '../claude/status/status-tracker.ts';
import { StatusWatch } from '../claude/status/status-watch.ts';
import { AutoClear, type AutoClearOptions } from '../clear/auto-clear.ts';
import type { ClearRecord } from '../clear/clear-record.ts';
import type { BackfillProgress } from '../memory/backfill/run-backfill.ts';
import { finishImports } from '../memory/portable/import-memory.ts';
import { systemProcessTable } from '../platform/process/process-table.ts';
import { type RunProgram, runProgram } from '../platform/process/run-program.ts';
import { projectRoot } from '../platform/project/project-place.ts';
import { keepMachineIdIn } from '../platform/store/machine.ts';
import { type Places, placesFrom } from '../platform/store/places.ts';
import { findBundledPlugin } from '../plugin/plugin-copy.ts';
import {
  type ClearOptions,
  type ClearPlan,
  clearSession,
  planClear,
  sessionsNamed,
} from './clear-commands.ts';
import { type LiveEngine, openLiveEngine } from './live-engine.ts';
import type { WorkProgress } from './memory/long-work.ts';
import { MemoryContext } from './memory/memory-context.ts';
import { type CommandMethod, METHODS, type Parsed, type Results } from './methods/all-methods.ts';
import { type WatchedReport, watchedReport } from './watched-status.ts';

export interface EngineOptions {
  env?: NodeJS.ProcessEnv;
  run?: RunProgram;
  /** See ClearingOptions. */
  pollIntervalMs?: number;
  /**
   * Of a packaged application: the folder that its plugin lies in, and its program, if hooks can
   * run with that.
   */
  packaged?: { resources: string; runtime: string | undefined };
}

export interface Engine {
  readonly places: Places;
  /** The root folder of the project that a folder belongs to. */
  projectRoot(folder: string): string;
  /** Every live session, once. */
  status(): Promise<WatchedReport>;
  /** The live sessions that a person can mean by a name, an ID or its start, or a process ID. */
  sessionsNamed(name: string): Promise<SessionStatus[]>;
  /**
   * Every live session, now and whenever something about them changes, until the watch is closed.
   */
  watchStatus(onReport: (report: WatchedReport) => void): Promise<{ close(): Promise<void> }>;
  /** Clears sessions that reach their threshold, until it is closed. */
  watchClears(handlers: Pick<AutoClearOptions, 'onStep' | 'onRefusal'>): Promise<AutoClear>;
  /** Clears one session now, or follows the application that is clearing it already. */
  clear(session: SessionStatus, options: ClearOptions): Promise<ClearRecord>;
  /** Which driver would clear a session, and why, or why not. */
  explainClear(session: SessionStatus): Promise<ClearPlan>;
  /**
   * One method, in this process: for a command, which is trusted and may name any project and file.
   */
  call<M extends CommandMethod>(
    method: M,
    args: Parsed<M>,
    onProgress?: (progress: WorkProgress) => void,
    onBackfill?: (progress: BackfillProgress) => void,
  ): Promise<Results[M]>;
  /**
   * For a window: everything that can be asked, and what happens by itself. It is the application
   * that clears, until it is closed.
   */
  open(): Promise<LiveEngine>;
}

export function createEngine(options: EngineOptions = {}): Engine {
  const env = options.env ?? process.env;
  const places = placesFrom(env);
  keepMachineIdIn(places.home);
  const system = {
    places,
    env,
    processes: systemProcessTable(),
    run: options.run ?? runProgram,
    pollIntervalMs: options.pollIntervalMs,
    bundledPlugin: findBundledPlugin(import.meta.dirname, options.packaged?.resources),
    runtime: options.packaged?.runtime,
  };
  const tracker = () => new StatusTracker(system);
  return {
    places,
    projectRoot: (folder) => projectRoot(places, folder, env),
    status: async () => watchedReport(places, await tracker().report()),
    sessionsNamed: async (name) => sessionsNamed((await tracker().report()).sessions, name),
    watchStatus: (onReport) => {
      const onStatus = (report: StatusReport) => onReport(watchedReport(places, report));
      return new StatusWatch(tracker(), places, onStatus, options.pollIntervalMs).start();
    },
    watchClears: (handlers) => new AutoClear({ ...system, ...handlers }).start(),
    clear: (session, clearOptions) => clearSession(system, session, clearOptions),
    explainClear: (session) => planClear(system, session),
    async call(method, args, onProgress = () => undefined, onBackfill = () => undefined) {
      const declared = METHODS[method];
      if (declared.runs === 'anywhere') return declared.handler(system, args as never) as never;
      const context = new MemoryContext(system, {
        onProgress,
        onDoctor: () => undefined,
        onBackfill,
        isLive: () => true,
      });
      const { project } = args as { project?: string };
      if (project !== undefined) finishImports(places, context.memoryOf(project));
      return declared.handler(context, args as never) as never;
    },
    open: () => openLiveEngine({ ...system, isWatching: true }),
  };
}
