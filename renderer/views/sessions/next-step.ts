/**
 * What comes next for a session (A6, C3): its figures, the clears that are known and the time come
 * in; one of a few plain answers goes out, for the card to say. Nothing is decided here: the engine
 * has decided already.
 */

import type { Breaker } from '../../../core/clear/breaker.ts';
import type { ClearRecord, ClearState } from '../../../core/clear/clear-record.ts';
import type { LiveState, SessionView } from '../../../core/usecases/contract.ts';
import type { Message } from '../../../core/usecases/messages.ts';

export type NextStep =
  /** `ends`: as a time; ticking is the viewer's. */
  | { kind: 'countdown'; ends: number }
  | { kind: 'ask' }
  | { kind: 'waiting'; reason: Message | string | undefined }
  | { kind: 'working'; state: 'detected' | 'saving' | 'rechecking' | 'delivering' | 'verifying' }
  /** Nothing more fits in, and nothing is under way. */
  | { kind: 'full' }
  | { kind: 'paused' }
  | { kind: 'off' }
  | { kind: 'no-plugin' }
  /** It is no session of a person in a terminal. */
  | { kind: 'other-kind'; reason: Message }
  | { kind: 'breaker'; breaker: Breaker }
  | { kind: 'put-off'; until: string }
  /** It is above the threshold already, and left alone for a while. */
  | { kind: 'quiet-hours' | 'cooldown'; until: string }
  | { kind: 'unknown' }
  /** A threshold in percent cannot be compared. */
  | { kind: 'no-window' }
  | { kind: 'auto' | 'ask-at'; atTokens: number }
  /** It is above the threshold already, and signals with its next reply. */
  | { kind: 'auto-next' | 'ask-next' };

/** How the last clear in the same Claude Code ended, if it did. */
export interface LastClear {
  state: 'restored' | 'cancelled' | 'failed';
  at: string;
  note: Message | string | undefined;
  /** The session that was cleared. */
  sessionId: string;
  /** It was to be compacted rather than cleared. */
  isCompaction: boolean;
}

const FINAL: ClearState[] = ['restored', 'cancelled', 'failed'];

export function isUnderWay({ state }: ClearRecord): boolean {
  return !FINAL.includes(state);
}

type Session = Pick<
  SessionView,
  | 'sessionId'
  | 'pid'
  | 'processStart'
  | 'clearMode'
  | 'clearAtTokens'
  | 'hasPlugin'
  | 'notClearedBefore'
  | 'breaker'
  | 'kindRefusal'
  | 'tokens'
  | 'isFull'
>;

/** The one that is going on, else the last one of the same process. */
export function clearOf(
  session: Pick<Session, 'sessionId' | 'pid' | 'processStart'>,
  clears: readonly ClearRecord[],
): ClearRecord | undefined {
  const own = clears.filter(({ sessionId, newSessionId, pid, processStart, state }) => {
    const isHere = pid === session.pid && processStart === session.processStart;
    // One that is going on in another terminal is not this one's to stop or to hurry.
    return (
      isHere ||
      newSessionId === session.sessionId ||
      (sessionId === session.sessionId && FINAL.includes(state))
    );
  });
  const running = own.find(
    (record) => record.sessionId === session.sessionId && isUnderWay(record),
  );
  const lastAt = (record: ClearRecord) => record.steps.at(-1)?.at ?? '';
  return running ?? own.sort((one, other) => lastAt(other).localeCompare(lastAt(one)))[0];
}

export function lastClear(record: ClearRecord | undefined): LastClear | undefined {
  const step = record?.steps.at(-1);
  if (record === undefined || step === undefined || isUnderWay(record)) return undefined;
  const { sessionId, method } = record;
  return {
    state: record.state as LastClear['state'],
    at: step.at,
    note: step.note,
    sessionId,
    isCompaction: method === 'compact',
  };
}

export function nextStep(
  session: Session,
  record: ClearRecord | undefined,
  isPaused: LiveState['isPaused'],
  now: number,
): NextStep {
  if (record !== undefined && isUnderWay(record)) return runningStep(record);
  if (session.isFull) return { kind: 'full' };
  if (isPaused) return { kind: 'paused' };
  if (session.clearMode === 'off') return { kind: 'off' };
  if (session.kindRefusal !== null) return { kind: 'other-kind', reason: session.kindRefusal };
  if (!session.hasPlugin) return { kind: 'no-plugin' };
  if (session.breaker !== null) return { kind: 'breaker', breaker: session.breaker };
  const until = record?.state === 'restored' ? undefined : record?.notBefore;
  if (until !== undefined && Date.parse(until) > now) return { kind: 'put-off', until };
  return atThreshold(session, now);
}

function atThreshold(
  { clearAtTokens, clearMode, tokens, notClearedBefore: held }: Session,
  now: number,
): NextStep {
  if (clearAtTokens === null) return { kind: tokens === null ? 'unknown' : 'no-window' };
  const isAsked = clearMode === 'ask';
  if ((tokens ?? 0) < clearAtTokens)
    return { kind: isAsked ? 'ask-at' : 'auto', atTokens: clearAtTokens };
  if (held !== null && Date.parse(held.at) > now) return { kind: held.why, until: held.at };
  return { kind: isAsked ? 'ask-next' : 'auto-next' };
}

function runningStep({ state, countdownEnds, steps }: ClearRecord): NextStep {
  if (state === 'countdown')
    return countdownEnds === undefined
      ? { kind: 'ask' }
      : { kind: 'countdown', ends: Date.parse(countdownEnds) };
  if (state === 'waiting') return { kind: 'waiting', reason: steps.at(-1)?.note };
  return { kind: 'working', state: state as Extract<NextStep, { kind: 'working' }>['state'] };
}
