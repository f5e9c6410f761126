/**
 * `prepared/<sessionId>.compact.json` in our folder: the text that takes the place of a conversation
 * when Claude Code compacts it (K4), made after each turn. The mod reads it where the program that
 * makes a fresh one fails or is too late.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { parseJson } from '../../platform/store/attempt.ts';
import { removeFile, removeFilesOlderThan } from '../../platform/store/file-changes.ts';
import type { Places } from '../../platform/store/places.ts';
import { NO_LINKS, readSmallFile } from '../../platform/store/read-file.ts';
import { isRecord, stringAt } from '../../platform/text/json.ts';

const MAX_BYTES = 256 * 1024;
const KEEP_MS = 7 * 24 * 60 * 60 * 1000;

export function preparedFolder(places: Places): string {
  return join(places.home, 'prepared');
}

/** What the mod is given; it takes neither another session's nor one without its beginning. */
export interface CompactionText {
  sessionId: string;
  text: string;
}

function preparedCompactionPath(places: Places, sessionId: string): string {
  return join(preparedFolder(places), `${sessionId}.compact.json`);
}

export function savePreparedCompaction(places: Places, prepared: CompactionText): void {
  const path = preparedCompactionPath(places, prepared.sessionId);
  writeFileAtomic(path, JSON.stringify(prepared), { durable: false });
}

export function readPreparedCompaction(
  places: Places,
  sessionId: string,
): CompactionText | undefined {
  const file = readSmallFile(preparedCompactionPath(places, sessionId), MAX_BYTES, NO_LINKS);
  const json = file.state === 'ok' ? parseJson(file.text) : undefined;
  const text = isRecord(json) && json.sessionId === sessionId ? stringAt(json, 'text') : undefined;
  return text === undefined ? undefined : { sessionId, text };
}

/** It must not outlive the switch. */
export function removePreparedCompaction(places: Places, sessionId: string): void {
  const path = preparedCompactionPath(places, sessionId);
  if (existsSync(path)) removeFile(path);
}

/** A session that was idle for so long has lost only what stands in for the program. */
export function removeOldPrepared(places: Places): void {
  if (existsSync(preparedFolder(places))) removeFilesOlderThan(preparedFolder(places), KEEP_MS);
}
