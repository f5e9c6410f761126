/**
 * Watches for clear signals and clears the sessions that reach their threshold, one run for each
 * (A1). A file watcher finds signals and clear requests, and so does a poll every second in case it
 * missed one. On start it resumes, finishes or cancels the clears that an earlier application left unfinished.
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
  isSameProcess,
  mayHaveTyped,
  readRecords,
} from './clear-record.ts';
import { areClearsPaused, type ClearRequest, clearRequestsFolder } from './clear-requests.ts';
import { ClearRun, type RunTools } from './clear-run.ts';
import { beginClear, type ClearingOptions, explainClear, runTools } from './clearing.ts';
import { decide, isOverThreshold } from './policy.ts';
import { type SignalReading, takeSignals } from './signal.ts';
import { announceWatcher, otherWatchers, withdrawWatcher } from './watchers.ts';
import { signalsFolder } from './write-signal.ts';

export interface AutoClearOptions extends ClearingOptions {
  onStep(record: ClearRecord): void;
  /** Called for each signal that was not followed, with the reason. */
  onRefusal(activity: Activity): void;
  /** Called at once, and whenever something about a session changes. */
  onReport?(report: StatusReport): void;
  /** Shared with a caller that tracks the sessions already. */
  tracker?: StatusTracker;
}

type Refusal = { note: Message; sessionId?: string; project?: string };

const POLL_INTERVAL_MS = 1000;
const DECIDE_AGAIN_MS = 30_000;

export class AutoClear {
  /** The processes of other applications that were watching already. */
  others: readonly number[] = [];
  readonly #options: AutoClearOptions;
  readonly #tools: RunTools;
  readonly #status: StatusWatch;
  readonly #files: FSWatcher = watchFiles([], { ignoreInitial: true, atomic: false, depth: 0 });
  readonly #runs = new Map<string, { run: ClearRun; end: Promise<unknown> }>();
  /** The last reported refusal of each session, and those that belong to none. */
  readonly #reported = new Map<string, string>();
  /** Refusals that end with time: decided again later, since nobody signals again. */
  readonly #postponed = new Map<string, { at: number; pid: number }>();
  #resolveChange: () => void = () => undefined;
  #change = this.#newChange();
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;
  #pollAgain = false;
  #isClosed = false;

  constructor(options: AutoClearOptions) {
    const { places, onStep, onReport, pollIntervalMs } = options;
    const tracker = options.tracker ?? new StatusTracker(options);
    this.#options = options;
    this.#tools = { ...runTools(options, onStep), nextChange: () => this.#change };
    const reportChange = (report: StatusReport) => {
      this.#signalChange();
      onReport?.(report);
    };
    this.#status = new StatusWatch(tracker, places, reportChange, pollIntervalMs);
    // chokidar drops events within 50 ms of a change, but passes on each raw one.
    this.#files.on('all', () => this.#pollSoon()).on('raw', () => this.#pollSoon());
    this.#files.on('error', () => undefined); // out of watches, or no permission: polling goes on
  }

  async start(): Promise<this> {
    const { places, pollIntervalMs = POLL_INTERVAL_MS } = this.#options;
    for (const folder of [signalsFolder(places), clearRequestsFolder(places)]) {
      makePrivateFolder(folder);
      this.#files.add(folder);
    }
    this.others = otherWatchers(places);
    announceWatcher(places);
    await this.#status.start();
    this.#takeUpAbandoned();
    this.#pollSoon();
    this.#timer = setInterval(() => this.#pollSoon(), pollIntervalMs);
    return this;
  }

  /** Finishes clears that have begun to type; leaves the others to the next application. */
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
  request(sessionId: string, request: ClearRequest): boolean {
    const running = this.#runs.get(sessionId);
    running?.run.request(request);
    return running !== undefined;
  }

