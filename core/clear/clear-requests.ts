/**
 * Clear requests: cancel, snooze or clear now. The command line and the window write one small file
 * per session; the application that runs the clear takes it. Also pauses all automatic clears.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { writeFileAtomic } from '../platform/store/atomic-write.ts';
import { attempt } from '../platform/store/attempt.ts';
import { removeFile, removeFilesOlderThan } from '../platform/store/file-changes.ts';
import type { Places } from '../platform/store/places.ts';
import { readOwnFile } from '../platform/store/read-file.ts';
import { SessionId } from '../platform/store/session-id.ts';
import { parseAs } from './delivery/parse-as.ts';

const MAX_BYTES = 4096;
const KEEP_MS = 24 * 60 * 60 * 1000;

/** `wish`, and the folder's name, are those of 0.1.0. */
const StoredRequest = v.object({
  sessionId: SessionId,
  wish: v.picklist(['cancel', 'snooze', 'now']),
  at: v.pipe(v.string(), v.isoTimestamp()),
});

export type ClearRequest = v.InferOutput<typeof StoredRequest>['wish'];

export function clearRequestsFolder(places: Places): string {
  return join(places.home, 'wishes');
}

const requestPath = (places: Places, sessionId: string) =>
  join(clearRequestsFolder(places), `${sessionId}.json`);

export function writeClearRequest(places: Places, sessionId: string, wish: ClearRequest): void {
  const request = { sessionId, wish, at: new Date().toISOString() };
  writeFileAtomic(requestPath(places, sessionId), JSON.stringify(request), { durable: false });
  removeFilesOlderThan(clearRequestsFolder(places), KEEP_MS);
}

/** Reads and deletes a request; ignores one from before the clear (`since`). */
export function takeRequest(
  places: Places,
  sessionId: string,
  since: string,
): ClearRequest | undefined {
  const path = requestPath(places, sessionId);
  const file = readOwnFile(path, MAX_BYTES);
  if (file.state === 'missing') return undefined;
  attempt(() => removeFile(path), undefined);
  const request = file.state === 'ok' ? parseAs(StoredRequest, file.text) : undefined;
  return request !== undefined && request.at >= since ? request.wish : undefined;
}

const pausePath = (places: Places) => join(places.home, 'paused.json');

export function pauseClears(places: Places): void {
  writeFileAtomic(pausePath(places), JSON.stringify({ paused: true }));
}

export function resumeClears(places: Places): void {
  removeFile(pausePath(places));
}

export function areClearsPaused(places: Places): boolean {
  return existsSync(pausePath(places));
}
