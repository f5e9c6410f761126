/**
 * When a session's context is worth a warning, and when it is critical (C4). A threshold is a share
 * of the window or a number of tokens. The default numbers live here and nowhere else.
 */

export type Threshold = { percent: number } | { tokens: number };

export interface Thresholds {
  warn: Threshold;
  critical: Threshold;
}

export const DEFAULT_THRESHOLDS = {
  warn: { percent: 70 },
  critical: { percent: 80 },
} satisfies Thresholds;

const HIGHEST_PERCENT = 100;
const LOWEST_TOKENS = 1000;

/** 70 is a percentage and 150000 a number of tokens: nobody means 70 tokens or 150,000 percent. */
export function isThresholdSetting(value: unknown): value is number {
  if (typeof value !== 'number') return false;
  const isTokens = value >= LOWEST_TOKENS && Number.isSafeInteger(value);
  return isTokens || (value >= 1 && isPercentage(value));
}

export function isPercentage(setting: number): boolean {
  return setting <= HIGHEST_PERCENT;
}

export function thresholdFrom(setting: number): Threshold {
  return isPercentage(setting) ? { percent: setting } : { tokens: setting };
}

export function thresholdTokens(threshold: Threshold, window: number): number;
/** Null for a percentage of a window that is not known. */
export function thresholdTokens(threshold: Threshold, window: number | null): number | null;
export function thresholdTokens(threshold: Threshold, window: number | null): number | null {
  if ('tokens' in threshold) return threshold.tokens;
  return window === null ? null : (window * threshold.percent) / 100;
}