  /** Clears a session as soon as it is idle, unless another application is at it. */
  clear(
    session: SessionStatus,
    by: ClearRecord['by'] = 'user',
  ): { begun: ClearRecord } | { taken: ClearRecord } {
    const begun = beginClear(this.#tools, session, by);
    if ('taken' in begun) return begun;
    const { record } = begun.run;
    this.#reported.delete(session.sessionId);
    this.#carryOut(begun.run);
    return { begun: record };
  }

  explain(session: SessionStatus): ReturnType<typeof explainClear> {
    return explainClear(this.#tools, session);
  }

  get records(): ClearRecord[] {
    return [...this.#runs.values()].map(({ run }) => run.record);
  }

  /** Polls once at a time; what happens meanwhile leads to one more. */
  #pollSoon(): void {
    this.#pollAgain = true;
    if (!this.#isPolling) void this.#pollUntilQuiet();
  }

  async #pollUntilQuiet(): Promise<void> {
    this.#isPolling = true;
    while (this.#pollAgain && !this.#isClosed) {
      this.#pollAgain = false;
      this.#signalChange(); // there may be a request for a run
      // A failure (no permission, too many open files) is reported, and polling goes on.
      await this.#followSignals().catch((error) => this.#refuse([{ note: messageOf(error) }]));
    }
    this.#isPolling = false;
  }

  async #followSignals(): Promise<void> {
    const readings = takeSignals(this.#options.places);
    const due = [...this.#postponed].filter(([, { at }]) => at <= Date.now());
    for (const [sessionId] of due) this.#postponed.delete(sessionId);
    if (readings.length + due.length === 0) return;
    const sessions = await this.#tools.listSessions();
    const followed = readings.map((reading) => this.#follow(reading, sessions));
    const dueAndAlive = sessions.filter(({ sessionId, pid }) =>
      due.some(([id, one]) => id === sessionId && one.pid === pid),
    );
    const decided = dueAndAlive.map((session) => this.#decide(session));
    this.#refuse([...followed, ...decided].flatMap((refusal) => refusal ?? []));
  }

  /** Why a signal is not followed; undefined if it is. */
  #follow(reading: SignalReading, sessions: readonly SessionStatus[]): Refusal | undefined {
    if (reading.kind === 'refused') return { note: reading.reason };
    const found = this.#signalled(reading, sessions);
    return 'note' in found ? found : this.#decide(found);
  }

  /** Begins to clear a session; else returns why not. */
  #decide(session: SessionStatus): Refusal | undefined {
    const { sessionId, pid, projectRoot: project } = session;
    if (this.#runs.has(sessionId)) return undefined; // under way
    const { places } = this.#options;
    const records = readRecords(places).filter((record) => isSameProcess(record, session));
    const settings = this.#tools.settingsOf(project).autoClear;
    const isPaused = areClearsPaused(places);
    const decision = decide({ session, settings, records, isPaused, now: new Date() });
    if (!decision.clear) {
      if (decision.isTemporary)
        this.#postponed.set(sessionId, { at: Date.now() + DECIDE_AGAIN_MS, pid });
      return { note: decision.reason, sessionId, project };
    }
    const begun = this.clear(session, 'threshold');
    if ('begun' in begun) return undefined;
    const owner = String(begun.taken.owner.pid);
    return { note: message('clear.takenBy', { pid: owner }), sessionId, project };
  }

  /** The session that a signal is about, or why none is. */
  #signalled(
    reading: Exclude<SignalReading, { kind: 'refused' }>,
    sessions: readonly SessionStatus[],
  ): SessionStatus | Refusal {
    if (reading.kind === 'any') {
      const full = sessions.filter((one) =>
        isOverThreshold(one, this.#tools.settingsOf(one.projectRoot).autoClear),
      );
      const [session] = full;
      if (session !== undefined && full.length === 1) return session;
      return { note: message('clear.signalAmbiguous', { count: full.length }) };
    }
    const { sessionId, pid } = reading.signal;
    const same = sessions.filter((one) => one.sessionId === sessionId); // resumed twice, maybe
    const session = same.find((one) => one.pid === pid);
    if (session !== undefined) return session;
    const [other] = same;
    const note =
      other === undefined
        ? message('clear.signalNoSession')
        : message('clear.signalOtherProcess', { pid: String(pid), other: String(other.pid) });
    return { note, sessionId };
  }

  /** Reports refusals, each once: a session signals after each turn. */
  #refuse(refusals: readonly Refusal[]): void {
    const isNews = ({ note, sessionId }: Refusal) =>
      this.#reported.get(sessionId ?? logText(note)) !== logText(note);
    const news = refusals.filter(isNews);
    for (const { note, sessionId } of news)
      this.#reported.set(sessionId ?? logText(note), logText(note));
    const activities = news.map((refusal) => ({ what: 'refused', ...refusal }));
    for (const activity of addActivity(this.#options.places, activities))
      this.#options.onRefusal(activity);
  }

  #carryOut(run: ClearRun): void {
    const { sessionId } = run.record;
    const end = run.run().finally(() => this.#runs.delete(sessionId));
    this.#runs.set(sessionId, { run, end });
  }

  /** Takes over the clears of applications that have ended. */
  #takeUpAbandoned(): void {
    const { places } = this.#options;
    for (const record of readRecords(places)) {
      if (isFinal(record) || !isAbandoned(record)) continue;
      const claimed = claim(places, record);
      if ('taken' in claimed) continue; // another application was faster
      const run = new ClearRun(this.#tools, claimed.claimed);
      if (record.by === 'user' && !mayHaveTyped(record)) run.giveUp(message('clear.appEnded'));
      else this.#carryOut(run);
    }
  }

  #signalChange(): void {
    this.#resolveChange();
    this.#change = this.#newChange();
  }

  #newChange(): Promise<void> {
    return new Promise((resolve) => {
      this.#resolveChange = resolve;
    });
  }
}
