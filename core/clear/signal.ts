/**
 * Reads clear signals (A1, A8): files in which a hook or the mod says that a session has reached
 * its threshold. A signal is only a reason to check the session, and is deleted in any case.
 */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type Message, message } from '../messages/message.ts';
import { attempt } from '../platform/store/attempt.ts';
import { removeFile } from '../platform/store/file-changes.ts';
import type { Places } from '../platform/store/places.ts';
import { readOwnFile } from '../platform/store/read-file.ts';
import { SessionId } from '../platform/store/session-id.ts';
import { parseAs } from './delivery/parse-as.ts';
import { signalsFolder } from './write-signal.ts';

const MAX_SIGNAL_BYTES = 16 * 1024;
/** An older signal is about a turn that is long over. */
const MAX_AGE_MS = 10 * 60 * 1000;
/** Clocks are set back sometimes. */
const MAX_AHEAD_MS = 60 * 1000;

const Signal = v.object({
  sessionId: SessionId,
  pid: v.pipe(v.number(), v.integer(), v.minValue(2)),
  tokens: v.pipe(v.number(), v.minValue(0)),
  window: v.nullable(v.pipe(v.number(), v.minValue(1))),
  at: v.pipe(v.string(), v.isoTimestamp()),
});

export type SignalReading =
  | { kind: 'signal'; signal: v.InferOutput<typeof Signal> }
  /** The older design's empty file: it means the one session over its threshold. */
  | { kind: 'any' }
  | { kind: 'refused'; reason: Message };

/** The plain file of the older design. */
export function legacySignalPath(places: Places): string {
  return join(places.claude, 'clear-signal');
}

/** Reads all signals and deletes each. A dot begins the name of an unfinished file. */
export function takeSignals(places: Places): SignalReading[] {
  const folder = signalsFolder(places);
  const names = attempt(() => readdirSync(folder), []).filter((name) => !name.startsWith('.'));
  const readings = names.map((name) => take(join(folder, name), (text) => parseSignal(text, name)));
  const plain = legacySignalPath(places);
  if (lstatSync(plain, { throwIfNoEntry: false }) === undefined) return readings;
  const parsePlain = (text: string): SignalReading =>
    text.trim() === '' ? { kind: 'any' } : parseSignal(text);
  return [...readings, take(plain, parsePlain)];
}

function take(path: string, parse: (text: string) => SignalReading): SignalReading {
  const file = readOwnFile(path, MAX_SIGNAL_BYTES);
  const isRemoved = attempt(() => removeFile(path) ?? true, false);
  if (!isRemoved) return refused(message('clear.signalNotRemoved', { path }));
  if (file.state === 'ok') return parse(file.text);
  if (file.state === 'missing') return refused(message('clear.signalGone', { path }));
  return refused(message('clear.signalUnreadable', { reason: file.reason }));
}

function parseSignal(text: string, fileName?: string): SignalReading {
  const name = fileName ?? 'clear-signal';
  const signal = parseAs(Signal, text);
  if (signal === undefined) return refused(message('clear.signalInvalid', { name }));
  if (fileName !== undefined && fileName !== `${signal.sessionId}.json`)
    return refused(message('clear.signalMisnamed', { name }));
  const age = Date.now() - Date.parse(signal.at);
  if (age > MAX_AGE_MS)
    return refused(message('clear.signalOld', { name, minutes: Math.round(age / 60_000) }));
  if (age < -MAX_AHEAD_MS) return refused(message('clear.signalFuture', { name }));
  return { kind: 'signal', signal };
}

function refused(reason: Message): SignalReading {
  return { kind: 'refused', reason };
}
