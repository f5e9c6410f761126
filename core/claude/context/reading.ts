/** Computes a session's context figures (C1–C4, K5): tokens, percentage, growth and turns left. */
import { type Thresholds, thresholdTokens } from '../../settings/thresholds.ts';
import type { ContextPoint } from '../transcript/context-history.ts';
import type { ContextWindow, WindowSource } from './window.ts';

export type ContextLevel = 'ok' | 'warn' | 'critical';

export interface ContextReading {
  tokens: number;
  /** Null if it is not known; then only thresholds in tokens count. */
  window: number | null;
  /** Rounded as Claude Code rounds it; null without a window. */
  percent: number | null;
  percentSource: WindowSource;
  /** Null if no threshold can be compared. */
  level: ContextLevel | null;
  /** Mean growth of the recent turns; undefined until there are two. */
  growthPerTurn?: number;
  /** Turns until what comes next; undefined without growth, or beyond all of it. */
  forecast?: { turns: number; threshold: ForecastTarget; atTokens: number };
}

/** `compaction`: Claude Code compacts by itself (K5). */
export type ForecastTarget = 'warn' | 'critical' | 'compaction';

/** Older turns say little about the next one. */
const GROWTH_TURNS = 10;

export function contextReading(
  turns: readonly ContextPoint[],
  window: ContextWindow,
  thresholds: Thresholds,
  /** Where Claude Code compacts; null if it does not. */
  compactsAt: number | null = null,
): ContextReading | undefined {
  const now = turns.at(-1);
  if (now === undefined) return undefined;
  const { tokens } = now;
  const warnAt = thresholdTokens(thresholds.warn, window.tokens);
  const criticalAt = thresholdTokens(thresholds.critical, window.tokens);
  const growth = growthPerTurn(turns);
  const reading: ContextReading = {
    tokens,
    window: window.tokens,
    percent: window.tokens === null ? null : Math.round((tokens / window.tokens) * 100),
    percentSource: window.source,
    level: levelOf(tokens, warnAt, criticalAt),
  };
  if (growth === undefined) return reading;
  reading.growthPerTurn = Math.round(growth);
  const most = Math.min(
    window.tokens ?? Number.POSITIVE_INFINITY,
    compactsAt ?? Number.POSITIVE_INFINITY,
  );
  const thresholdsAt = [
    { threshold: 'warn', at: warnAt },
    { threshold: 'critical', at: criticalAt },
    { threshold: 'compaction', at: compactsAt },
  ] as const;
  // What lies beyond the window, or beyond the compaction, is never reached.
  const ahead = thresholdsAt.flatMap(({ threshold, at }) =>
    at !== null && at > tokens && at <= most ? [{ threshold, at }] : [],
  );
  const [next] = ahead.sort((a, b) => a.at - b.at);
  if (growth > 0 && next !== undefined) {
    const turns = Math.ceil((next.at - tokens) / growth);
    reading.forecast = { turns, threshold: next.threshold, atTokens: Math.round(next.at) };
  }
  return reading;
}

function levelOf(
  tokens: number,
  warnAt: number | null,
  criticalAt: number | null,
): ContextLevel | null {
  if (criticalAt !== null && tokens >= criticalAt) return 'critical';
  if (warnAt !== null && tokens >= warnAt) return 'warn';
  return warnAt === null && criticalAt === null ? null : 'ok';
}

function growthPerTurn(turns: readonly ContextPoint[]): number | undefined {
  const recent = turns.filter((turn) => !turn.isCompaction).slice(-(GROWTH_TURNS + 1));
  const [first, last] = [recent[0], recent.at(-1)];
  if (first === undefined || last === undefined || first === last) return undefined;
  return (last.tokens - first.tokens) / (recent.length - 1);
}
