/**
 * Watches for signals and clears the sessions they are about, one run for each (A1). Signals and wishes are found by a file watcher, and
 * by a look every second in case it missed one. What an earlier application left unfinished is finished or given up first.
 */
import { type FSWatcher, watch as watchFiles } from 'chokidar';
import type { SessionStatus } from '../status/session-status.ts';
import { StatusTracker } from '../status/status-tracker.ts';
import { StatusWatch } from '../status/status-watch.ts';
import { makePrivateFolder } from '../store/atomic-write.ts';
import { type Activity, addActivity } from './activity.ts';
import { type ClearRecord, claim, isAbandoned, isFinal, mayHaveTyped, readRecords } from './clear-record.ts';
import { ClearRun, type RunTools } from './clear-run.ts';
import { beginClear, type ClearingOptions, runTools } from './clearing.ts';
import { decide, isOverThreshold } from './policy.ts';
import { type SignalReading, takeSignals } from './signal.ts';
import { pausedUntil, takeWishes, type Wish, wishesFolder } from './wishes.ts';
import { signalsFolder } from './write-signal.ts';

export interface AutoClearOptions extends ClearingOptions {
  /** Each step of each clear. */
  onStep(record: ClearRecord): void;
  /** Each signal that was not followed, with the reason. */
  onRefusal(activity: Activity): void;
}

const LOOK_EVERY_MS = 1000;

export class AutoClear {
  readonly #options: AutoClearOptions;
  readonly #tools: RunTools;
  readonly #status: StatusWatch;
  readonly #files: FSWatcher = watchFiles([], { ignoreInitial: true, atomic: false, depth: 0 });
  readonly #runs = new Map<string, { run: ClearRun; end: Promise<unknown> }>();
  /** The last refusal of each session, and of what belongs to none. */
  readonly #told = new Map<string, string>();
  #changed: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #lookAgain = false;
  #isClosed = false;

  constructor(options: AutoClearOptions) {
    this.#options = options;
    this.#tools = { ...runTools(options, options.onStep), nextChange: () => this.#nextChange() };
    this.#status = new StatusWatch(new StatusTracker(options), options.places, () => this.#tellChange());
    // chokidar swallows what follows within 50 ms of a change; the bare event it passes on each time.
    this.#files.on('all', () => this.#lookSoon()).on('raw', () => this.#lookSoon());
    this.#files.on('error', () => undefined); // out of watches, or no permission: the look every second goes on
  }

  async start(): Promise<this> {
    const { places } = this.#options;
    for (const folder of [signalsFolder(places), wishesFolder(places)]) {
      makePrivateFolder(folder);
      this.#files.add(folder);
    }
    await this.#status.start();
    await this.#takeUpAbandoned();
    this.#lookSoon();
    this.#timer = setInterval(() => this.#lookSoon(), LOOK_EVERY_MS);
    return this;
  }

  /** A clear that is under way is brought to its end; one that has typed nothing yet is left to the next application. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#files.close();
    await this.#status.close();
    await Promise.all([...this.#runs.values()].filter(({ run }) => mayHaveTyped(run.record)).map(({ end }) => end));
  }

  wish(wish: Wish): void {
    this.#runs.get(wish.sessionId)?.run.wish(wish);
  }

  get records(): ClearRecord[] {
    return [...this.#runs.values()].map(({ run }) => run.record);
  }

  /** One look at a time; what happens meanwhile leads to one more. */
  #lookSoon(): void {
    this.#lookAgain = true;
    if (!this.#isLooking) void this.#lookUntilQuiet();
  }

  async #lookUntilQuiet(): Promise<void> {
    this.#isLooking = true;
    while (this.#lookAgain && !this.#isClosed) {
      this.#lookAgain = false;
      const { places } = this.#options;
      for (const wish of takeWishes(places, (sessionId) => this.#runs.has(sessionId))) this.wish(wish);
      const readings = takeSignals(places);
      if (readings.length > 0) await this.#follow(readings).catch((error: Error) => this.#refuse([{ note: error.message }]));
    }
    this.#isLooking = false;
  }

  async #follow(readings: readonly SignalReading[]): Promise<void> {
    const sessions = await this.#tools.look();
    this.#refuse(readings.flatMap((reading) => this.#followOne(reading, sessions) ?? []));
  }

