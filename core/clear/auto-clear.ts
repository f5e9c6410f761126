/**
 * Watches for signals and clears the sessions they are about, one run for each (A1). Signals and
 * wishes are found by a file watcher, and by a look every second in case it missed one. What an
 * earlier application left unfinished is finished or given up first.
 */
import { type FSWatcher, watch as watchFiles } from 'chokidar';
import type { SessionStatus } from '../claude/status/session-status.ts';
import { type StatusReport, StatusTracker } from '../claude/status/status-tracker.ts';
import { StatusWatch } from '../claude/status/status-watch.ts';
import { messageOf } from '../messages/expected-error.ts';
import { logText, type Message, message } from '../messages/message.ts';
import { makePrivateFolder } from '../platform/store/atomic-write.ts';
import { type Activity, addActivity } from './activity.ts';
import {
  type ClearRecord,
  claim,
  isAbandoned,
  isFinal,
  mayHaveTyped,
  readRecords,
} from './clear-record.ts';
import { ClearRun, type RunTools } from './clear-run.ts';
import {
  beginClear,
  type ClearingOptions,
  type Explanation,
  explainClear,
  runTools,
} from './clearing.ts';
import { decide, isOverThreshold } from './policy.ts';
import { type SignalReading, takeSignals } from './signal.ts';
import { announceWatcher, otherWatchers, withdrawWatcher } from './watchers.ts';
import { areClearsPaused, type Wish, wishesFolder } from './wishes.ts';
import { signalsFolder } from './write-signal.ts';

export interface AutoClearOptions extends ClearingOptions {
  /** Each step of each clear. */
  onStep(record: ClearRecord): void;
  /** Each signal that was not followed, with the reason. */
  onRefusal(activity: Activity): void;
  /**
   * All sessions, now and whenever something about them changes: who shows them need not look a
   * second time.
   */
  onReport?(report: StatusReport): void;
  /** Whose memory of the sessions is used; else one of its own. */
  tracker?: StatusTracker;
}

const LOOK_EVERY_MS = 1000;
const DECIDE_AGAIN_MS = 30_000;

export class AutoClear {
  /** The processes of other applications that were watching already. */
  others: readonly number[] = [];
  readonly #options: AutoClearOptions;
  readonly #tools: RunTools;
  readonly #status: StatusWatch;
  readonly #files: FSWatcher = watchFiles([], { ignoreInitial: true, atomic: false, depth: 0 });
  readonly #runs = new Map<string, { run: ClearRun; end: Promise<unknown> }>();
  /** The last refusal of each session, and of what belongs to none. */
  readonly #told = new Map<string, string>();
  /** What time alone may change is decided again in a while, though nobody signals again. */
  readonly #again = new Map<string, { at: number; session: SessionStatus }>();
  #change: Promise<void>;
  #resolveChange: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #lookAgain = false;
  #isClosed = false;

