/**
 * One clear, step by step (A2): countdown → waiting for idle → saving → checking again → delivering
 * → verifying → restored, or cancelled, or failed with a reason. Each step is on disk before it is
 * done. Nothing is typed before `delivering`. Once a key was sent, `/clear` is never typed again;
 * `verifying` may type the continue text once (A10).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { SessionStatus } from '../claude/status/session-status.ts';
import { hasPromptOfUser } from '../claude/transcript/context-history.ts';
import { ExpectedError, messageOf } from '../messages/expected-error.ts';
import { type Message, message } from '../messages/message.ts';
import { attempt } from '../platform/store/attempt.ts';
import { thisProcess } from '../platform/store/owner.ts';
import type { Places } from '../platform/store/places.ts';
import type { AutoClearSettings, Settings } from '../settings/settings.ts';
import { addActivity } from './activity.ts';
import { continuesUsedUp, mayContinue } from './breaker.ts';
import {
  continueWork,
  waitForBriefing,
  waitForCompaction,
  waitForNewSession,
} from './clear-outcome.ts';
import {
  type ClearRecord,
  type ClearState,
  isSameProcess,
  mayHaveTyped,
  readRecords,
  writeRecord,
} from './clear-record.ts';
import { areClearsPaused, type ClearRequest, takeRequest } from './clear-requests.ts';
import {
  type ClearTarget,
  type Driver,
  driverName,
  FIXED_TEXTS,
  type FixedText,
} from './delivery/driver.ts';
import { decide } from './policy.ts';
import { saveSession, saveUpToReply, summariseSession } from './saving.ts';

export interface RunTools {
  places: Places;
  /** The drivers that the user allows in a project, in their order. */
  driversFor(projectRoot: string): Driver[];
  settingsOf(projectRoot: string): Settings;
  /** All that are alive. */
  listSessions(): Promise<SessionStatus[]>;
  /** Resolves when something about a session has changed, and after a second at the latest. */
  nextChange(): Promise<void>;
  /** Why nothing may be typed into a session right now (A3). */
  refusal(target: ClearTarget): Promise<Message | undefined>;
  /** Shows in the session that it will be cleared; without seconds, that the user must agree. */
  announceInSession(record: ClearRecord, seconds: number | undefined): Promise<unknown>;
  onStep(record: ClearRecord): void;
}

export interface RunOptions {
  /** Wait for a busy session; if false, a busy session cancels the clear. */
  waitForIdle: boolean;
}

const MINUTE_MS = 60_000;
/** After this time a clear is announced again. */
const ANNOUNCED_FOR_MS = MINUTE_MS;
const MIN_RETRY_MS = 2000;
const TICK_MS = 1000;
/** If a tick of a countdown takes longer, the machine slept and the user has not seen it. */
const SLEPT_MS = 10_000;
/** Each hook of a turn may signal: a cancelled clear must not begin again with the next signal. */
const MIN_CANCELLED_MINUTES = 1;
/** Longer after a crash nobody can say what became of a clear. */
const OUTCOME_KNOWN_MS = 2 * MINUTE_MS;

/** The application is ending: a clear that has typed nothing is left to the next one. */
class Halted extends Error {}

/** Ends a run as cancelled; any other error ends it as failed. */
class Cancelled extends ExpectedError {}

export class ClearRun {
  readonly #tools: RunTools;
  readonly #options: RunOptions;
  #record: ClearRecord;
  #announcedAt = 0;
  #firstRefusedAt = 0;
  #saved: SessionStatus | undefined;
  #isWantedNow = false;
  #stop: Message | undefined;
  #isHalted = false;
  #wakeUp: () => void = () => undefined;

  constructor(tools: RunTools, record: ClearRecord, options: RunOptions = { waitForIdle: true }) {
    this.#tools = tools;
    this.#record = record;
    this.#options = options;
  }

  get record(): ClearRecord {
    return this.#record;
  }

  /** Takes what the user asks for, as long as the clear can still be stopped. */
  request(request: ClearRequest): void {
    if (request === 'now') {
      this.#isWantedNow = true;
      this.#record = { ...this.#record, isAgreed: true };
    } else {
      const { snoozeMinutes, cooldownMinutes } = this.#settings;
      const isSnooze = request === 'snooze';
      const minutes = isSnooze ? snoozeMinutes : Math.max(cooldownMinutes, MIN_CANCELLED_MINUTES);
      this.#stop = message(isSnooze ? 'clear.snoozed' : 'clear.cancelled', { minutes });
      const notBefore = new Date(Date.now() + minutes * MINUTE_MS).toISOString();
      this.#record = { ...this.#record, notBefore };
    }
    this.#wakeUp();
  }

