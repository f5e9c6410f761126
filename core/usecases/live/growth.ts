/**
 * Computes the chart of a session's context over its last turns (C3), across clears and
 * compactions, from the tracker's turns and the records of clears. Reads old transcripts once.
 */
import type { SessionStatus } from '../../claude/status/session-status.ts';
import {
  type ContextPoint,
  MAX_TURNS,
  readRecentTurns,
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

interface Chart {
  /** The sessions that this one continues, newest first. */
  origin: string;
  /** What came before the turns that the tracker has now. */
  before: GrowthPoint[];
  turns: readonly ContextPoint[];
}

type Session = Pick<SessionStatus, 'sessionId' | 'pid' | 'cwd'>;

export class Growth {
  readonly #places: Places;
  readonly #charts = new Map<string, Chart>();

  constructor(places: Places) {
    this.#places = places;
  }

  of(
    session: Session,
    turns: readonly ContextPoint[],
    records: ReadonlyMap<string, ClearRecord>,
  ): GrowthPoint[] {
    const key = keyOf(session);
    const ancestors = ancestorsOf(session.sessionId, records);
    const origin = ancestors.join();
    const last = this.#charts.get(key);
    const before =
      last?.origin === origin ? beforeTurns(last, turns) : this.#readBefore(session, ancestors);
    this.#charts.set(key, { origin, before, turns });
    // The tracker keeps the newest turns only: a full list does not begin with the session's first.
    const isFresh = before.length > 0 && turns.length < MAX_TURNS;
    return [...before, ...pointsOf(turns, isFresh)].slice(-MAX_TURNS);
  }

  /** Forgets all other sessions. */
  keepOnly(sessions: readonly Session[]): void {
    const keys = new Set(sessions.map(keyOf));
    for (const key of this.#charts.keys()) if (!keys.has(key)) this.#charts.delete(key);
  }

  #readBefore({ cwd }: Session, ancestors: readonly string[]): GrowthPoint[] {
    let points: GrowthPoint[] = [];
    for (const [i, sessionId] of ancestors.entries()) {
      if (points.length >= MAX_TURNS) break;
      const { claude } = this.#places;
      const path =
        expectedTranscript(claude, cwd, sessionId) ?? searchTranscript(claude, sessionId);
      const turns = path === undefined ? [] : readRecentTurns(path, MAX_TURNS);
      points = [...pointsOf(turns, i < ancestors.length - 1), ...points];
    }
    return points.slice(-MAX_TURNS);
  }
}

/** Back from clear to clear, but no farther than the chart can reach. */
function ancestorsOf(sessionId: string, records: ReadonlyMap<string, ClearRecord>): string[] {
  const ancestors = new Set<string>();
  let id = records.get(sessionId)?.sessionId;
  while (id !== undefined && !ancestors.has(id) && ancestors.size < MAX_TURNS) {
    ancestors.add(id);
    id = records.get(id)?.sessionId;
  }
  return [...ancestors];
}

/** After a compaction the list is shorter than it was, or begins with the compaction's own figure. */
function beforeTurns(last: Chart, turns: readonly ContextPoint[]): GrowthPoint[] {
  const { before } = last;
  const isCompacted =
    turns.length < last.turns.length ||
    (turns[0]?.isCompaction === true && last.turns[0]?.isCompaction === false);
  if (!isCompacted) return before;
  return [...before, ...pointsOf(last.turns, before.length > 0)].slice(-MAX_TURNS);
}

function pointsOf(turns: readonly ContextPoint[], isFresh: boolean): GrowthPoint[] {
  return turns.map(({ tokens, at }, i) => ({
    tokens,
    at: at ?? null,
    isFresh: isFresh && i === 0,
  }));
}

function keyOf({ pid, sessionId }: Session): string {
  return `${pid} ${sessionId}`;
}
