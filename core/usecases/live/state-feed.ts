/**
 * The live state of the window (C3, G1): all sessions with their growth, the clears under way and
 * the last one of each session, whether clears are paused. This is also the application that clears
 * (A1). Reports only changes, at most ten times a second.
 */
import type { SessionStatus } from '../../claude/status/session-status.ts';
import { type StatusReport, StatusTracker } from '../../claude/status/status-tracker.ts';
import { AutoClear } from '../../clear/auto-clear.ts';
import { type Breaker, breakerOf } from '../../clear/breaker.ts';
import { type ClearRecord, isAbandoned, isFinal } from '../../clear/clear-record.ts';
import { areClearsPaused } from '../../clear/clear-requests.ts';
import { type ClearingOptions, methodFor } from '../../clear/clearing.ts';
import { hasPlugin } from '../../clear/delivery/mod.ts';
import { type EarliestClear, earliestClear, kindRefusal } from '../../clear/policy.ts';
import { messageOf } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import type { Settings } from '../../settings/settings.ts';
import { thresholdTokens } from '../../settings/thresholds.ts';
import { ClearRecordCache, lastStepAt } from './clear-record-cache.ts';
import { Growth, type GrowthPoint } from './growth.ts';

export interface LiveState {
  sessions: SessionView[];
  problems: Message[];
  /** Clears under way, and the last one of each session. */
  clears: ClearRecord[];
  isPaused: boolean;
}

export interface SessionView extends SessionStatus {
  /** The last 30 turns, over clears. */
  growth: GrowthPoint[];
  /** Tokens at which it is cleared automatically; null if unknown. */
  clearAtTokens: number | null;
  /** auto: after a countdown; ask: once the user confirms; off: never. */
  clearMode: 'auto' | 'ask' | 'off';
  /** What is done to it then; compacting needs the mod in it. */
  clearMethod: 'clear' | 'compact';
  /** Whether the plugin has been seen in it. */
  hasPlugin: boolean;
  /** Not cleared automatically before this time (cooldown or quiet hours). Null: no such limit. */
  notClearedBefore: EarliestClear | null;
  /** Why it is left alone for now (T5); null if it is not. */
  breaker: Breaker | null;
  /** Why sessions of its kind are cleared by hand alone; null if they are not. */
  kindRefusal: Message | null;
}

const REPORT_INTERVAL_MS = 100;

export class StateFeed {
  readonly clears: AutoClear;
  readonly #options: ClearingOptions;
  readonly #onState: (state: LiveState) => void;
  readonly #tracker: StatusTracker;
  readonly #growth: Growth;
  readonly #records: ClearRecordCache;
  #status: StatusReport = { sessions: [], problems: [] };
  #state: LiveState = { sessions: [], problems: [], clears: [], isPaused: false };
  #lastText = '';
  #reportedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ClearingOptions, onState: (state: LiveState) => void) {
    this.#options = options;
    this.#onState = onState;
    this.#tracker = new StatusTracker(options);
    this.#growth = new Growth(options.places);
    this.#records = new ClearRecordCache(options.places);
    this.clears = new AutoClear({
      ...options,
      tracker: this.#tracker,
      onReport: (report) => {
        this.#status = report;
        this.reportSoon();
      },
      onStep: (record) => {
        this.#records.setOwn(record);
        this.reportSoon();
      },
      onRefusal: () => undefined, // shown in the activity
    });
  }

  async start(): Promise<void> {
    await this.clears.start();
    this.#report();
  }

  /** Finishes a clear that has begun, and still reports it. */
  async close(): Promise<void> {
    await this.clears.close();
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  get state(): LiveState {
    return this.#state;
  }

  /** The project of each session. */
  get sessionRoots(): string[] {
    return this.#status.sessions.map(({ projectRoot }) => projectRoot);
  }

  /** The sessions as they are this very moment. */
  async readSessions(): Promise<readonly SessionStatus[]> {
    return (await this.#tracker.report()).sessions;
  }

  /** The projects of sessions that run, were cleared, or were begun by a clear. */
  get projects(): Record<string, string> {
    const projects: Record<string, string> = {};
    for (const { sessionId, newSessionId = sessionId, projectRoot } of this.#records.all) {
      projects[sessionId] = projectRoot;
      projects[newSessionId] = projectRoot;
    }
    for (const { sessionId, projectRoot } of this.#status.sessions)
      projects[sessionId] = projectRoot;
    return projects;
  }

  /** Something may have changed. */
  reportSoon(): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(
      () => this.#report(),
      Math.max(0, this.#reportedAt + REPORT_INTERVAL_MS - performance.now()),
    );
  }

  #report(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const state = this.#currentState();
    const text = JSON.stringify(state);
    if (text === this.#lastText) return;
    this.#lastText = text;
    this.#state = state;
    this.#reportedAt = performance.now(); // the clock may be set back
    this.#onState(state);
  }

  /** If something fails (too many open files, say), the user sees it, and the next report comes. */
  #currentState(): LiveState {
    try {
      return this.#compose();
    } catch (error) {
      const problem = message('sessions.notUpToDate', { reason: messageOf(error) });
      return { ...this.#state, problems: [problem] };
    }
  }

  #compose(): LiveState {
    const { places } = this.#options;
    const { sessions, problems } = this.#status;
    this.#records.refresh();
    this.#growth.keepOnly(sessions);
    const settings = this.#tracker.settings.readAll([...new Set(this.sessionRoots)]);
    const views = sessions.map((session) =>
      this.#view(session, settings.get(session.projectRoot)?.settings),
    );
    return {
      sessions: views,
      problems,
      clears: this.#clearsOf(sessions),
      isPaused: areClearsPaused(places),
    };
  }

  #view(session: SessionStatus, settings: Settings | undefined): SessionView {
    const { places } = this.#options;
    const autoClear = settings?.autoClear;
    const clearAt = autoClear && thresholdTokens(autoClear.threshold, session.window);
    const all = [...this.#records.all];
    const records = all.filter((record) => processOf(record) === processOf(session));
    return {
      ...session,
      growth: this.#growth.of(session, this.#tracker.turnsOf(session), this.#records.byNewSession),
      // Before the first reply nothing is known of it.
      clearAtTokens: clearAt == null || session.model === null ? null : Math.round(clearAt),
      clearMode: autoClear?.mode ?? 'off',
      clearMethod: settings === undefined ? 'clear' : methodFor(places, settings, session),
      hasPlugin: hasPlugin(places, session),
      notClearedBefore:
        (autoClear && earliestClear({ settings: autoClear, records, now: new Date() })) ?? null,
      breaker: (autoClear && breakerOf(all, session, autoClear)) ?? null,
      kindRefusal: (autoClear && kindRefusal(session, autoClear)) ?? null,
    };
  }

  #clearsOf(sessions: readonly SessionStatus[]): ClearRecord[] {
    const underWay: ClearRecord[] = [];
    const last = new Map<string, ClearRecord>();
    const alive = new Set(sessions.map(processOf));
    for (const record of this.#records.all) {
      const key = processOf(record);
      if (!isFinal(record) && !isAbandoned(record)) underWay.push(record);
      else if (alive.has(key) && lastStepAt(record) >= lastStepAt(last.get(key) ?? record))
        last.set(key, record);
    }
    return [...underWay, ...last.values()].sort((one, other) =>
      lastStepAt(one) < lastStepAt(other) ? -1 : 1,
    );
  }
}

function processOf({ pid, processStart }: Pick<SessionStatus, 'pid' | 'processStart'>): string {
  return `${pid} ${processStart}`;
}
