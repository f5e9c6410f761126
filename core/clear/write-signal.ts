/**
 * Writes a clear signal: a session has reached its threshold (A1). The hooks call it, so it loads
 * next to nothing. `policy.isOverThreshold` applies the same rule again before a clear.
 */
import { join } from 'node:path';
import { writeFileAtomic } from '../platform/store/atomic-write.ts';
import type { Places } from '../platform/store/places.ts';
import type { AutoClearSettings } from '../settings/settings.ts';
import { thresholdTokens } from '../settings/thresholds.ts';

interface SignalInput {
  sessionId: string;
  pid: number;
  tokens: number;
  /** Null if it is not known: then only a threshold in tokens counts. */
  window: number | null;
}

export function signalsFolder(places: Places): string {
  return join(places.home, 'clear-signal');
}

/** Returns true if a signal was written. */
export function signalIfDue(
  places: Places,
  { mode, threshold }: AutoClearSettings,
  input: SignalInput,
): boolean {
  const limit = thresholdTokens(threshold, input.window);
  if (mode === 'off' || limit === null || input.tokens < limit) return false;
  writeSignal(places, { ...input, at: new Date().toISOString() });
  return true;
}

export function writeSignal(places: Places, signal: SignalInput & { at: string }): void {
  const path = join(signalsFolder(places), `${signal.sessionId}.json`);
  writeFileAtomic(path, JSON.stringify(signal), { durable: false });
}
