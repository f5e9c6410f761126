/**
 * Clear requests: cancel, snooze or clear now. The command line and the window write one small file
 * per session; the application that runs the clear reads and deletes it. Also whether automatic
 * clears are paused altogether.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { writeFileAtomic } from '../platform/store/atomic-write.ts';
import { attempt, parseJson } from '../platform/store/attempt.ts';
import type { Places } from '../platform/store/places.ts';
import { removeFile, removeFilesOlderThan } from '../platform/store/prune.ts';
import { readOwnFile } from '../platform/store/read-file.ts';
import { SessionId } from '../platform/store/session-id.ts';

const MAX_BYTES = 4096;
const KEEP_MS = 24 * 60 * 60 * 1000;

const Wish = v.object({
  sessionId: SessionId,
  wish: v.picklist(['cancel', 'snooze', 'now']),
  at: v.pipe(v.string(), v.isoTimestamp()),
});

export type Wish = v.InferOutput<typeof Wish>['wish'];

export function wishesFolder(places: Places): string {
  return join(places.home, 'wishes');
}

export function makeWish(places: Places, sessionId: string, wish: Wish): void {
  const at = new Date().toISOString();
  writeFileAtomic(
    join(wishesFolder(places), `${sessionId}.json`),
    JSON.stringify({ sessionId, wish, at }),
    { durable: false },
  );
  removeFilesOlderThan(wishesFolder(places), KEEP_MS);
}

/**
 * Reads and deletes the request for a session's clear. Ignores a request that is older than the
 * clear (`since`).
 */
export function takeWish(places: Places, sessionId: string, since: string): Wish | undefined {
  const path = join(wishesFolder(places), `${sessionId}.json`);
  const file = readOwnFile(path, MAX_BYTES);
  if (file.state === 'missing') return undefined;
  attempt(() => removeFile(path), undefined);
  const parsed = v.safeParse(Wish, file.state === 'ok' ? parseJson(file.text) : undefined);
  return parsed.success && parsed.output.at >= since ? parsed.output.wish : undefined;
}

function pausePath(places: Places): string {
  return join(places.home, 'paused.json');
}

export function pauseClears(places: Places): void {
  writeFileAtomic(pausePath(places), JSON.stringify({ paused: true }));
}

export function resumeClears(places: Places): void {
  removeFile(pausePath(places));
}

export function areClearsPaused(places: Places): boolean {
  return existsSync(pausePath(places));
}