  /** Why a signal is not followed; undefined if it is. */
  #followOne(reading: SignalReading, sessions: readonly SessionStatus[]): Refusal | undefined {
    if (reading.kind === 'refused') return { note: reading.reason };
    const meant = this.#meant(reading, sessions);
    if ('note' in meant) return meant;
    const { sessionId, pid, processStart, projectRoot } = meant;
    if (this.#runs.has(sessionId)) return undefined; // under way
    const records = readRecords(this.#options.places).filter(
      (record) => record.pid === pid && record.processStart === processStart,
    );
    const settings = this.#tools.settingsOf(projectRoot).autoClear;
    const decision = decide({
      session: meant,
      settings,
      records,
      pausedUntil: pausedUntil(this.#options.places),
      now: new Date(),
    });
    if (!decision.clear) return { note: decision.reason, sessionId, project: projectRoot };
    const begun = beginClear(this.#tools, meant, 'threshold', { isPatient: true });
    if ('taken' in begun) return undefined; // another application is at it
    this.#told.delete(sessionId);
    this.#carryOut(begun.run);
    return undefined;
  }

  #meant(reading: Exclude<SignalReading, { kind: 'refused' }>, sessions: readonly SessionStatus[]): SessionStatus | Refusal {
    if (reading.kind === 'any') {
      const full = sessions.filter((session) => isOverThreshold(session, this.#tools.settingsOf(session.projectRoot).autoClear));
      if (full.length === 1) return full[0] as SessionStatus;
      return { note: `an empty clear-signal means the one session over its threshold, and there are ${full.length}` };
    }
    const { sessionId, pid } = reading.signal;
    const session = sessions.find((candidate) => candidate.sessionId === sessionId);
    if (session === undefined) return { note: 'a signal is about a session that does not run', sessionId };
    return session.pid === pid
      ? session
      : { note: `a signal names process ${pid}, but the session runs in ${session.pid}`, sessionId };
  }

  /** A session signals after each turn, and what cannot be removed stays: what was told already is not told again. */
  #refuse(refusals: readonly Refusal[]): void {
    const news = refusals.filter(({ note, sessionId = note }) => this.#told.get(sessionId) !== note);
    for (const { note, sessionId = note } of news) this.#told.set(sessionId, note);
    const activities = addActivity(
      this.#options.places,
      news.map((refusal) => ({ what: 'refused', ...refusal })),
    );
    for (const activity of activities) this.#options.onRefusal(activity);
  }

  #carryOut(run: ClearRun, isToFinish = false): void {
    const { sessionId } = run.record;
    const end = (isToFinish ? run.finish() : run.run()).finally(() => this.#runs.delete(sessionId));
    this.#runs.set(sessionId, { run, end });
  }

  /** What another application was at when it ended: where it may have typed, the outcome is looked at; else it begins anew. */
  async #takeUpAbandoned(): Promise<void> {
    const abandoned = readRecords(this.#options.places).filter((record) => !isFinal(record) && isAbandoned(record));
    for (const record of abandoned) {
      const claimed = claim(this.#options.places, record);
      if ('taken' in claimed) continue; // another application was faster
      const run = new ClearRun(this.#tools, claimed.claimed, { isPatient: true });
      if (mayHaveTyped(record)) this.#carryOut(run, true);
      else if (record.by === 'user') run.giveUp('the application ended before anything was done');
      else this.#carryOut(run);
    }
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => this.#changed.push(resolve));
  }

  #tellChange(): void {
    const waiting = this.#changed;
    this.#changed = [];
    for (const resolve of waiting) resolve();
  }
}

type Refusal = { note: string; sessionId?: string; project?: string };
