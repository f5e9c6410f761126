/**
 * The product as a window sees it: calls in, answers and events out, the same for every host (G3).
 * It keeps the state of sessions, settings and activity up to date; calls about memory run in
 * threads.
 */
import type { BackfillProgress } from '../memory/backfill/run-backfill.ts';
import { renewRuntime } from '../plugin/install.ts';
import { ActivityFeed } from './live/activity-feed.ts';
import { ChosenFiles } from './live/chosen-files.ts';
import { FileEvents } from './live/file-events.ts';
import { type LiveState, StateFeed } from './live/state-feed.ts';
import { findProjectOf } from './memory/activity-list.ts';
import type { ActivityRow } from './memory/activity-rows.ts';
import type { WorkProgress } from './memory/long-work.ts';
import type { DoctorProgress, System } from './memory/memory-context.ts';
import { ProjectList } from './memory/project-list.ts';
import { METHODS, type Method, type ThreadMethod } from './methods/all-methods.ts';
import { type CallResult, handleCall } from './methods/handle-call.ts';
import { logBug } from './methods/log-bug.ts';
import type { ApplicationContext } from './methods/method.ts';
import { MemoryThreads } from './threads/memory-threads.ts';

export interface Events {
  state: LiveState;
  activity: ActivityRow;
  /** Files of a project's memory have changed, whoever changed them. */
  memory: { project: string };
  settings: { project: string | null };
  work: WorkProgress;
  doctor: DoctorProgress;
  backfill: BackfillProgress;
}
export type EventName = keyof Events;
export type EngineEvent = { [K in EventName]: { name: K; value: Events[K] } }[EventName];

/** For what file watchers miss. */
const POLL_INTERVAL_MS = 3000;
/** Changes are reported for this many recently used projects. */
const RECENT_PROJECTS = 4;
/** The memory of this many projects is read before a page asks. */
const WARM_PROJECTS = 2;
/** Not while everything starts. What is due once a day may become due at any hour. */
const FIRST_TIDY_MS = 10 * 60 * 1000;
const TIDY_INTERVAL_MS = 60 * 60 * 1000;

export async function openLiveEngine(system: System): Promise<LiveEngine> {
  renewRuntime(system);
  const engine = new LiveEngine(system);
  await engine.start();
  return engine;
}

export class LiveEngine {
  /** For hosts alone; a window names files by their ids. */
  readonly files: ChosenFiles;
  readonly #system: System;
  readonly #listeners = new Set<(event: EngineEvent) => void>();
  readonly #feed: StateFeed;
  readonly #projects: ProjectList;
  readonly #activity: ActivityFeed;
  readonly #fileEvents: FileEvents;
  readonly #threads: MemoryThreads;
  readonly #context: ApplicationContext;
  /** Running calls whose result goes to all who ask meanwhile. */
  readonly #shared = new Map<string, Promise<unknown>>();
  /** Projects that windows asked about, the latest first. */
  #recent: string[] = [];
  readonly #warmed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #tidyTimer: NodeJS.Timeout | undefined;