  /** Stops the run, unless it has begun to type: then it is brought to its end. */
  halt(): void {
    this.#isHalted = true;
    this.#wakeUp();
  }

  /** Runs to the end; never throws. */
  async run(): Promise<ClearRecord> {
    try {
      await (mayHaveTyped(this.#record) ? this.#finish() : this.#clear());
    } catch (error) {
      if (error instanceof Halted) return this.#record;
      this.#end(error instanceof Cancelled ? 'cancelled' : 'failed', messageOf(error));
    }
    return this.#record;
  }

  giveUp(reason: Message): void {
    this.#end('cancelled', reason);
  }

  async #clear(): Promise<void> {
    let driver: Driver | undefined;
    while (driver === undefined) {
      await this.#countdown();
      const session = await this.#waitForIdle();
      await this.#save(session);
      driver = await this.#deliver();
    }
    await this.#verify(driver);
  }

  /** After a crash: a key may have been sent, so all that is left is to see what came of it. */
  async #finish(): Promise<void> {
    const { steps, way } = this.#record;
    const failed = (reason: Message) =>
      new ExpectedError(way === 'mod' ? reason : message('clear.mayBeTyped', { reason }));
    if (Date.now() - Date.parse(steps.at(-1)?.at ?? '') > OUTCOME_KNOWN_MS)
      throw failed(message('clear.interrupted'));
    const driver = this.#drivers.find(({ name }) => name === way);
    await this.#verify(driver).catch((error) => {
      throw failed(message('clear.failedAfterRestart', { reason: messageOf(error) }));
    });
  }

  /** With a full disk the end cannot be written; it is reported all the same. */
  #end(state: 'cancelled' | 'failed', note: Message): void {
    try {
      this.#enter(state, note);
    } catch {
      this.#report(this.#nextRecord(state, note));
    }
  }

  get #settings(): AutoClearSettings {
    return this.#tools.settingsOf(this.#record.projectRoot).autoClear;
  }

  /** Only the mod compacts: a clear that nobody was told of does not take its place. */
  get #drivers(): Driver[] {
    const drivers = this.#tools.driversFor(this.#record.projectRoot);
    return this.#isCompacting ? drivers.filter(({ name }) => name === 'mod') : drivers;
  }

  get #isCompacting(): boolean {
    return this.#record.method === 'compact';
  }

  get #command(): FixedText {
    return this.#isCompacting ? FIXED_TEXTS.compact : FIXED_TEXTS.clear;
  }

  #howDone(how: Message): Message {
    return this.#isCompacting ? message('driver.modCompacts') : how;
  }

  /** On disk first, for the application that finds it after a crash. */
  #enter(state: ClearState, note?: Message, more: Partial<ClearRecord> = {}): void {
    const record = { ...this.#nextRecord(state, note), ...more };
    writeRecord(this.#tools.places, record);
    this.#report(record);
  }

  #nextRecord(state: ClearState, note: Message | undefined): ClearRecord {
    const step = { state, at: new Date().toISOString(), ...(note !== undefined && { note }) };
    const steps = [...this.#record.steps, step];
    return { ...this.#record, owner: thisProcess(), state, steps };
  }

  #report(record: ClearRecord): void {
    this.#record = record;
    const { state: what, sessionId, projectRoot: project, steps, way, method } = record;
    const note = steps.at(-1)?.note;
    addActivity(this.#tools.places, [{ what, sessionId, project, note, way, method }]);
    this.#tools.onStep(record);
  }

  /** Time in which the user can say no; in the mode `ask`, until they say yes. */
  async #countdown(): Promise<void> {
    const { mode, countdownSeconds: seconds } = this.#settings;
    const isAsking = mode === 'ask' && this.#announcedAt === 0;
    const isAnnounced = Date.now() - this.#announcedAt < ANNOUNCED_FOR_MS;
    if (this.#record.by === 'user' || (!isAsking && (isAnnounced || seconds === 0))) return;
    const ms = isAsking ? Number.POSITIVE_INFINITY : seconds * 1000;
    const counting = this.#isCompacting ? 'clear.compactCountdown' : 'clear.countdown';
    const note = isAsking ? message('clear.asking') : message(counting, { seconds });
    const countdownEnds = isAsking ? undefined : new Date(Date.now() + ms).toISOString();
    this.#enter('countdown', note, { countdownEnds });
    const announced = this.#tools.announceInSession(this.#record, isAsking ? undefined : seconds);
    const isSleptThrough = await this.#tickDown(ms);
    await announced;
    if (isSleptThrough) return this.#countdown();
    this.#isWantedNow = false;
    this.#announcedAt = Date.now();
  }

  /** Counts ticks, since the clock may be set. True if the machine slept meanwhile. */
  async #tickDown(ms: number): Promise<boolean> {
    for (let left = ms; left > 0 && !this.#isWantedNow; ) {
      await this.#wantedSession();
      const before = Date.now();
      await this.#pause(Math.min(left, TICK_MS));
      const passed = Date.now() - before;
      if (passed > SLEPT_MS) return true;
      left -= Math.max(0, passed);
    }
    return false;
  }

  async #waitForIdle(): Promise<SessionStatus> {
    const { busyMinutes: minutes } = this.#settings;
    const since = Date.now();
    let lastNote: Message | undefined;
    for (;;) {
      const session = await this.#wantedSession();
      const reason = await this.#tools.refusal(session);
      if (reason === undefined) return session;
      if (!this.#options.waitForIdle) throw new Cancelled(reason);
      const isLong = Date.now() - since > minutes * MINUTE_MS;
      const long = this.#isCompacting ? 'clear.compactWaitedLong' : 'clear.waitedLong';
      const note = isLong ? message(long, { reason, minutes }) : reason;
      if (!isDeepStrictEqual(note, lastNote)) this.#enter('waiting', note);
      lastNote = note;
      await this.#pause();
    }
  }

  async #save(session: SessionStatus): Promise<void> {
    this.#enter('saving', undefined, { percent: session.percent ?? undefined });
    const { places, settingsOf } = this.#tools;
    const { sessionId, projectRoot: project } = session;
    try {
      const entries = await saveUpToReply(places, session);
      addActivity(places, [{ what: 'saved', sessionId, project, figures: { entries } }]);
      this.#saved = session;
    } catch (error) {
      const code = this.#isCompacting ? 'clear.compactSaveFailed' : 'clear.saveFailed';
      throw new ExpectedError(message(code, { reason: messageOf(error) }));
    }
    const mod = this.#drivers.find(({ name }) => name === 'mod');
    if ((await mod?.certainty(session))?.certain !== true) return;
    const reason = await summariseSession(places, settingsOf(this.#record.projectRoot), session);
    this.#enter(
      'saving',
      reason === undefined ? message('clear.handOver') : message('clear.noHandOver', { reason }),
    );
  }

  /** The last check before anything is touched. If the user went on, all begins again (A2). */
  async #isAsSaved(): Promise<boolean> {
    this.#enter('rechecking');
    const session = await this.#wantedSession();
    const isSame = session.state === 'idle' && saveSession(this.#tools.places, session).added === 0;
    if (!isSame) this.#enter('waiting', message('clear.workWentOn'));
    return isSame;
  }

  /** Uses the first driver that is certain. Undefined: nothing was touched, so begin again. */
  async #deliver(): Promise<Driver | undefined> {
    const refused: Message[] = [];
    let failure: Message | undefined;
    for (const driver of this.#drivers) {
      const name = driverName(driver.name);
      const certainty = await driver.certainty(this.#record);
      if (!certainty.certain) {
        refused.push(message('clear.driverRefused', { driver: name, reason: certainty.why }));
        continue;
      }
      if (!(await this.#isAsSaved())) return undefined;
      this.#enter('delivering', this.#howDone(certainty.how), {
        way: driver.name,
        isPrompted: this.#isPrompted(),
      });
      const delivery = await driver.deliver(this.#record, this.#command);
      if (delivery.done) return driver;
      const { reason } = delivery;
      failure = message('clear.driverFailed', { driver: name, reason });
      if (delivery.touched) throw new ExpectedError(failure);
      this.#enter('waiting', reason);
      if ((await this.#tools.refusal(this.#record)) !== undefined) return undefined; // work went on
    }
    const hasTried = this.#record.steps.some(({ state }) => state === 'delivering');
    const noDriver = message('clear.noDriver', { reasons: refused });
    if (!hasTried) throw new ExpectedError(noDriver);
    await this.#waitToTryAgain(failure ?? noDriver);
    return undefined;
  }

  /** Something covers the prompt box, such as an open list. Retries with growing pauses. */
  async #waitToTryAgain(reason: Message): Promise<void> {
    const { busyMinutes } = this.#settings;
    this.#firstRefusedAt ||= Date.now();
    const waited = Date.now() - this.#firstRefusedAt;
    if (!this.#options.waitForIdle || waited > busyMinutes * MINUTE_MS)
      throw new ExpectedError(reason);
    await this.#pause(Math.max(MIN_RETRY_MS, waited / 2), []);
  }

  async #verify(driver: Driver | undefined): Promise<void> {
    this.#enter('verifying');
    if (this.#isCompacting) return this.#verifyCompaction();
    const next = await waitForNewSession(this.#tools, this.#record);
    const saved = this.#saved;
    // Claude Code writes the last rows of the transcript only when it clears.
    if (saved !== undefined) attempt(() => saveSession(this.#tools.places, saved), undefined);
    this.#record = { ...this.#record, newSessionId: next.sessionId };
    let outcome = await waitForBriefing(this.#tools, this.#record, next);
    const isToContinue = this.#settings.continue && this.#record.isContinued !== true;
    if (isToContinue && !this.#mayContinue()) {
      outcome = message('clear.leftIdle', { outcome, reason: continuesUsedUp() });
      this.#record = { ...this.#record, isLeftIdle: true };
    } else if (isToContinue) {
      // On disk before it is typed, so that it is never typed twice (A10).
      this.#enter('verifying', message('clear.continuing'), { isContinued: true });
      outcome = await continueWork(this.#tools, driver, next, outcome);
    }
    this.#enter('restored', outcome);
  }

  /** The same session goes on, so nobody has to tell it to continue. */
  async #verifyCompaction(): Promise<void> {
    const { note, tokensAfter } = await waitForCompaction(this.#tools, this.#record);
    const saved = this.#saved;
    if (saved !== undefined) attempt(() => saveSession(this.#tools.places, saved), undefined);
    this.#enter('restored', note, { tokensAfter });
  }

  /** Claude Code's own transcript tells it, so it is known where no hook runs. */
  #isPrompted(): boolean {
    const transcript = this.#saved?.transcript ?? null;
    return transcript !== null && hasPromptOfUser(transcript, FIXED_TEXTS.continue);
  }

  #mayContinue(): boolean {
    const records = readRecords(this.#tools.places);
    return mayContinue(
      this.#record,
      records.filter((record) => isSameProcess(record, this.#record)),
    );
  }

  /** The session, as long as the user and the policy still want it cleared. */
  async #wantedSession(): Promise<SessionStatus> {
    const { places } = this.#tools;
    const { pid, processStart, sessionId, steps, by } = this.#record;
    const session = (await this.#tools.listSessions()).find((one) => one.pid === pid);
    if (session === undefined) throw new Cancelled(message('clear.sessionEnded'));
    if (session.processStart !== processStart)
      throw new Cancelled(message('clear.processReplaced', { pid: String(pid) }));
    if (session.sessionId !== sessionId) throw new Cancelled(message('clear.alreadyCleared'));
    if (this.#isHalted) throw new Halted();
    const request = takeRequest(places, sessionId, steps[0]?.at ?? '');
    if (request !== undefined) this.request(request);
    if (this.#stop !== undefined) throw new Cancelled(this.#stop);
    if (by === 'user') return session;
    const settings = this.#settings;
    const isPaused = areClearsPaused(places);
    const decision = decide({ session, settings, records: [], isPaused, now: new Date() });
    if (!decision.clear) throw new Cancelled(decision.reason);
    return session;
  }

  /** Until something changes, the user asks for something, or the time is over. */
  async #pause(ms = 1000, changes = [this.#tools.nextChange()]): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wakeUp = resolve;
    });
    await Promise.race([...changes, woken, sleep(ms)]);
  }
}
