/**
 * Signals (A1, A8): a hook or the mod says "this session has reached its threshold" by a small file
 * that the application finds. A signal is only a reason to look: what it says is checked against
 * the session itself, and whatever comes of it, it is deleted.
 */

import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type Message, message } from '../messages/message.ts';
import { attempt, parseJson } from '../platform/store/attempt.ts';
import type { Places } from '../platform/store/places.ts';
import { removeFile } from '../platform/store/prune.ts';
import { readOwnFile } from '../platform/store/read-file.ts';
import { SessionId } from '../platform/store/session-id.ts';
import { signalsFolder } from './write-signal.ts';

const MAX_SIGNAL_BYTES = 16 * 1024;
/** An older one tells of a turn that is long over. */
const STALE_MS = 10 * 60 * 1000;
/** Clocks are set back sometimes. */
const FUTURE_MS = 60 * 1000;

const Signal = v.object({
  sessionId: SessionId,
  pid: v.pipe(v.number(), v.integer(), v.minValue(2)),
  tokens: v.pipe(v.number(), v.minValue(0)),
  window: v.pipe(v.number(), v.minValue(1)),
  at: v.pipe(v.string(), v.isoTimestamp()),
});

export type Signal = v.InferOutput<typeof Signal>;

export type SignalReading =
  | { kind: 'signal'; signal: Signal }
  /** The older design's empty file: it means the one session over its threshold. */
  | { kind: 'any' }
  | { kind: 'refused'; reason: Message };

/** The plain file of the older design. */
export function plainSignal(places: Places): string {
  return join(places.claude, 'clear-signal');
}

/** All that lie there, each taken away as it is read. */
export function takeSignals(places: Places): SignalReading[] {
  const folder = signalsFolder(places);
  const names = attempt(() => readdirSync(folder), []).filter((name) => !name.startsWith('.')); // not written to the end yet
  const readings = names.map((name) => take(join(folder, name), (text) => parseSignal(text, name)));
  const plain = plainSignal(places);
  if (lstatSync(plain, { throwIfNoEntry: false }) !== undefined)
    readings.push(
      take(plain, (text) => (text.trim() === '' ? { kind: 'any' } : parseSignal(text))),
    );
  return readings;
}

function take(path: string, parse: (text: string) => SignalReading): SignalReading {
  const file = readOwnFile(path, MAX_SIGNAL_BYTES);
  const isGone = attempt(() => {
    removeFile(path);
    return true;
  }, false);
  if (!isGone) return refused(message('clear.signalNotRemoved', { path }));
  if (file.state === 'ok') return parse(file.text);
  return refused(
    file.state === 'missing'
      ? message('clear.signalGone', { path })
      : message('clear.signalUnreadable', { reason: file.reason }),
  );
}

function parseSignal(text: string, fileName?: string): SignalReading {
  const name = fileName ?? 'clear-signal';
  const parsed = v.safeParse(Signal, parseJson(text));
  if (!parsed.success) return refused(message('clear.signalInvalid', { name }));
  const signal = parsed.output;
  if (fileName !== undefined && fileName !== `${signal.sessionId}.json`)
    return refused(message('clear.signalMisnamed', { name }));
  const age = Date.now() - Date.parse(signal.at);
  if (age > STALE_MS)
    return refused(message('clear.signalOld', { name, minutes: Math.round(age / 60_000) }));
  return age < -FUTURE_MS
    ? refused(message('clear.signalFuture', { name }))
    : { kind: 'signal', signal };
}

function refused(reason: Message): SignalReading {
  return { kind: 'refused', reason };
}
