/**
 * The product as a window sees it: calls in, answers and events out, the same for every host (G3).
 * It composes what shows sessions, settings, activity and the plugin; calls about memory go to
 * threads of their own.
 */
import { renewRuntime } from '../plugin/install.ts';
import { ActivityFeed } from './live/activity-feed.ts';
import { ChosenFiles } from './live/chosen-files.ts';
import type { EngineEvent } from './live/events.ts';
import { FileEvents } from './live/file-events.ts';
import { StateFeed } from './live/state-feed.ts';
import { findProjectOf } from './memory/activity-list.ts';
import type { System } from './memory/memory-context.ts';
import { ProjectList } from './memory/project-list.ts';
import { METHODS, type Method, type ThreadMethod } from './methods/all-methods.ts';
import { type Answer, answerTo } from './methods/answer.ts';
import { logBug } from './methods/log-bug.ts';
import type { ApplicationContext } from './methods/method.ts';
import { MemoryThreads } from './threads/memory-threads.ts';

export interface LiveEngine {
  /** Any method, any arguments: both are looked at. It never throws. */
  call(method: string, args: unknown): Promise<Answer>;
  /** Gives back how to stop listening. */
  onEvent(listener: (event: EngineEvent) => void): () => void;
  /** For hosts alone: what the user chose there becomes an id that the window may name. */
  readonly files: ChosenFiles;
  /** The processes of other applications that were clearing sessions already. */
  readonly others: readonly number[];
  /** A clear that has begun is brought to its end first. */
  close(): Promise<void>;
}

/** Watchers tell at once; this is for what they miss. */
const LOOK_EVERY_MS = 3000;
/** Changes are reported for this many recently used projects. */
const ASKED_PROJECTS = 4;
/**
 * The memory of this many projects is read before a page asks: of those with sessions, or else of
 * the first.
 */
const WARM_PROJECTS = 2;
/** Memory is put in order once a day, whenever that begins; not while everything starts. */
const TIDY_AFTER_MS = 10 * 60 * 1000;
const TIDY_EVERY_MS = 60 * 60 * 1000;

export async function openLiveEngine(system: System): Promise<LiveEngine> {
  renewRuntime(system);
  const engine = new Live(system);
  await engine.start();
  return engine;
}

class Live implements LiveEngine {
  readonly files: ChosenFiles;
  readonly #system: System;
  readonly #listeners = new Set<(event: EngineEvent) => void>();
  readonly #feed: StateFeed;
  readonly #projects: ProjectList;
  readonly #activity: ActivityFeed;
  readonly #files: FileEvents;
  readonly #threads: MemoryThreads;
  readonly #context: ApplicationContext;
  /** Calls under way whose result is given to all who ask meanwhile. */
  readonly #shared = new Map<string, Promise<unknown>>();
  #asked: string[] = [];
  readonly #warmed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #tidyTimer: NodeJS.Timeout | undefined;

  constructor(system: System) {
    const { places, env } = system;
    this.#system = system;
    this.files = new ChosenFiles(places);
    this.#feed = new StateFeed(system, (value) => this.#emit({ name: 'state', value }));
    this.#projects = new ProjectList(places, env, () => this.#feed.sessions);
    this.#activity = new ActivityFeed(
      places,
      // A session that has just begun stands in no memory yet.
      (sessionId) =>
        this.#feed.projectOf(sessionId) ?? findProjectOf(sessionId, this.#projects.memories()),
      (value) => this.#emit({ name: 'activity', value }),
    );
    this.#files = new FileEvents(places, {
      onMemory: (project) => {
        this.#lookAtActivity();
        this.#emit({ name: 'memory', value: { project } });
      },
      onSettings: (project) => {
        this.#feed.tellSoon();
        this.#emit({ name: 'settings', value: { project } });
      },
      onOurs: () => {
        this.#lookAtActivity();
        this.#feed.tellSoon();
      },
    });
    this.#threads = new MemoryThreads({
      system,
      onProgress: (value) => this.#emit({ name: 'work', value }),
      onDoctor: (value) => this.#emit({ name: 'doctor', value }),
      isLive: (root) => this.#projects.isLive(root),
      projects: () => this.#feed.projects,
    });
    this.#context = {
      system,
      feed: this.#feed,
      projects: this.#projects,
      files: this.files,
      refresh: () => this.#look(),
      forgetShared: (method) => this.#shared.delete(method),
    };
  }

  async start(): Promise<void> {
    await this.#feed.start();
    this.#look();
    this.#withoutFail('projects', () => this.#warmFirst());
    this.#timer = setInterval(() => this.#look(), this.#system.lookEveryMs ?? LOOK_EVERY_MS);
    this.#tidyIn(TIDY_AFTER_MS);
  }

  call(method: string, args: unknown): Promise<Answer> {
    return answerTo(this.#system.places, method, args, (known, parsed) =>
      this.#handle(known, parsed),
    );
  }

  onEvent(listener: (event: EngineEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get others(): readonly number[] {
    return this.#feed.clears.others;
  }

  async close(): Promise<void> {
    await this.#feed.close();
    clearInterval(this.#timer);
    clearTimeout(this.#tidyTimer);
    await this.#files.close();
    await this.#threads.close();
    this.files.close();
    this.#listeners.clear();
  }

  /** What file watchers missed, and what time changes. */
  #look(): void {
    this.#withoutFail('files', () => {
      const roots = [...new Set([...this.#projects.liveRoots(), ...this.#asked])];
      this.#files.watch(roots);
      this.#activity.follow(roots);
      this.#files.poll();
    });
    this.#lookAtActivity();
    this.#feed.tellSoon();
  }

  #tidyIn(ms: number): void {
    this.#tidyTimer = setTimeout(() => {
      void this.#threads.tidy();
      this.#tidyIn(TIDY_EVERY_MS);
    }, ms);
    this.#tidyTimer.unref();
  }

  #lookAtActivity(): void {
    this.#withoutFail('activity', () => this.#activity.poll());
  }

  /** A look that fails (too many open files, say) is not the last. */
  #withoutFail(what: string, action: () => void): void {
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
    if (project !== undefined) this.#ask(project);
    return value;
  }

  /** The arguments have been parsed with the method's own schema. */
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

  #ask(project: string): void {
    if (this.#asked[0] === project) return;
    this.#asked = [project, ...this.#asked.filter((other) => other !== project)].slice(
      0,
      ASKED_PROJECTS,
    );
    this.#warm(project);
    this.#look();
  }

  /**
   * A large memory takes longer to read than anybody should wait: it is read once before it is
   * asked for.
   */
  #warm(project: string): void {
    if (this.#warmed.has(project)) return;
    this.#warmed.add(project);
    void this.#threads.warm(project);
  }

  #warmFirst(): void {
    const projects = this.#projects.summaries().filter(({ hasMemory }) => hasMemory);
    for (const { root } of projects.slice(0, WARM_PROJECTS)) this.#warm(root);
  }

  #emit(event: EngineEvent): void {
    for (const listener of this.#listeners)
      this.#withoutFail(`a listener to ${event.name}`, () => listener(event));
  }
}
