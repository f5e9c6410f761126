/** Keeps the briefing of each session for the user to see: `given/<sessionId>.txt` in our folder. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { removeFilesOlderThan } from '../../platform/store/file-changes.ts';
import type { Places } from '../../platform/store/places.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';

const MAX_BYTES = 256 * 1024;
const KEEP_MS = 30 * 24 * 60 * 60 * 1000;

export function briefingsFolder(places: Places): string {
  return join(places.home, 'given');
}

const givenPath = (places: Places, sessionId: string) =>
  join(briefingsFolder(places), `${sessionId}.txt`);

export function saveBriefing(places: Places, sessionId: string, text: string): void {
  writeFileAtomic(givenPath(places, sessionId), text, { durable: false });
}

/** Empty if there was nothing to restore; undefined if the plugin did not run, or it is long ago. */
export function readBriefing(places: Places, sessionId: string): string | undefined {
  const file = readSmallFile(givenPath(places, sessionId), MAX_BYTES);
  return file.state === 'ok' ? file.text : undefined;
}

export function briefedAt(places: Places, sessionId: string): Date | undefined {
  return statSync(givenPath(places, sessionId), { throwIfNoEntry: false })?.mtime;
}

export function removeOldBriefings(places: Places): void {
  if (statSync(briefingsFolder(places), { throwIfNoEntry: false }) !== undefined)
    removeFilesOlderThan(briefingsFolder(places), KEEP_MS);
}
