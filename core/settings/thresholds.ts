/**
 * When a session's context is worth a warning, and when it is critical (C4). The numbers live here
 * and nowhere else. A threshold is a share of the window or a number of tokens, per user and per
 * project.
 */
import * as v from 'valibot';

export type Threshold = { percent: number } | { tokens: number };

export interface Thresholds {
  warn: Threshold;
  critical: Threshold;
}

export const DEFAULT_THRESHOLDS: Thresholds = { warn: { percent: 70 }, critical: { percent: 80 } };

const HIGHEST_PERCENT = 100;
const LOWEST_TOKENS = 1000;

/** 70 is a percentage and 150000 a number of tokens: nobody means 70 tokens or 150,000 percent. */
export const thresholdSetting = () =>
  v.pipe(
    v.number(),
    v.check(
      (value) =>
        (value >= 1 && value <= HIGHEST_PERCENT) ||
        (value >= LOWEST_TOKENS && Number.isSafeInteger(value)),
    ),
  );

export function isPercentage(setting: number): boolean {
  return setting <= HIGHEST_PERCENT;
}

export function thresholdFrom(setting: number): Threshold {
  return isPercentage(setting) ? { percent: setting } : { tokens: setting };
}

export function thresholdTokens(threshold: Threshold, window: number): number {
  return 'tokens' in threshold ? threshold.tokens : (window * threshold.percent) / 100;
}
