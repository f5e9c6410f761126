/**
 * Remembers what was seen on this machine of the windows of models that the table does not know
 * (L1e): what Claude Code reported, what an API named as its limit, and how large a context was when
 * Claude Code compacted it. One small private file in our home; each model keeps a figure a kind.
 */
import { join } from 'node:path';
import table from '../../../resources/models.json' with { type: 'json' };
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt, parseJson } from '../../platform/store/attempt.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { isRecord, numberAt, recordAt } from '../../platform/text/json.ts';
import { modelKey } from './model-id.ts';

/** All in tokens. */
export interface LearntWindow {
  /** As Claude Code reported it, in any session. */
  reported?: number | undefined;
  /** What an API named as the most when it refused a prompt; the last one counts. */
  limit?: number | undefined;
  /** The largest context that Claude Code compacted by itself. */
  compactedAt?: number | undefined;
}

export interface WindowEvidence extends LearntWindow {
  model: string;
}

const SMALLEST_WINDOW = 1000;
const LARGEST_WINDOW = 100_000_000;
const MAX_MODELS = 200;
const LONGEST_ID = 300;
const MAX_FILE_BYTES = 256 * 1024;

/**
 * Claude Code compacts by itself when so many tokens are left: 33,000 of late, 45,000 up to 2.1.17.
 * Where it takes the window for larger than it is, it compacts when the API has refused a prompt.
 */
const USUALLY_LEFT = 33_000;
const MOST_LEFT = 46_000;
const MOST_BEYOND = 10_000;

/**
 * The usual size that fits best, else what is known to have fitted in: too small a window clears a
 * session early, too large a one never. Settings move the point of compaction; then the result is
 * the window that Claude Code works with, which is what a session lives by.
 */
export function windowFromCompaction(compactedAt: number): number {
  const likely = compactedAt + USUALLY_LEFT;
  const distance = (size: number) => Math.abs(size - likely);
  const [nearest] = table.usualWindows
    .filter((size) => size >= compactedAt - MOST_BEYOND && size <= compactedAt + MOST_LEFT)
    .sort((one, other) => distance(one) - distance(other));
  return nearest ?? compactedAt;
}

export function learntWindowsPath(home: string): string {
  return join(home, 'model-windows.json');
}

/** Undefined if nothing was learnt of the model. */
export function readLearntWindow(home: string, model: string): LearntWindow | undefined {
  return readAll(home).get(modelKey(model));
}

/** By `modelKey`. Empty if nothing was learnt or the file is unreadable. */
function readAll(home: string): Map<string, LearntWindow> {
  const file = readSmallFile(learntWindowsPath(home), MAX_FILE_BYTES);
  const json = file.state === 'ok' ? parseJson(file.text) : undefined;
  const models = isRecord(json) ? (recordAt(json, 'models') ?? {}) : {};
  return new Map(
    Object.entries(models).flatMap(([key, found]) =>
      isRecord(found)
        ? [
            [
              key,
              valid({
                reported: numberAt(found, 'reported'),
                limit: numberAt(found, 'limit'),
                compactedAt: numberAt(found, 'compactedAt'),
              }),
            ] as const,
          ]
        : [],
    ),
  );
}

/**
 * Adds what was seen of a model. Needs no lock: what two processes learn in the same moment
 * is seen again at the next look.
 */
export function learnWindow(home: string, { model, ...seen }: WindowEvidence): void {
  const all = readAll(home);
  const key = modelKey(model);
  const before = all.get(key) ?? {};
  const now = joined(before, valid(seen));
  const isNew = JSON.stringify(now) !== JSON.stringify(before);
  if (!isNew || key === '' || key.length > LONGEST_ID) return;
  const others = [...all].filter(([other]) => other !== key);
  // The newest stand last, and the oldest go first.
  const models = Object.fromEntries([...others, [key, now] as const].slice(-MAX_MODELS));
  const text = `${JSON.stringify({ version: 1, models })}\n`;
  // Where the home cannot be written, the next look finds it again.
  attempt(() => writeFileAtomic(learntWindowsPath(home), text, { durable: false }), undefined);
}

function joined(before: LearntWindow, seen: LearntWindow): LearntWindow {
  const compactedAt = Math.max(before.compactedAt ?? 0, seen.compactedAt ?? 0);
  // So much has fitted in since.
  const isRefuted = (seen.compactedAt ?? 0) > (before.limit ?? 0);
  return valid({
    reported: seen.reported ?? before.reported,
    limit: seen.limit ?? (isRefuted ? undefined : before.limit),
    compactedAt,
  });
}

function valid({ reported, limit, compactedAt }: LearntWindow): LearntWindow {
  const isWindow = (tokens: number | undefined): tokens is number =>
    Number.isSafeInteger(tokens) &&
    Number(tokens) >= SMALLEST_WINDOW &&
    Number(tokens) <= LARGEST_WINDOW;
  return {
    ...(isWindow(reported) && { reported }),
    ...(isWindow(limit) && { limit }),
    ...(isWindow(compactedAt) && { compactedAt }),
  };
}
