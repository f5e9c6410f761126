/** Runs trials on the field, one after the other, and has each judged. */
import { setTimeout as sleep } from 'node:timers/promises';
import { logText } from '../../core/messages/message.ts';
import { waitFor } from '../bed/wait-for.ts';
import type { Field } from './field.ts';
import {
  type Allowed,
  emptyVerdict,
  failuresOf,
  judgeDrafts,
  judgeRequests,
  judgeSession,
  type Verdict,
} from './judge.ts';
import {
  CAST,
  isPossible,
  planTrial,
  type Sabotage,
  type SessionPlan,
  type TrialPlan,
} from './plan.ts';
import type { TrialSession } from './trial-session.ts';

export interface TrialsOptions {
  seed: number;
  /** The number of the first one. */
  from?: number;
  trials: number;
  sabotage?: Sabotage | undefined;
  tell?: (line: string) => void;
  /**
   * Gives a new field when a trial could not be brought to its end; without it that is an error.
   */
  openAnew?: () => Promise<Field>;
}

export interface Report {
  trials: number;
  /** Clears that should have been possible, and those of them that happened. */
  possible: number;
  cleared: number;
  /** All that happened, also where the user went on meanwhile. */
  clears: number;
  keys: number;
  failures: string[];
  near: string[];
  /** Clears that should have been possible and did not happen, with the reason that was told. */
  missed: string[];
}

const FINAL = ['restored', 'cancelled', 'failed'];
/** Longer, and the user does not want it any more. */
const CLEARED_WITHIN_MS = 15_000;
const CLEARED_AT_BEST_MS = 3000;
/** For keys that come when all seems to be over. */
const QUIET_MS = 150;

export async function runTrials(first: Field, options: TrialsOptions): Promise<Report> {
  const { seed, from = 0, trials, sabotage, tell, openAnew } = options;
  let field = first;
  const report: Report = {
    trials: 0,
    possible: 0,
    cleared: 0,
    clears: 0,
    keys: 0,
    failures: [],
    near: [],
    missed: [],
  };
  await field.startWatch(sabotage);
  for (let index = from; index < from + trials; index++) {
    const plan = planTrial(seed, index, sabotage);
    const trial = new Trial(field, plan, sabotage !== undefined);
    const label = `seed ${seed}, trial ${index}: `;
    const verdict = await trial
      .run()
      .catch((cause: Error) => new Error(`${label}${cause.message}\n${trial.story}`, { cause }));
    if (verdict instanceof Error) {
      if (openAnew === undefined) throw verdict;
      report.failures.push(verdict.message);
      tell?.(verdict.message);
      field = await openAnew();
      await field.startWatch(sabotage);
      continue;
    }
    report.trials++;
    report.possible += trial.possible;
    report.cleared += trial.cleared;
    report.clears += trial.clears;
    report.keys += trial.keys;
    report.near.push(...verdict.near.map((near) => label + near));
    report.missed.push(...trial.missed.map((missed) => label + missed));
    const failures = failuresOf(verdict).map((failure) => label + failure);
    report.failures.push(...failures);
    if (failures.length > 0)
      await Promise.all(field.sessions.map((session) => session.startOver()));
    tell?.(
      `${label}${trial.clears} cleared${failures.length > 0 ? `, FAILED\n${failures.join('\n')}\n${trial.story}` : ''}`,
    );
  }
  return report;
}

export function reportText({
  trials,
  possible,
  cleared,
  clears,
  keys,
  failures,
  near,
  missed,
}: Report): string {
  const rate =
    possible === 0 ? 'none was possible' : `${((100 * cleared) / possible).toFixed(1)} %`;
  return [
    `${trials} trials, ${clears} clears, ${keys} keys, ${failures.length} failures`,
    `clears that were possible: ${possible}, done: ${cleared} (${rate})`,
    ...missed.map((line) => `  not done: ${line}`),
    ...near.map((line) => `  within the reaction time: ${line}`),
    ...failures.map((line) => `  FAILED: ${line}`),
  ].join('\n');
}

class Trial {
  readonly #field: Field;
  readonly #plan: TrialPlan;
  readonly #verdict: Verdict = emptyVerdict();
  possible = 0;
  cleared = 0;
  clears = 0;
  keys = 0;
  readonly missed: string[] = [];
  /** Ids that a signal was about. */
  readonly #signalled = new Map<TrialSession, string>();
  readonly #ownClears: string[] = [];
  readonly #actions: Promise<void>[] = [];
  readonly #isSabotaged: boolean;
  readonly #verifyingSince = new Map<string, number>();

  constructor(field: Field, plan: TrialPlan, isSabotaged: boolean) {
    this.#field = field;
    this.#plan = plan;
    this.#isSabotaged = isSabotaged;
  }

