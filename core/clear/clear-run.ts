/**
 * One clear, step by step (A2): countdown → waiting for idle → saving → checking again → delivering
 * → verifying → restored, or cancelled, or failed with a reason. Each step is on disk before it is
 * done, and told. Nothing is typed before `delivering`, and nothing after it is typed again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { SessionStatus } from '../claude/status/session-status.ts';
import { readGiven } from '../memory/restore/given.ts';
import { ExpectedError, messageOf } from '../messages/expected-error.ts';
import { type Message, message } from '../messages/message.ts';
import { attempt } from '../platform/store/attempt.ts';
import { thisProcess } from '../platform/store/owner.ts';
import type { Places } from '../platform/store/places.ts';
import type { Settings } from '../settings/settings.ts';
import { addActivity } from './activity.ts';
import { type ClearRecord, type ClearState, mayHaveTyped, writeRecord } from './clear-record.ts';
import { type ClearTarget, type Driver, driverName, FIXED_TEXTS } from './delivery/driver.ts';
import { hasPlugin } from './delivery/mod.ts';
import { decide } from './policy.ts';
import { saveSession, saveUpToReply, summariseSession } from './saving.ts';
import { areClearsPaused, takeWish, type Wish } from './wishes.ts';

export interface RunTools {
  places: Places;
  /** The ways that the user allows, in their order. */
  drivers(settings: Settings): Driver[];
  settingsOf(projectRoot: string): Settings;
  /** All live sessions, looked at now. */
  look(): Promise<SessionStatus[]>;
  /** Resolves when something about a session has changed, and after a second at the latest. */
  nextChange(): Promise<void>;
  /** Why nothing may be typed into a session right now (A3). */
  refusal(target: ClearTarget): Promise<Message | undefined>;
  /**
   * Shows in the session itself, where that is possible, that it is going to be cleared; without
   * seconds, that a yes is waited for.
   */
  tellInSession(target: ClearTarget, seconds: number | undefined): Promise<unknown>;
  onStep(record: ClearRecord): void;
}

export interface RunOptions {
  /** Whether to wait for a session that is busy; else that is a failure. */
  isPatient: boolean;
}

const MINUTE_MS = 60_000;
/** A clear that was announced longer ago than this is announced again. */
const ANNOUNCED_FOR_MS = MINUTE_MS;
const VERIFY_WITHIN_MS = 20_000;
/** Longer than Claude Code waits for the hook that gives it (hooks.json). */
const GIVEN_WITHIN_MS = 12_000;
/** The plugin may have been installed a moment ago, so wait a little even if it was not seen. */
const GIVEN_UNSEEN_WITHIN_MS = 5000;
const LOOK_EVERY_MS = 25;
const TRY_AGAIN_MS = 2000;

/** A tick of a countdown; a longer one was slept through, and the user has not seen it. */
const TICK_MS = 1000;
const SLEPT_MS = 10_000;
/**
 * A turn signals more than once, as each hook of it ends: what was cancelled does not begin again
 * with the next one.
 */
const CANCELLED_FOR_MINUTES = 1;
/** Longer after a crash nobody can say what became of a clear. */
const KNOWN_FOR_MS = 2 * MINUTE_MS;

/** The application is ending: what has typed nothing is left to the next one as it is. */
class Halted extends Error {}

/** Ends a run from wherever it is. */
class Ended extends ExpectedError {
  readonly state: 'cancelled' | 'failed';

