/**
 * The main thread's side of the threads that read and change memory. There are several, each
 * started when first needed, so that a search, a rebuild or a doctor that takes minutes does not
 * hold up a page. A crash fails the calls and the work of that thread; the next call starts
 * another. They end with the program.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { renderMessage } from '../../messages/all-messages.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import type { Places } from '../../platform/store/places.ts';
import type { Events, Handlers, Parsed, Results, WorkProgress } from '../contract/contract.ts';
import type { ProjectsOfSessions } from './activity-desk.ts';
import type { MemoryMethod } from './memory-handlers.ts';
import { type ThreadCall, type ThreadStart, type ThreadWord, TIDY } from './memory-thread-words.ts';

/** From the sources, or beside a bundle; the plugin's copy of the command line has none. */
const PROGRAMS = ['./memory-thread-child.ts', './memory-thread-child.js'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
);

/** What is answered in a thread. */
type ThreadMethod = MemoryMethod | 'doctor.run' | 'activity.list';

const METHODS: Record<ThreadMethod, LaneName> = {
  'memory.overview': 'memory',
  'memory.text': 'memory',
  'memory.saveText': 'memory',
  'memory.facts': 'memory',
  'memory.fact': 'memory',
  'memory.addFact': 'memory',
  'memory.changeFact': 'memory',
  'memory.forgetFact': 'memory',
  'memory.concepts': 'memory',
  'memory.concept': 'memory',
  'memory.changeConcept': 'memory',
  'memory.forgetConcept': 'memory',
  'memory.around': 'memory',
  'memory.sessions': 'memory',
  'memory.entries': 'memory',
  'memory.page': 'memory',
  'memory.history': 'memory',
  'memory.undo': 'memory',
  'rules.read': 'memory',
  'rules.save': 'memory',
  'rules.reset': 'memory',
  'rules.undo': 'memory',
  'search.find': 'search',
  'work.run': 'work',
  'archive.export': 'work',
  'archive.preview': 'work',
  'archive.import': 'work',
  'archive.undo': 'work',
  'doctor.run': 'doctor',
  'activity.list': 'activity',
};

type LaneName = 'memory' | 'search' | 'work' | 'doctor' | 'activity';

export interface MemoryThreadOptions {
  places: Places;
  env: NodeJS.ProcessEnv;
  /** The plugin that comes along with this program. */
  carried?: string | null;
  onProgress(progress: WorkProgress): void;
  onDoctor?(progress: Events['doctor']): void;
  /** Of roots that have no memory yet: whether a session is at work there. */
  isKnown(root: string): boolean;
  /** Of the sessions that the program knows, the projects. */
  projects?(): ProjectsOfSessions;
  programs?: readonly string[];
}

export class MemoryThread {
  readonly #options: MemoryThreadOptions;
  readonly #lanes = new Map<LaneName, Lane>();
  #isClosed = false;

  constructor(options: MemoryThreadOptions) {
    this.#options = options;
  }

  /** Every method, each as a call of the thread. */
  get handlers(): Handlers<ThreadMethod> {
    const methods = Object.keys(METHODS) as ThreadMethod[];
    return Object.fromEntries(
      methods.map((method) => [method, (args: never) => this.call(method, args)]),
    ) as never;
  }

  /** Rejects with an ExpectedError for what a person should read; any other error is a bug. */
  async call<M extends ThreadMethod>(method: M, args: Parsed<M>): Promise<Results[M]> {
    if (this.#isClosed) throw isClosing();
    const { project } = args as { project?: string };
    const isKnown = project !== undefined && this.#options.isKnown(project);
    const projects = method === 'activity.list' ? this.#options.projects?.() : undefined;
    return (await this.#lane(METHODS[method]).ask({
      method,
      args,
      isKnown,
      projects,
    })) as Results[M];
  }

  /**
   * Reads a project's facts, in the order that they are first shown in, ahead of the first question
   * about them. A project that is not known costs nothing.
   */
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
  async tidy(): Promise<void> {
    if (this.#isClosed) return;
    await this.#lane('work')
      .ask({ method: TIDY, args: {}, isKnown: false, projects: undefined })
      .catch(() => undefined);
  }

  /** What is being written stays whole: a change is all there or not at all (M21). */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#lanes.values()].map((lane) => lane.close()));
  }

  #lane(name: LaneName): Lane {
    const known = this.#lanes.get(name);
    if (known !== undefined && !known.hasEnded) return known;
    const lane = new Lane(this.#options);
    this.#lanes.set(name, lane);
    return lane;
  }
}

const isClosing = () => new ExpectedError(message('memory.closing'));

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** One thread, and the calls that it has not answered yet. */
class Lane {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  /** Long work that has told nothing of its end. */
  readonly #going = new Map<string, WorkProgress>();
  readonly #options: MemoryThreadOptions;
  #asked = 0;
  #isClosing = false;
  hasEnded = false;

  constructor(options: MemoryThreadOptions) {
    const { places, env, carried = null, programs = PROGRAMS } = options;
    const program = programs.find((path) => existsSync(path));
    if (program === undefined) throw new ExpectedError(message('memory.noThread'));
    const plain = Object.fromEntries(
      Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    this.#options = options;
    this.#worker = new Worker(program, {
      workerData: { places, env: plain, carried } satisfies ThreadStart,
      name: 'memory',
    });
    this.#worker.on('message', (word: ThreadWord) => this.#hear(word));
    this.#worker.on('error', (error: unknown) =>
      this.#end(error instanceof Error ? error.message : String(error)),
    );
    this.#worker.on('exit', (code) => this.#end(`code ${code}`));
    this.#worker.unref();
  }

  ask(call: Omit<ThreadCall, 'id'>): Promise<unknown> {
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      // Nobody leaves while an answer is owed.
      this.#worker.ref();
      this.#worker.postMessage({ id, ...call } satisfies ThreadCall);
    });
  }

  async close(): Promise<void> {
    this.#isClosing = true; // whoever waits for the end must not be left alone
    this.#worker.ref();
    await this.#worker.terminate();
    this.#end('closed');
  }

  #hear(word: ThreadWord): void {
    if ('progress' in word) this.#tell(word.progress);
    else if ('doctor' in word) this.#options.onDoctor?.(word.doctor);
    else this.#settle(word);
  }

  #tell(progress: WorkProgress): void {
    const name = `${progress.project}\n${progress.what}`;
    if (progress.isOver) this.#going.delete(name);
    else this.#going.set(name, progress);
    this.#options.onProgress(progress);
  }

  #settle(word: Extract<ThreadWord, { id: number }>): void {
    const waiting = this.#waiting.get(word.id);
    this.#waiting.delete(word.id);
    if (this.#waiting.size === 0 && !this.#isClosing) this.#worker.unref();
    const { answer } = word;
    if (answer.ok) waiting?.resolve(answer.value);
    else
      waiting?.reject(
        answer.isBug
          ? new Error(renderMessage('en', answer.message))
          : new ExpectedError(answer.message),
      );
  }

  #end(reason: string): void {
    this.hasEnded = true;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    const error = this.#isClosing
      ? isClosing()
      : new Error(`the thread that reads memory has ended (${reason})`);
    for (const { reject } of waiting) reject(error);
    // Nobody else will say so any more.
    for (const progress of [...this.#going.values()]) this.#tell({ ...progress, isOver: true });
  }
}