  get planText(): string {
    const lines = this.#field.sessions.map(
      (session) => `${session.name}: ${JSON.stringify(this.#plan.sessions[session.number])}`,
    );
    return [
      ...lines,
      ...(this.#plan.isPidReused ? ['the pid of an ended session is used again'] : []),
    ].join('\n');
  }

  /** All that happened, for whoever looks for the reason of a failure. */
  get story(): string {
    const { sessions, watch } = this.#field;
    const events = sessions.flatMap(({ name, trace }) => [
      ...trace.sightings.map(({ at, status, sessionId }) => ({
        at,
        what: `${name} is ${status}, ${sessionId.slice(0, 8)}`,
      })),
      ...trace.foreign.map(({ at, key }) => ({ at, what: `${name} gets ${key}` })),
      ...trace.asks.map((at) => ({ at, what: `${name} is asked` })),
    ]);
    const told = [...this.#signalled.values()].flatMap((id) => {
      const record = watch.told.findLast((one) => one.sessionId === id);
      const steps = record === undefined || 'what' in record ? [] : record.steps;
      return steps.map(({ at, state, note = '' }) => ({
        at: Date.parse(at),
        what: `  told of ${id.slice(0, 8)}: ${state} ${logText(note)}`,
      }));
    });
    const all = [...events, ...told].sort((a, b) => a.at - b.at);
    return [
      this.planText,
      ...all.map(({ at, what }) => `${new Date(at).toISOString().slice(17, 23)} ${what}`),
    ].join('\n');
  }

  async run(): Promise<Verdict> {
    const { witness } = this.#field;
    witness.startAnew();
    await this.#each((session, plan) => session.prepare(this.#plan, plan));
    if (this.#plan.isPidReused && this.#field.ended !== undefined) await this.#field.reusePid();
    await this.#each((session, plan) => this.#trigger(session, plan));
    this.#signalEnded();
    await this.#settled();
    await this.#each((session, { state }) => session.leave(state));
    await Promise.all(this.#actions);
    await this.#each((session, plan) => this.#end(session, plan));
    await sleep(QUIET_MS);
    await this.#each((session) => this.#tidy(session));
    if (this.#field.ended !== undefined) await this.#field.freePid();
    witness.look();
    this.#judge();
    return this.#verdict;
  }

  /** The plugin signals at the end of the turn; where there is none, or no end, a hand does. */
  async #trigger(session: TrialSession, plan: SessionPlan): Promise<void> {
    const { reason, state, meanwhile } = plan;
    const { sessionId, pid } = session;
    if (reason === 'none') return;
    if (reason === 'forged') {
      const other = this.#field.sessions.find(
        ({ number }) => number !== session.number,
      ) as TrialSession;
      this.#field.signal({ sessionId, pid: other.pid });
      return;
    }
    this.#signalled.set(session, sessionId);
    // In copy mode tmux takes the words itself.
    if (meanwhile !== undefined && state !== 'copy mode') {
      const action = this.#actMeanwhile(session, meanwhile);
      action.catch(() => undefined); // told when all are waited for
      this.#actions.push(action);
    }
    if (session.cast.kind !== 'bare' && state !== 'busy') await session.release();
    if (session.cast.kind === 'bare' || state === 'busy' || state === 'dialog')
      this.#field.signal({ sessionId, pid });
  }

  /**
   * Typing in the middle of our own typing; sending a prompt before it, since nobody sends what he
   * does not want to.
   */
  async #actMeanwhile(
    session: TrialSession,
    { does, afterMs }: NonNullable<SessionPlan['meanwhile']>,
  ): Promise<void> {
    const { trace, sessionId } = session;
    const isEnd = () => trace.clears.length > 0 || FINAL.includes(this.#lastStep(sessionId) ?? '');
    const hasBegun = () => trace.foreign.length + trace.asks.length > 0;
    if (does === 'types') await waitFor('the first key or request', () => hasBegun() || isEnd());
    await sleep(afterMs);
    // In a dialog or a view the words would go elsewhere.
    if (trace.now?.status === 'idle' && (await session.box()) !== undefined)
      await session.act(this.#plan, does);
  }

  #signalEnded(): void {
    const { ended } = this.#field;
    if (this.#plan.isPidReused && ended !== undefined) this.#field.signal(ended);
  }

  /**
   * Each signal has led to an end, or to waiting for the user. Only this much is taken from what
   * Memory Keeper tells.
   */
  async #settled(): Promise<void> {
    for (const [session, sessionId] of this.#signalled)
      await waitFor(
        () =>
          `${session.name} to be cleared, given up or waited for; it is ${session.trace.now?.status}. ${this.#told(sessionId)}`,
        () => {
          if (this.#isSabotaged) this.#hurry(sessionId);
          return this.#isOver(session, sessionId) || this.#lastStep(sessionId) === 'waiting';
        },
      );
    const signals = [
      ...this.#signalled.values(),
      ...this.#field.sessions.map((session) => session.sessionId),
    ];
    const { ended, watch } = this.#field;
    if (this.#plan.isPidReused && ended !== undefined)
      await waitFor('the signal of the ended session to be refused or followed', () => {
        const step = this.#lastStep(ended.sessionId);
        const isDone = step === undefined || [...FINAL, 'waiting', 'verifying'].includes(step);
        return isDone && watch.told.some(({ sessionId }) => sessionId === ended.sessionId);
      });
    await waitFor('all signals to be taken', () =>
      [...signals, this.#field.ended?.sessionId ?? ''].every((id) => this.#field.isSignalTaken(id)),
    );
  }

  /** Keys that went astray clear nothing: their end is not waited for. */
  #hurry(sessionId: string): void {
    if (this.#lastStep(sessionId) !== 'verifying') return;
    const since = this.#verifyingSince.get(sessionId) ?? Date.now();
    this.#verifyingSince.set(sessionId, since);
    if (Date.now() - since < CLEARED_AT_BEST_MS) return;
    this.#field.watch.passTime();
    this.#verifyingSince.delete(sessionId);
  }

  /**
   * Once nothing is in the way any more, it is cleared. Where words stay in the way, the user does
   * not want it any more.
   */
  async #end(session: TrialSession, plan: SessionPlan): Promise<void> {
    const sessionId = this.#signalled.get(session);
    if (sessionId === undefined) return;
    const waitUntil =
      Date.now() +
      (isPossible(session.cast, plan) || plan.meanwhile !== undefined ? CLEARED_WITHIN_MS : 0);
    while (!this.#isOver(session, sessionId) && Date.now() < waitUntil) await sleep(20);
    await waitFor(
      () => `${session.name} to be left alone. ${this.#told(sessionId)}`,
      async () => {
        if (this.#isOver(session, sessionId)) return true;
        this.#field.cancel(sessionId);
        await sleep(100); // one that comes while it is being tried is not heard
        return false;
      },
    );
  }

  #isOver(session: TrialSession, sessionId: string): boolean {
    return session.sessionId !== sessionId || FINAL.includes(this.#lastStep(sessionId) ?? '');
  }

  #told(sessionId: string): string {
    const record = this.#field.watch.told.findLast((one) => one.sessionId === sessionId);
    return JSON.stringify(
      record === undefined || 'what' in record ? record : record.steps.slice(-8),
    );
  }

  #lastStep(sessionId: string): string | undefined {
    return this.#field.watch.steps(sessionId).at(-1);
  }

  /** Judges the user's words, and leaves an idle session with an empty box. */
  async #tidy(session: TrialSession): Promise<void> {
    await session.waitForStatus('idle');
    const found = await session.collect();
    judgeDrafts(session, found, this.#verdict);
    session.drafts = [];
    if (session.trace.clears.length > 0) session.isFull = false;
    // The plugin would signal again with the next turn; and what was cancelled is left alone for a
    // while.
    if (session.isFull && (session.cast.kind !== 'bare' || this.#signalled.has(session))) {
      this.#ownClears.push(session.sessionId);
      await session.clear();
    }
  }

  #judge(): void {
    const { sessions, talk, witness } = this.#field;
    const allowed = (session: TrialSession): Allowed => ({
      isMeant: this.#signalled.has(session),
      ownClears: this.#ownClears,
    });
    for (const session of sessions) {
      judgeSession(session, allowed(session), talk, this.#verdict);
      this.#count(session);
    }
    judgeRequests(talk.news(), talk, this.#plan, this.#verdict);
    const heard = this.#field.heardByDecoys();
    if (heard !== '' || witness.stray.length > 0)
      this.#verdict.wrongTargets.push(`a decoy got ${JSON.stringify(heard || witness.stray)}`);
  }

  #count(session: TrialSession): void {
    const clears = session.trace.clears.filter(({ from }) => !this.#ownClears.includes(from));
    this.clears += clears.length;
    this.keys += session.trace.foreign.length;
    const plan = this.#plan.sessions[session.number] as SessionPlan;
    if (!isPossible(CAST[session.number] as (typeof CAST)[number], plan)) return;
    this.possible++;
    if (clears.length > 0) this.cleared++;
    else {
      const told = this.#field.watch.told.findLast(
        (one) => one.sessionId === this.#signalled.get(session),
      );
      const note = told === undefined || 'what' in told ? told?.note : told.steps.at(-1)?.note;
      this.missed.push(`${session.name}, ${plan.state}: ${logText(note ?? '')}`);
    }
  }

  async #each(act: (session: TrialSession, plan: SessionPlan) => Promise<void>): Promise<void> {
    await Promise.all(
      this.#field.sessions.map((session) =>
        act(session, this.#plan.sessions[session.number] as SessionPlan),
      ),
    );
  }
}