  constructor(system: System) {
    const { places } = system;
    this.#system = system;
    this.files = new ChosenFiles(places);
    this.#feed = new StateFeed(system, (value) => this.#emit({ name: 'state', value }));
    this.#projects = new ProjectList(places, () => this.#feed.sessionRoots);
    this.#activity = new ActivityFeed(
      places,
      // A session that has just begun is in no memory yet.
      (sessionId) =>
        this.#feed.projects[sessionId] ?? findProjectOf(sessionId, this.#projects.memories()),
      (value) => this.#emit({ name: 'activity', value }),
    );
    this.#fileEvents = new FileEvents(places, {
      onMemory: (project) => {
        this.#pollActivity();
        this.#emit({ name: 'memory', value: { project } });
      },
      onSettings: (project) => {
        this.#feed.reportSoon();
        this.#emit({ name: 'settings', value: { project } });
      },
      onOurs: () => {
        this.#pollActivity();
        this.#feed.reportSoon();
      },
    });
    this.#threads = new MemoryThreads({
      system,
      onProgress: (value) => this.#emit({ name: 'work', value }),
      onDoctor: (value) => this.#emit({ name: 'doctor', value }),
      onBackfill: (value) => {
        if (value.isOver) this.#projects.lookAgain(); // it may have brought projects
        this.#emit({ name: 'backfill', value });
      },
      isLive: (root) => this.#projects.isLive(root),
      projects: () => this.#feed.projects,
    });
    this.#context = {
      system,
      feed: this.#feed,
      projects: this.#projects,
      files: this.files,
      warmFirst: () => this.#warmFirst(),
      refresh: () => this.#poll(),
      forgetShared: (method) => this.#shared.delete(method),
    };
  }

  async start(): Promise<void> {
    await this.#feed.start();
    this.#poll();
    this.#logFailure('projects', () => this.#warmFirst());
    this.#timer = setInterval(() => this.#poll(), this.#system.pollIntervalMs ?? POLL_INTERVAL_MS);
    this.#tidyIn(FIRST_TIDY_MS);
    void this.#threads.moveEarlier();
  }

  /** Any method, any arguments: both are checked. It never throws. */
  call(method: string, args: unknown): Promise<CallResult> {
    return handleCall(this.#system.places, method, args, (...call) => this.#handle(...call));
  }

  /** Returns a function that stops listening. */
  onEvent(listener: (event: EngineEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The processes of other applications that clear sessions already. */
  get others(): readonly number[] {
    return this.#feed.clears.others;
  }

  /** Finishes a clear that has begun. */
  async close(): Promise<void> {
    await this.#feed.close();
    clearInterval(this.#timer);
    clearTimeout(this.#tidyTimer);
    await this.#fileEvents.close();
    await this.#threads.close();
    this.files.close();
    this.#listeners.clear();
  }

  /** Reports what file watchers missed, and what changes with time. */
  #poll(): void {
    this.#logFailure('files', () => {
      const roots = [...new Set([...this.#projects.liveRoots(), ...this.#recent])];
      this.#activity.follow(this.#fileEvents.watch(roots));
      this.#fileEvents.poll();
    });
    this.#pollActivity();
    this.#feed.reportSoon();
  }

  #tidyIn(ms: number): void {
    this.#tidyTimer = setTimeout(() => {
      void this.#threads.tidy();
      this.#tidyIn(TIDY_INTERVAL_MS);
    }, ms);
    this.#tidyTimer.unref();
  }

  #pollActivity(): void {
    this.#logFailure('activity', () => this.#activity.poll());
  }

  /** What fails now (too many open files, say) may work the next time. */
  #logFailure(what: string, action: () => void): void {
    try {
      action();
    } catch (error) {
      logBug(this.#system.places, what, error);
    }
  }

  async #handle(method: Method, args: unknown): Promise<unknown> {
    const { project } = args as { project?: string };
    if (project !== undefined) this.#projects.assertAllowed(project);
    const value = await this.#run(method, args);
    if (project !== undefined) this.#use(project);
    return value;
  }

  async #run(method: Method, args: unknown): Promise<unknown> {
    const declared = METHODS[method];
    if (declared.runs === 'application') return declared.handler(this.#context, args as never);
    if (declared.runs === 'anywhere') {
      const value = await declared.handler(this.#system, args as never);
      declared.afterwards?.(this.#context);
      return value;
    }
    const prepared = declared.prepare?.(this.#context, args as never) ?? args;
    const call = () => this.#threads.call(method as ThreadMethod, prepared as never);
    return declared.isShared === true ? this.#share(method, call) : call();
  }

  #share(method: Method, call: () => Promise<unknown>): Promise<unknown> {
    const running = this.#shared.get(method);
    if (running !== undefined) return running;
    const begun = call().finally(() => {
      if (this.#shared.get(method) === begun) this.#shared.delete(method);
    });
    this.#shared.set(method, begun);
    return begun;
  }

  #use(project: string): void {
    if (this.#recent[0] === project) return;
    const others = this.#recent.filter((other) => other !== project);
    this.#recent = [project, ...others].slice(0, RECENT_PROJECTS);
    this.#warm(project);
    this.#poll();
  }

  /** A large memory takes long to read, so it is read once before a page asks for it. */
  #warm(project: string): void {
    if (this.#warmed.has(project)) return;
    this.#warmed.add(project);
    void this.#threads.warm(project);
  }

  /** Projects with sessions come first. */
  #warmFirst(): void {
    const projects = this.#projects.summaries().filter(({ hasMemory }) => hasMemory);
    for (const { root } of projects.slice(0, WARM_PROJECTS)) this.#warm(root);
  }

  #emit(event: EngineEvent): void {
    for (const listener of this.#listeners)
      this.#logFailure(`a listener to ${event.name}`, () => listener(event));
  }
}
