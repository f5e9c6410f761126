/**
 * Computes the points of the chart of a session's context over its last turns (C3), across clears
 * and compactions, from the tracker's turns and the records of clears. Holds a limited number of
 * points, and reads an earlier transcript once.
 */

import type { SessionStatus } from '../../claude/status/session-status.ts';
import {
  type ContextPoint,
  KEPT_TURNS,
  readContextHistory,
} from '../../claude/transcript/context-history.ts';
import { expectedTranscript, searchTranscript } from '../../claude/transcript/locate.ts';
import type { ClearRecord } from '../../clear/clear-record.ts';
import type { Places } from '../../platform/store/places.ts';

export interface GrowthPoint {
  tokens: number;
  at: string | null;
  /** The context was cleared, or compacted, right before this point. */
  isFresh: boolean;
}

interface Grown {
  /** The sessions that this one goes on from, newest first. */
  origin: string;
  /** What was before the stretch that is growing now. */
  before: GrowthPoint[];
  stretch: readonly ContextPoint[];
  points: GrowthPoint[];
}

type Session = Pick<SessionStatus, 'sessionId' | 'pid' | 'cwd'>;

export class Growth {
  readonly #places: Places;
  #known = new Map<string, Grown>();

  constructor(places: Places) {
    this.#places = places;
  }

  /** The very same list if nothing has changed. */
  of(
    session: Session,
    turns: readonly ContextPoint[],
    records: ReadonlyMap<string, ClearRecord>,
  ): GrowthPoint[] {
    const key = keyOf(session);
    const ancestors = ancestorsOf(session.sessionId, records);
    const origin = ancestors.join();
    const known = this.#known.get(key);
    if (known?.origin === origin && known.stretch === turns) return known.points;
    const before =
      known?.origin === origin ? beforeStretch(known, turns) : this.#before(session, ancestors);
    // Of a longer session the first of the kept turns is not its first.
    const points = [
      ...before,
      ...grown(turns, before.length > 0 && turns.length < KEPT_TURNS),
    ].slice(-KEPT_TURNS);
    this.#known.set(key, { origin, before, stretch: turns, points });
    return points;
  }

  /** What is known of other sessions is let go. */
  keepOnly(sessions: readonly Session[]): void {
    const keys = new Set(sessions.map(keyOf));
    this.#known = new Map([...this.#known].filter(([key]) => keys.has(key)));
  }

  #before({ cwd }: Session, ancestors: readonly string[]): GrowthPoint[] {
    let points: GrowthPoint[] = [];
    for (const [i, sessionId] of ancestors.entries()) {
      if (points.length >= KEPT_TURNS) break;
      const { claude } = this.#places;
      const path =
        expectedTranscript(claude, cwd, sessionId) ?? searchTranscript(claude, sessionId);
      const history = path === undefined ? undefined : readContextHistory(path);
      points = [...grown(history?.turns ?? [], i < ancestors.length - 1), ...points];
    }
    return points.slice(-KEPT_TURNS);
  }
}

/** From clear to clear back; no farther than points could be shown from. */
function ancestorsOf(sessionId: string, records: ReadonlyMap<string, ClearRecord>): string[] {
  const ancestors: string[] = [];
  for (
    let at = records.get(sessionId);
    at !== undefined && ancestors.length < KEPT_TURNS;
    at = records.get(at.sessionId)
  ) {
    if (ancestors.includes(at.sessionId)) break;
    ancestors.push(at.sessionId);
  }
  return ancestors;
}

/**
 * A compaction begins a new stretch: the list of turns is shorter than it was, or begins with what
 * the compaction said of itself.
 */
function beforeStretch({ before, stretch }: Grown, turns: readonly ContextPoint[]): GrowthPoint[] {
  const isCompacted =
    turns.length < stretch.length ||
    (turns[0]?.isCompaction === true && stretch[0]?.isCompaction === false);
  return isCompacted
    ? [...before, ...grown(stretch, before.length > 0)].slice(-KEPT_TURNS)
    : before;
}

function grown(turns: readonly ContextPoint[], isFresh: boolean): GrowthPoint[] {
  return turns.map(({ tokens, at }, i) => ({
    tokens,
    at: at ?? null,
    isFresh: isFresh && i === 0,
  }));
}

function keyOf({ pid, sessionId }: Session): string {
  return `${pid} ${sessionId}`;
}
