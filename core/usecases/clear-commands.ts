/**
 * Clears one session for a person at the command line (A6). A clear that another application has
 * begun already is not begun again: that application is asked to go ahead, and followed to its end.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionStatus } from '../claude/status/session-status.ts';
import {
  assertSameTerminal,
  type ClearRecord,
  isAbandoned,
  isFinal,
  readRecord,
} from '../clear/clear-record.ts';
import { writeClearRequest } from '../clear/clear-requests.ts';
import {
  beginClear,
  type ClearingOptions,
  type Explanation,
  explainClear,
  runTools,
} from '../clear/clearing.ts';
import { driverName } from '../clear/delivery/driver.ts';
import { hasPlugin } from '../clear/delivery/mod.ts';
import { kindRefusal } from '../clear/policy.ts';
import { ExpectedError } from '../messages/expected-error.ts';
import { type Message, message } from '../messages/message.ts';
import type { Places } from '../platform/store/places.ts';
import type { DriverName } from '../settings/setting-definitions.ts';

const POLL_INTERVAL_MS = 200;

export interface ClearOptions {
  /** Whether to wait for a session that is busy. */
  waitForIdle: boolean;
  /** Clear it even without the plugin, so that nothing is restored, or if a program runs it. */
  anyway: boolean;
  /** Stops it, unless it has begun to type. */
  signal?: AbortSignal;
  onStep(record: ClearRecord): void;
  /** Another process is already clearing it. */
  onTaken(record: ClearRecord): void;
}

/**
 * Every session that a person can mean by a name. A whole session ID or a process ID beats the start
 * of an ID, the name of a project and the name of a session.
 */
export function sessionsNamed(sessions: readonly SessionStatus[], name: string): SessionStatus[] {
  const exact = sessions.filter(({ sessionId, pid }) => sessionId === name || String(pid) === name);
  if (exact.length > 0) return exact;
  return sessions.filter(
    (session) =>
      session.sessionId.startsWith(name) || session.project === name || session.name === name,
  );
}

/** The record of the clear once it has ended. */
export async function clearSession(
  system: ClearingOptions,
  session: SessionStatus,
  { waitForIdle, anyway, signal, onStep, onTaken }: ClearOptions,
): Promise<ClearRecord> {
  const { places } = system;
  const tools = runTools(system, onStep);
  if (!anyway) {
    const { autoClear } = tools.settingsOf(session.projectRoot);
    assertExpected(session, hasPlugin(places, session), kindRefusal(session, autoClear));
  }
  const begun = beginClear(tools, session, 'user', { waitForIdle });
  if ('run' in begun) {
    signal?.addEventListener('abort', () => begun.run.request('cancel'));
    return begun.run.run();
  }
  assertSameTerminal(begun.taken, session);
  onTaken(begun.taken);
  writeClearRequest(places, session.sessionId, 'now');
  return ended(places, begun.taken);
}

export type ClearPlan = Explanation & { chosen: DriverName | undefined };

/** How a session would be cleared: the first driver that is certain is chosen. Touches nothing. */
export async function planClear(system: ClearingOptions, session: SessionStatus) {
  const tools = runTools(system, () => undefined);
  const explanation = await explainClear(tools, session);
  const chosen = explanation.ways.find(({ certainty }) => certainty.certain)?.name;
  return { ...explanation, chosen };
}

/** What a user may not expect of a clear is told first. */
function assertExpected(
  { entrypoint }: Pick<SessionStatus, 'entrypoint'>,
  isPluginThere: boolean,
  otherKind: Message | undefined,
): void {
  if (otherKind !== undefined)
    throw new ExpectedError(message('clear.kindAsked', { entrypoint: entrypoint ?? '–' }));
  if (!isPluginThere) throw new ExpectedError(message('clear.noPlugin'));
}

/** The driver that will clear a session later. Without one, it says why each of them cannot. */
export function assertClearable(
  session: Pick<SessionStatus, 'entrypoint'>,
  plan: ClearPlan,
  anyway: boolean,
): DriverName {
  if (!anyway) assertExpected(session, plan.hasPlugin, plan.kindRefusal);
  if (plan.chosen !== undefined) return plan.chosen;
  const reasons = plan.ways.flatMap(({ name, certainty }) =>
    certainty.certain
      ? []
      : message('clear.driverRefused', { driver: driverName(name), reason: certainty.why }),
  );
  throw new ExpectedError(message('clear.typeItYourself', { reasons }));
}

async function ended(places: Places, taken: ClearRecord): Promise<ClearRecord> {
  for (let record = taken; ; record = readRecord(places, taken.sessionId) ?? record) {
    if (isFinal(record)) return record;
    if (isAbandoned(record))
      throw new ExpectedError(message('clear.ownerEndedEarly', { pid: String(record.owner.pid) }));
    await sleep(POLL_INTERVAL_MS);
  }
}
