/**
 * The product as a window sees it: calls in, answers and events out, the same for every host (G3).
 * It composes what shows sessions, settings, activity and the plugin; calls about memory go to
 * threads of their own.
 */
import packageJson from '../../package.json' with { type: 'json' };
import type { ClearingOptions } from '../clear/clearing.ts';
import { givenAt, readGiven } from '../memory/restore/given.ts';
import { renewRuntime } from '../plugin/install.ts';
import type { PluginOptions } from '../plugin/plugin-status.ts';
import { appLanguage } from '../settings/app-language.ts';
import { ActivityFeed } from './activity-feed.ts';
import { archiveCalls } from './archive-calls.ts';
import { answerTo, logBug } from './contract/answer.ts';
import { ChosenFiles } from './contract/chosen-files.ts';
import type { Answer, EngineEvent, Handlers, Method } from './contract/contract.ts';
import { doctorCalls } from './doctor-calls.ts';
import { FileEvents } from './file-events.ts';
import { projectNaming } from './memory/activity-log.ts';
import type { MemoryMethod } from './memory/memory-handlers.ts';
import { MemoryThread } from './memory/memory-thread.ts';
import { ProjectList } from './memory/project-list.ts';
import { pluginCalls } from './plugin-calls.ts';
import { sessionCalls } from './session-calls.ts';
import { settingCalls } from './setting-calls.ts';
import { StateFeed } from './state-feed.ts';

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

type OwnMethod = Exclude<Method, MemoryMethod | 'activity.list'>;

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

export type Luggage = Pick<PluginOptions, 'carried' | 'runtime'>;

export async function openLiveEngine(
  system: ClearingOptions,
  luggage: Luggage,
): Promise<LiveEngine> {
  renewRuntime({ ...system, ...luggage });
  const engine = new Live(system, luggage);
  await engine.start();
  return engine;
}

class Live implements LiveEngine {
  readonly files: ChosenFiles;
  readonly #system: ClearingOptions;
  readonly #listeners = new Set<(event: EngineEvent) => void>();
  readonly #feed: StateFeed;
  readonly #projects: ProjectList;
  readonly #activity: ActivityFeed;
  readonly #files: FileEvents;
  readonly #memory: MemoryThread;
  readonly #handlers: Handlers<Method>;
  #asked: string[] = [];
  readonly #warmed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #tidyTimer: NodeJS.Timeout | undefined;

  constructor(system: ClearingOptions, luggage: Luggage) {
    const { places, env } = system;
    this.#system = system;
    this.files = new ChosenFiles(places);
    this.#feed = new StateFeed(system, (value) => this.#emit({ name: 'state', value }));
    this.#projects = new ProjectList(places, env, () => this.#feed.sessions);
    this.#activity = new ActivityFeed(
      places,
      // A session that has just begun stands in no memory yet.
      (sessionId) =>
        this.#feed.projectOf(sessionId) ?? projectNaming(sessionId, this.#projects.memories()),
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
    this.#memory = new MemoryThread({
      places,
      env,
      carried: luggage.carried,
      onProgress: (value) => this.#emit({ name: 'work', value }),
      onDoctor: (value) => this.#emit({ name: 'doctor', value }),
      isKnown: (root) => this.#projects.isLive(root),
      projects: () => this.#feed.projects,
    });
    this.#handlers = { ...this.#memory.handlers, ...this.#ownHandlers(luggage) };
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
    await this.#memory.close();
    this.files.close();
    this.#listeners.clear();
  }

  /** What file watchers missed, and what time changes. */
  #look(): void {
    this.#withoutFail('files', () => {
      const roots = [...new Set([...this.#projects.liveRoots(), ...this.#asked])];
      this.#files.watch(roots);
      this.#activity.follow(roots);
      this.#files.look();
    });
    this.#lookAtActivity();
    this.#feed.tellSoon();
  }

  #tidyIn(ms: number): void {
    this.#tidyTimer = setTimeout(() => {
      void this.#memory.tidy();
      this.#tidyIn(TIDY_EVERY_MS);
    }, ms);
    this.#tidyTimer.unref();
  }

  #lookAtActivity(): void {
    this.#withoutFail('activity', () => this.#activity.look());
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
    if (project !== undefined) this.#projects.assertKnown(project);
    const value = await (this.#handlers[method] as (args: unknown) => unknown)(args);
    if (project !== undefined) this.#ask(project);
    return value;
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
    void this.#memory.warm(project);
  }

  #warmFirst(): void {
    const projects = this.#projects.summaries().filter(({ hasMemory }) => hasMemory);
    for (const { root } of projects.slice(0, WARM_PROJECTS)) this.#warm(root);
  }

  #emit(event: EngineEvent): void {
    for (const listener of this.#listeners)
      this.#withoutFail(`a listener to ${event.name}`, () => listener(event));
  }

  #ownHandlers(luggage: Luggage): Handlers<OwnMethod> {
    const { places, env, run } = this.#system;
    return {
      ...sessionCalls(places, this.#feed),
      ...settingCalls(places, () => this.#look()),
      ...pluginCalls({ places, env, run, ...luggage }),
      ...archiveCalls(this.files, this.#memory),
      ...doctorCalls({ ...this.#system, ...luggage }, this.#memory, () => this.#look()),
      'projects.list': () => {
        this.#warmFirst();
        return this.#projects.summaries();
      },
      'activity.given': ({ sessionId }) => ({
        text: readGiven(places, sessionId) ?? null,
        at: givenAt(places, sessionId)?.toISOString() ?? null,
      }),
      'app.about': () => ({
        version: packageJson.version,
        platform: process.platform,
        home: places.home,
        language: appLanguage(places, env),
      }),
    };
  }
}
