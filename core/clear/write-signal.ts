/**
 * Tells the application that a session has reached the threshold at which it is to be cleared (A1).
 * For hooks: nothing to load.
 */
import { join } from 'node:path';
import { writeFileAtomic } from '../platform/store/atomic-write.ts';
import type { Places } from '../platform/store/places.ts';
import type { AutoClearSettings } from '../settings/settings.ts';
import { thresholdTokens } from '../settings/thresholds.ts';

export interface SignalFacts {
  sessionId: string;
  pid: number;
  tokens: number;
  window: number;
}

export function signalsFolder(places: Places): string {
  return join(places.home, 'clear-signal');
}

/** Whether there was a reason to. */
export function signalIfDue(
  places: Places,
  { mode, threshold }: AutoClearSettings,
  facts: SignalFacts,
): boolean {
  if (mode === 'off' || facts.tokens < thresholdTokens(threshold, facts.window)) return false;
  writeSignal(places, { ...facts, at: new Date().toISOString() });
  return true;
}

export function writeSignal(places: Places, signal: SignalFacts & { at: string }): void {
  writeFileAtomic(join(signalsFolder(places), `${signal.sessionId}.json`), JSON.stringify(signal), {
    durable: false,
  });
}