  constructor(options: AutoClearOptions) {
    this.#options = options;
    this.#change = this.#newChange();
    this.#tools = { ...runTools(options, options.onStep), nextChange: () => this.#change };
    this.#status = new StatusWatch(
      options.tracker ?? new StatusTracker(options),
      options.places,
      (report) => {
        this.#tellChange();
        options.onReport?.(report);
      },
      options.lookEveryMs,
    );
    // chokidar swallows what follows within 50 ms of a change; the bare event it passes on each
    // time.
    this.#files.on('all', () => this.#lookSoon()).on('raw', () => this.#lookSoon());
    this.#files.on('error', () => undefined); // out of watches, or no permission: the look every second goes on
  }

  async start(): Promise<this> {
    const { places } = this.#options;
    for (const folder of [signalsFolder(places), wishesFolder(places)]) {
      makePrivateFolder(folder);
      this.#files.add(folder);
    }
    this.others = otherWatchers(places);
    announceWatcher(places);
    await this.#status.start();
    await this.#takeUpAbandoned();
    this.#lookSoon();
    this.#timer = setInterval(() => this.#lookSoon(), this.#options.lookEveryMs ?? LOOK_EVERY_MS);
    return this;
  }

  /**
   * A clear that has begun to type is brought to its end; the others are left to the next
   * application.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#files.close();
    await this.#status.close();
    for (const { run } of this.#runs.values()) run.halt();
    await Promise.all([...this.#runs.values()].map(({ end }) => end));
    withdrawWatcher(this.#options.places);
  }

  /** False if it is not this application that clears the session. */
  wish(sessionId: string, wish: Wish): boolean {
    const running = this.#runs.get(sessionId);
    running?.run.wish(wish);
    return running !== undefined;
  }

  /**
   * Clears a session because the user wants it, as soon as it is idle. Gives back how it stands, or
   * who is at it already.
   */
  clear(session: SessionStatus): { begun: ClearRecord } | { taken: ClearRecord } {
    const begun = beginClear(this.#tools, session, 'user', { isPatient: true });
    if ('taken' in begun) return begun;
    const { record } = begun.run;
    this.#told.delete(session.sessionId);
    this.#carryOut(begun.run);
    return { begun: record };
  }

  /** Which way a session would be cleared, and why, or why not. */
  explain(session: SessionStatus): Promise<Explanation> {
    return explainClear(this.#tools, session);
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
      this.#tellChange(); // a run may have been wished something
      // Whatever goes wrong (no permission, too many open files) is told, and the next look comes.
      await this.#follow().catch((error) => this.#refuse([{ note: messageOf(error) }]));
    }
    this.#isLooking = false;
  }

  async #follow(): Promise<void> {
    const readings = takeSignals(this.#options.places);
    const due = this.#dueAgain();
    if (readings.length + due.length === 0) return;
    const sessions = await this.#tools.look();
    const refusals = readings.map((reading) => this.#followOne(reading, sessions));
    const alive = sessions.filter(({ sessionId, pid }) =>
      due.some((one) => one.sessionId === sessionId && one.pid === pid),
    );
    this.#refuse(
      [...refusals, ...alive.map((session) => this.#decide(session))].flatMap(
        (refusal) => refusal ?? [],
      ),
    );
  }

  /** Why a signal is not followed; undefined if it is. */
  #followOne(reading: SignalReading, sessions: readonly SessionStatus[]): Refusal | undefined {
    if (reading.kind === 'refused') return { note: reading.reason };
    const meant = this.#meant(reading, sessions);
    return 'note' in meant ? meant : this.#decide(meant);
  }

  /** Begins to clear a session, or tells why not. */
  #decide(session: SessionStatus): Refusal | undefined {
    const { sessionId, pid, processStart, projectRoot } = session;
    if (this.#runs.has(sessionId)) return undefined; // under way
    const records = readRecords(this.#options.places).filter(
      (record) => record.pid === pid && record.processStart === processStart,
    );
    const settings = this.#tools.settingsOf(projectRoot).autoClear;
    const isPaused = areClearsPaused(this.#options.places);
    const decision = decide({ session, settings, records, isPaused, now: new Date() });
    if (!decision.clear) {
      if (decision.isForNow)
        this.#again.set(sessionId, { at: Date.now() + DECIDE_AGAIN_MS, session });
      return { note: decision.reason, sessionId, project: projectRoot };
    }
    const begun = beginClear(this.#tools, session, 'threshold', { isPatient: true });
    if ('taken' in begun)
      return {
        note: message('clear.takenBy', { pid: String(begun.taken.owner.pid) }),
        sessionId,
        project: projectRoot,
      };
    this.#told.delete(sessionId);
    this.#carryOut(begun.run);
    return undefined;
  }

  #meant(
    reading: Exclude<SignalReading, { kind: 'refused' }>,
    sessions: readonly SessionStatus[],
  ): SessionStatus | Refusal {
    if (reading.kind === 'any') {
      const full = sessions.filter((session) =>
        isOverThreshold(session, this.#tools.settingsOf(session.projectRoot).autoClear),
      );
      if (full.length === 1) return full[0] as SessionStatus;
      return { note: message('clear.signalAmbiguous', { count: full.length }) };
    }
    const { sessionId, pid } = reading.signal;
    // it may have been resumed twice
    const same = sessions.filter((candidate) => candidate.sessionId === sessionId);
    const session = same.find((candidate) => candidate.pid === pid);
    if (session !== undefined) return session;
    const [other] = same;
    const note =
      other === undefined
        ? message('clear.signalNoSession')
        : message('clear.signalOtherProcess', { pid: String(pid), other: String(other.pid) });
    return { note, sessionId };
  }

  /**
   * A session signals after each turn, and what cannot be removed stays: what was told already is
   * not told again.
   */
  #refuse(refusals: readonly Refusal[]): void {
    const news = refusals.filter(({ note, sessionId }) => {
      const text = logText(note);
      return this.#told.get(sessionId ?? text) !== text;
    });
    for (const { note, sessionId } of news)
      this.#told.set(sessionId ?? logText(note), logText(note));
    const activities = addActivity(
      this.#options.places,
      news.map((refusal) => ({ what: 'refused', ...refusal })),
    );
    for (const activity of activities) this.#options.onRefusal(activity);
  }

  #carryOut(run: ClearRun): void {
    const { sessionId } = run.record;
    const end = run.run().finally(() => this.#runs.delete(sessionId));
    this.#runs.set(sessionId, { run, end });
  }

  /**
   * What another application was at when it ended: where it may have typed, the outcome is looked
   * at; else it begins anew.
   */
  async #takeUpAbandoned(): Promise<void> {
    const abandoned = readRecords(this.#options.places).filter(
      (record) => !isFinal(record) && isAbandoned(record),
    );
    for (const record of abandoned) {
      const claimed = claim(this.#options.places, record);
      if ('taken' in claimed) continue; // another application was faster
      const run = new ClearRun(this.#tools, claimed.claimed, { isPatient: true });
      if (record.by === 'user' && !mayHaveTyped(record)) run.giveUp(message('clear.appEnded'));
      else this.#carryOut(run);
    }
  }

  #dueAgain(): SessionStatus[] {
    const due = [...this.#again].filter(([, { at }]) => at <= Date.now());
    for (const [sessionId] of due) this.#again.delete(sessionId);
    return due.map(([, { session }]) => session);
  }

  #tellChange(): void {
    this.#resolveChange();
    this.#change = this.#newChange();
  }

  #newChange(): Promise<void> {
    return new Promise((resolve) => {
      this.#resolveChange = resolve;
    });
  }
}

type Refusal = { note: Message; sessionId?: string; project?: string };
