/**
 * The application's side of the threads that read and change memory. There are several, so that a
 * search, a rebuild or a doctor that takes minutes does not hold up a page; each is started when
 * first needed. A crash fails the calls of that thread; the next call starts another.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { BackfillProgress } from '../../memory/backfill/run-backfill.ts';
import { renderMessage } from '../../messages/all-messages.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import type { ProjectsOfSessions } from '../memory/activity-list.ts';
import type { WorkProgress } from '../memory/long-work.ts';
import type { ContextListeners, System } from '../memory/memory-context.ts';
import { METHODS, type Parsed, type Results, type ThreadMethod } from '../methods/all-methods.ts';
import type { ThreadName } from '../methods/method.ts';
import type { ThreadCall, ThreadMessage, ThreadStart } from './memory-thread-child.ts';

/** From the sources, or beside a bundle; the plugin's copy of the command line has none. */
const PROGRAMS = ['./memory-thread-child.ts', './memory-thread-child.js'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
);

export interface MemoryThreadOptions extends ContextListeners {
  system: Pick<System, 'places' | 'env' | 'bundledPlugin'>;
  /** The projects of the sessions that the application knows. */
  projects(): ProjectsOfSessions;
  programs?: readonly string[];
}

export class MemoryThreads {
  readonly #options: MemoryThreadOptions;
  readonly #threads = new Map<ThreadName, Thread>();
  #isClosed = false;

  constructor(options: MemoryThreadOptions) {
    this.#options = options;
  }

  /** Rejects with an ExpectedError that a person can read; any other error is a bug. */
  async call<M extends ThreadMethod>(method: M, args: Parsed<M>): Promise<Results[M]> {
    if (this.#isClosed) throw isClosing();
    const { project } = args as { project?: string };
    const isLive = project !== undefined && this.#options.isLive(project);
    const projects = method === 'activity.list' ? this.#options.projects() : undefined;
    const thread = this.#thread(METHODS[method].thread);
    return (await thread.call({ method, args, isLive, projects })) as Results[M];
  }

  /** Reads a project's facts ahead of the first question, in the order that they are shown first. */
  async warm(project: string): Promise<void> {
    await this.call('memory.facts', {
      project,
      part: 'facts',
      isAll: false,
      order: 'newest',
      from: 0,
      count: 1,
    }).catch(() => undefined);
  }

  /** What is due in all projects, asked by nobody (M12). */
  tidy(): Promise<void> {
    return this.#doByItself('tidy');
  }

  /** Moves what 0.1.0 kept in projects over (M1). */
  moveEarlier(): Promise<void> {
    return this.#doByItself('moveEarlier');
  }

  async #doByItself(method: 'tidy' | 'moveEarlier'): Promise<void> {
    if (this.#isClosed) return;
    await this.#thread('work')
      .call({ method, args: {}, isLive: false, projects: undefined })
      .catch(() => undefined);
  }

  /** A change that is being written is all there or not at all (M21). */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#threads.values()].map((thread) => thread.close()));
  }

  #thread(name: ThreadName): Thread {
    const running = this.#threads.get(name);
    if (running?.hasEnded === false) return running;
    const thread = new Thread(this.#options);
    this.#threads.set(name, thread);
    return thread;
  }
}

const isClosing = () => new ExpectedError(message('memory.closing'));

type Waiting = Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'>;

/** One thread, and the calls that it has not answered yet. */
class Thread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  /** Long work that has not reported its end yet. */
  readonly #unfinished = new Map<string, WorkProgress>();
  #backfill: BackfillProgress | undefined;
  readonly #options: MemoryThreadOptions;
  #calls = 0;
  #isClosing = false;
  hasEnded = false;

  constructor(options: MemoryThreadOptions) {
    const { system, programs = PROGRAMS } = options;
    const program = programs.find((path) => existsSync(path));
    if (program === undefined) throw new ExpectedError(message('memory.noThread'));
    const { places, env, bundledPlugin } = system;
    const workerData: ThreadStart = { places, env: { ...env }, bundledPlugin };
    this.#options = options;
    this.#worker = new Worker(program, { workerData, name: 'memory' });
    this.#worker.on('message', (sent: ThreadMessage) => this.#receive(sent));
    this.#worker.on('error', (error: unknown) =>
      this.#end(error instanceof Error ? error.message : String(error)),
    );
    this.#worker.on('exit', (code) => this.#end(`code ${code}`));
    this.#worker.unref();
  }

  call(call: Omit<ThreadCall, 'id' | 'askedAt'>): Promise<unknown> {
    const id = ++this.#calls;
    const askedAt = Date.now();
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.ref(); // the program stays until it has the answer
      this.#worker.postMessage({ id, askedAt, ...call } satisfies ThreadCall);
    });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#worker.ref(); // the program stays until the thread has ended
    await this.#worker.terminate();
    this.#end('closed');
  }

  #receive(sent: ThreadMessage): void {
    if ('progress' in sent) this.#report(sent.progress);
    else if ('doctor' in sent) this.#options.onDoctor(sent.doctor);
    else if ('backfill' in sent) this.#reportBackfill(sent.backfill);
    else this.#settle(sent);
  }

  #report(progress: WorkProgress): void {
    const name = `${progress.project}\n${progress.what}`;
    if (progress.isOver) this.#unfinished.delete(name);
    else this.#unfinished.set(name, progress);
    this.#options.onProgress(progress);
  }

  #reportBackfill(progress: BackfillProgress): void {
    this.#backfill = progress.isOver ? undefined : progress;
    this.#options.onBackfill(progress);
  }

  #settle({ id, answer }: Extract<ThreadMessage, { id: number }>): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0 && !this.#isClosing) this.#worker.unref();
    if (answer.ok) waiting?.resolve(answer.value);
    else if (answer.isBug) waiting?.reject(new Error(renderMessage('en', answer.message)));
    else waiting?.reject(new ExpectedError(answer.message));
  }

  #end(reason: string): void {
    this.hasEnded = true;
    const error = this.#isClosing
      ? isClosing()
      : new Error(`The thread that reads memory has ended (${reason})`);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    for (const progress of this.#unfinished.values()) this.#report({ ...progress, isOver: true });
    if (this.#backfill !== undefined) this.#reportBackfill({ ...this.#backfill, isOver: true });
  }
}
