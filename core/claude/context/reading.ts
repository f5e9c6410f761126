/**
 * Computes the figures of one session's context (C1–C4): tokens, window, percentage, growth per
 * turn and turns left. Reads nothing itself.
 */

import { type Thresholds, thresholdTokens } from '../../settings/thresholds.ts';
import type { ContextPoint } from '../transcript/context-history.ts';
import type { ContextWindow, WindowSource } from './window.ts';

export type ContextLevel = 'ok' | 'warn' | 'critical';

export interface ContextReading {
  tokens: number;
  window: number;
  /** Rounded as Claude Code rounds it. */
  percent: number;
  percentSource: WindowSource;
  level: ContextLevel;
  /** Mean growth of the recent turns; undefined until there are two. */
  growthPerTurn?: number;
  /**
   * Turns until the next threshold that lies ahead; undefined without growth or behind the last
   * threshold.
   */
  forecast?: { turns: number; threshold: 'warn' | 'critical'; atTokens: number };
}

/** Older turns say little about the next one. */
const GROWTH_TURNS = 10;

export function contextReading(
  turns: readonly ContextPoint[],
  window: ContextWindow,
  thresholds: Thresholds,
): ContextReading | undefined {
  const now = turns.at(-1);
  if (now === undefined) return undefined;
  const { tokens } = now;
  const warnAt = thresholdTokens(thresholds.warn, window.tokens);
  const criticalAt = thresholdTokens(thresholds.critical, window.tokens);
  const level = tokens >= criticalAt ? 'critical' : tokens >= warnAt ? 'warn' : 'ok';
  const growth = growthPerTurn(turns);
  const reading: ContextReading = {
    tokens,
    window: window.tokens,
    percent: Math.round((tokens / window.tokens) * 100),
    percentSource: window.source,
    level,
  };
  if (growth === undefined) return reading;
  reading.growthPerTurn = Math.round(growth);
  // A threshold beyond the window is never reached.
  const ahead = (
    [
      ['warn', warnAt],
      ['critical', criticalAt],
    ] as const
  ).filter(([, at]) => at > tokens && at <= window.tokens);
  const [next] = ahead.sort(([, a], [, b]) => a - b);
  if (growth > 0 && next !== undefined) {
    const [threshold, atTokens] = next;
    reading.forecast = {
      turns: Math.ceil((atTokens - tokens) / growth),
      threshold,
      atTokens: Math.round(atTokens),
    };
  }
  return reading;
}

function growthPerTurn(turns: readonly ContextPoint[]): number | undefined {
  const recent = turns.filter((turn) => !turn.isCompaction).slice(-(GROWTH_TURNS + 1));
  const [first] = recent;
  const last = recent.at(-1);
  if (first === undefined || last === undefined || recent.length < 2) return undefined;
  return (last.tokens - first.tokens) / (recent.length - 1);
}
