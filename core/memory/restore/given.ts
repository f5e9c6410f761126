/**
 * The very text that a session was given at its start, so that the user can see it:
 * `given/<sessionId>.txt` in our own folder.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import type { Places } from '../../platform/store/places.ts';
import { removeFilesOlderThan } from '../../platform/store/prune.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';

const MAX_BYTES = 256 * 1024;
const KEEP_MS = 30 * 24 * 60 * 60 * 1000;

export function givenFolder(places: Places): string {
  return join(places.home, 'given');
}

const givenPath = (places: Places, sessionId: string) =>
  join(givenFolder(places), `${sessionId}.txt`);

export function keepGiven(places: Places, sessionId: string, text: string): void {
  writeFileAtomic(givenPath(places, sessionId), text, { durable: false });
}

/**
 * Empty if there was nothing to give; undefined if the plugin has not been seen in the session, or
 * it is long ago.
 */
export function readGiven(places: Places, sessionId: string): string | undefined {
  const file = readSmallFile(givenPath(places, sessionId), MAX_BYTES);
  return file.state === 'ok' ? file.text : undefined;
}

/** When a session was given something; undefined as above. */
export function givenAt(places: Places, sessionId: string): Date | undefined {
  return statSync(givenPath(places, sessionId), { throwIfNoEntry: false })?.mtime;
}

export function removeOldGiven(places: Places): void {
  if (statSync(givenFolder(places), { throwIfNoEntry: false }) !== undefined)
    removeFilesOlderThan(givenFolder(places), KEEP_MS);
}