  constructor(state: 'cancelled' | 'failed', reason: Message) {
    super(reason);
    this.state = state;
  }
}

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

  constructor(tools: RunTools, record: ClearRecord, options: RunOptions) {
    this.#tools = tools;
    this.#record = record;
    this.#options = options;
  }

  get record(): ClearRecord {
    return this.#record;
  }

  /** What the user wants of it while it can still be stopped. */
  wish(wish: Wish): void {
    if (wish === 'now') this.#isWantedNow = true;
    else {
      const { snoozeMinutes, cooldownMinutes } = this.#settings.autoClear;
      const putOff =
        wish === 'snooze' ? snoozeMinutes : Math.max(cooldownMinutes, CANCELLED_FOR_MINUTES);
      this.#stop = message(wish === 'snooze' ? 'clear.snoozed' : 'clear.cancelled', {
        minutes: putOff,
      });
      this.#record = {
        ...this.#record,
        notBefore: new Date(Date.now() + putOff * MINUTE_MS).toISOString(),
      };
    }
    this.#wakeUp();
  }

  /** It goes no further, unless it has begun to type: then it is brought to its end. */
  halt(): void {
    this.#isHalted = true;
    this.#wakeUp();
  }

  /** From where it is to the end; it never throws. */
  async run(): Promise<ClearRecord> {
    if (mayHaveTyped(this.#record)) return this.#finish();
    return this.#untilEnd(async () => {
      let way: Driver | undefined;
      while (way === undefined) {
        await this.#countdown();
        const session = await this.#waitForIdle();
        await this.#save(session);
        way = await this.#deliver();
      }
      await this.#verify(way);
    });
  }

  /**
   * After a crash in the middle of it: a key may have been sent, so all that is left is to look
   * what came of it.
   */
  async #finish(): Promise<ClearRecord> {
    const { steps, way: name } = this.#record;
    const failed = (reason: Message) =>
      new Ended('failed', name === 'mod' ? reason : message('clear.mayBeTyped', { reason }));
    return this.#untilEnd(async () => {
      if (Date.now() - Date.parse(steps.at(-1)?.at ?? '') > KNOWN_FOR_MS)
        throw failed(message('clear.interrupted'));
      const way = this.#tools.drivers(this.#settings).find((driver) => driver.name === name);
      await this.#verify(way).catch((error) => {
        throw failed(message('clear.failedAfterRestart', { reason: messageOf(error) }));
      });
    });
  }

  giveUp(reason: Message): void {
    this.#end('cancelled', reason);
  }

  async #untilEnd(steps: () => Promise<void>): Promise<ClearRecord> {
    try {
      await steps();
    } catch (error) {
      if (error instanceof Halted) return this.#record;
      this.#end(error instanceof Ended ? error.state : 'failed', messageOf(error));
    }
    return this.#record;
  }

  /** With a full disk the end cannot be written down; it is told all the same. */
  #end(state: 'cancelled' | 'failed', note: Message): void {
    try {
      this.#enter(state, note);
    } catch {
      const step = { state, at: new Date().toISOString(), note };
      this.#tell({ ...this.#record, state, steps: [...this.#record.steps, step] });
    }
  }

  get #settings(): Settings {
    return this.#tools.settingsOf(this.#record.projectRoot);
  }

  get #target(): ClearTarget {
    const { sessionId, pid, processStart } = this.#record;
    return { sessionId, pid, processStart };
  }

  /** On disk first, so that whoever comes after a crash knows. */
  #enter(state: ClearState, note?: Message, more: Partial<ClearRecord> = {}): void {
    const step = { state, at: new Date().toISOString(), ...(note !== undefined && { note }) };
    const record = {
      ...this.#record,
      ...more,
      owner: thisProcess(),
      state,
      steps: [...this.#record.steps, step],
    };
    writeRecord(this.#tools.places, record);
    this.#tell(record);
  }

  #tell(record: ClearRecord): void {
    this.#record = record;
    const { state, sessionId, projectRoot: project, steps, way } = record;
    const note = steps.at(-1)?.note;
    const more = { ...(note !== undefined && { note }), ...(way !== undefined && { way }) };
    addActivity(this.#tools.places, [{ what: state, sessionId, project, ...more }]);
    this.#tools.onStep(record);
  }

  /** Time in which the user can say no; in the mode `ask`, until they have said yes. */
  async #countdown(): Promise<void> {
    const { mode, countdownSeconds } = this.#settings.autoClear;
    const isAsked = mode === 'ask' && this.#announcedAt === 0;
    if (
      this.#record.by === 'user' ||
      (!isAsked && Date.now() - this.#announcedAt < ANNOUNCED_FOR_MS)
    )
      return;
    if (!isAsked && countdownSeconds === 0) return;
    const ends = isAsked ? Number.POSITIVE_INFINITY : Date.now() + countdownSeconds * 1000;
    const note = isAsked
      ? message('clear.asking')
      : message('clear.countdown', { seconds: countdownSeconds });
    this.#enter('countdown', note, {
      countdownEnds: isAsked ? undefined : new Date(ends).toISOString(),
    });
    const told = this.#tools.tellInSession(this.#target, isAsked ? undefined : countdownSeconds);
    const isSleptThrough = await this.#countTo(
      isAsked ? Number.POSITIVE_INFINITY : countdownSeconds * 1000,
    );
    await told;
    if (isSleptThrough) return this.#countdown();
    this.#isWantedNow = false;
    this.#announcedAt = Date.now();
  }

  /**
   * By ticks and not by the clock, which may be set and goes on while a laptop sleeps. True if that
   * happened.
   */
  async #countTo(ms: number): Promise<boolean> {
    for (let left = ms; left > 0 && !this.#isWantedNow; ) {
      this.#assertWanted(await this.#session());
      const before = Date.now();
      await this.#pause(Math.min(left, TICK_MS));
      const passed = Date.now() - before;
      if (passed > SLEPT_MS) return true;
      left -= Math.max(0, passed);
    }
    return false;
  }

  async #waitForIdle(): Promise<SessionStatus> {
    const { busyMinutes } = this.#settings.autoClear;
    const since = Date.now();
    let told: Message | undefined;
    for (;;) {
      const session = await this.#session();
      this.#assertWanted(session);
      const reason = await this.#tools.refusal(this.#target);
      if (reason === undefined) return session;
      if (!this.#options.isPatient) throw new Ended('cancelled', reason);
      const isLong = Date.now() - since > busyMinutes * MINUTE_MS;
      const note = isLong ? message('clear.waitedLong', { reason, minutes: busyMinutes }) : reason;
      if (!isDeepStrictEqual(note, told)) this.#enter('waiting', note);
      told = note;
      await this.#pause();
    }
  }

  async #save(session: SessionStatus): Promise<void> {
    this.#enter('saving');
    const { places } = this.#tools;
    try {
      const entries = await saveUpToReply(places, session);
      const { sessionId, projectRoot: project } = session;
      addActivity(places, [{ what: 'saved', sessionId, project, figures: { entries } }]);
      this.#saved = session;
    } catch (error) {
      throw new Ended('failed', message('clear.saveFailed', { reason: messageOf(error) }));
    }
    const mod = this.#tools.drivers(this.#settings).find(({ name }) => name === 'mod');
    if ((await mod?.certainty(this.#target))?.certain !== true) return;
    const reason = await summariseSession(places, this.#settings, session, this.#target);
    this.#enter(
      'saving',
      reason === undefined ? message('clear.handOver') : message('clear.noHandOver', { reason }),
    );
  }

  /**
   * The last look before anything is touched. False if the user went on meanwhile: then all begins
   * again (A2).
   */
  async #isAsSaved(): Promise<boolean> {
    this.#enter('rechecking');
    const session = await this.#session();
    this.#assertWanted(session);
    const isSame = session.state === 'idle' && saveSession(this.#tools.places, session).added === 0;
    if (!isSame) this.#enter('waiting', message('clear.workWentOn'));
    return isSame;
  }

  /**
   * By the first way that is certain; undefined if it is to be tried again, because nothing was
   * touched.
   */
  async #deliver(): Promise<Driver | undefined> {
    const refused: Message[] = [];
    let failure: Message | undefined;
    for (const driver of this.#tools.drivers(this.#settings)) {
      const name = driverName(driver.name);
      const certainty = await driver.certainty(this.#target);
      if (!certainty.certain) {
        refused.push(message('clear.driverRefused', { driver: name, reason: certainty.why }));
        continue;
      }
      if (!(await this.#isAsSaved())) return undefined;
      this.#enter('delivering', certainty.how, { way: driver.name });
      const delivery = await driver.deliver(this.#target, FIXED_TEXTS.clear);
      if (delivery.done) return driver;
      const { reason } = delivery;
      failure = message('clear.driverFailed', { driver: name, reason });
      if (delivery.touched) throw new Ended('failed', failure);
      this.#enter('waiting', reason);
      if ((await this.#tools.refusal(this.#target)) !== undefined) return undefined; // work went on
    }
    const isHopeless = !this.#record.steps.some(({ state }) => state === 'delivering');
    const noWay = message('clear.noDriver', { reasons: refused });
    if (isHopeless) throw new Ended('failed', noWay);
    await this.#waitToTryAgain(failure ?? noWay);
    return undefined;
  }

  /**
   * Nothing was typed because something covers the prompt box, such as an open list. Retries with
   * growing pauses.
   */
  async #waitToTryAgain(reason: Message): Promise<void> {
    const { busyMinutes } = this.#settings.autoClear;
    this.#firstRefusedAt ||= Date.now();
    const waited = Date.now() - this.#firstRefusedAt;
    if (!this.#options.isPatient || waited > busyMinutes * MINUTE_MS)
      throw new Ended('failed', reason);
    await this.#pause(Math.max(TRY_AGAIN_MS, waited / 2), []);
  }

  /** A new session in the same process is what a clear is (A7). */
  async #verify(way: Driver | undefined): Promise<void> {
    this.#enter('verifying');
    const next = await this.#newSession();
    const saved = this.#saved;
    // What Claude Code wrote to the transcript only when it was told to clear.
    if (saved !== undefined) attempt(() => saveSession(this.#tools.places, saved), undefined);
    this.#record = { ...this.#record, newSessionId: next.sessionId };
    const isWithPlugin = hasPlugin(this.#tools.places, this.#target);
    const given = await this.#given(
      next.sessionId,
      isWithPlugin ? GIVEN_WITHIN_MS : GIVEN_UNSEEN_WITHIN_MS,
    );
    const outcome = restoredMessage(given);
    const { continue: isToContinue } = this.#settings.autoClear;
    const isContinued = !isToContinue || this.#record.isContinued === true;
    this.#enter('restored', isContinued ? outcome : await this.#continue(way, next, outcome));
  }

  async #newSession(): Promise<SessionStatus> {
    const { pid, processStart, sessionId } = this.#record;
    for (const giveUpAt = Date.now() + VERIFY_WITHIN_MS; ; await sleep(LOOK_EVERY_MS)) {
      const session = (await this.#tools.look()).find(
        (seen) => seen.pid === pid && seen.processStart === processStart,
      );
      if (session === undefined) throw new Ended('failed', message('clear.claudeCodeEnded'));
      if (session.sessionId !== sessionId) return session;
      if (Date.now() > giveUpAt) throw new Ended('failed', message('clear.noNewSession'));
    }
  }

  async #given(sessionId: string, withinMs: number): Promise<string | undefined> {
    for (const giveUpAt = Date.now() + withinMs; ; await sleep(LOOK_EVERY_MS)) {
      const given = readGiven(this.#tools.places, sessionId);
      if (given !== undefined || Date.now() > giveUpAt) return given;
    }
  }

  /** Once, and never twice: that it may have been said is on disk before it is (A10). */
  async #continue(
    way: Driver | undefined,
    { sessionId, pid, processStart }: SessionStatus,
    outcome: Message,
  ): Promise<Message> {
    const notContinued = (reason: Message) => message('clear.notContinued', { outcome, reason });
    this.#enter('verifying', message('clear.continuing'), { isContinued: true });
    const target = { sessionId, pid, processStart };
    for (
      const giveUpAt = Date.now() + VERIFY_WITHIN_MS;
      (await this.#tools.refusal(target)) !== undefined;
    )
      if (Date.now() > giveUpAt) return notContinued(message('clear.notIdle'));
      else await sleep(LOOK_EVERY_MS);
    const now = (await this.#tools.look()).find((session) => session.pid === pid);
    if (now?.sessionId !== sessionId || now.lastReplyAt !== null)
      return message('clear.continuedAlready', { outcome });
    if (way === undefined) return notContinued(message('driver.unknown'));
    const delivery = await way.deliver(target, FIXED_TEXTS.continue);
    return delivery.done ? message('clear.continued', { outcome }) : notContinued(delivery.reason);
  }

  async #session(): Promise<SessionStatus> {
    const { pid, processStart, sessionId } = this.#record;
    const session = (await this.#tools.look()).find((seen) => seen.pid === pid);
    if (session === undefined) throw new Ended('cancelled', message('clear.sessionEnded'));
    if (session.processStart !== processStart)
      throw new Ended('cancelled', message('clear.processReplaced', { pid: String(pid) }));
    if (session.sessionId !== sessionId)
      throw new Ended('cancelled', message('clear.alreadyCleared'));
    return session;
  }

  /** The user may have changed their mind, and what made it necessary may be gone. */
  #assertWanted(session: SessionStatus): void {
    if (this.#isHalted) throw new Halted();
    const { sessionId, steps, by, projectRoot } = this.#record;
    const wish = takeWish(this.#tools.places, sessionId, steps[0]?.at ?? '');
    if (wish !== undefined) this.wish(wish);
    if (this.#stop !== undefined) throw new Ended('cancelled', this.#stop);
    if (by === 'user') return;
    const { autoClear: settings } = this.#tools.settingsOf(projectRoot);
    const decision = decide({
      session,
      settings,
      records: [],
      isPaused: areClearsPaused(this.#tools.places),
      now: new Date(),
    });
    if (!decision.clear) throw new Ended('cancelled', decision.reason);
  }

  /** Until something changes, the user wants something, or the time is over. */
  async #pause(ms = 1000, changes = [this.#tools.nextChange()]): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wakeUp = resolve;
    });
    await Promise.race([...changes, woken, sleep(ms)]);
  }
}

function restoredMessage(given: string | undefined): Message {
  if (given === undefined) return message('clear.notRestored');
  if (given === '') return message('clear.nothingToRestore');
  return message('clear.restored', { characters: given.length });
}
