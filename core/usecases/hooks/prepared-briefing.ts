/**
 * Keeps the briefing for the session after a `/clear` where no mod can (K2): what the continued
 * session has done takes longer to tell than node takes to start, so it is told after each reply,
 * when nobody waits, in `prepared/<session id>.briefing.json` of our folder.
 */
import { join } from 'node:path';
import type { WorkMarks } from '../../memory/log/memory-index.ts';
import { preparedFolder } from '../../memory/restore/prepared-compaction.ts';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { parseJson } from '../../platform/store/attempt.ts';
import { type FileState, isUnchanged } from '../../platform/store/file-states.ts';
import type { Places } from '../../platform/store/places.ts';
import { NO_LINKS, readSmallFile } from '../../platform/store/read-file.ts';
import { isRecord } from '../../platform/text/json.ts';

export interface PreparedBriefing {
  files: FileState[];
  /** For Claude, each as a text of its own. */
  contexts: string[];
  /** Of the session, when this was made. */
  l1Bytes: number;
}

const MAX_BYTES = 1024 * 1024;

const preparedPath = (places: Places, sessionId: string) =>
  join(preparedFolder(places), `${sessionId}.briefing.json`);

export function keepPrepared(places: Places, sessionId: string, made: PreparedBriefing): void {
  const { files, contexts, l1Bytes } = made;
  const text = JSON.stringify({ version: 1, files, contexts, l1Bytes });
  writeFileAtomic(preparedPath(places, sessionId), text, { durable: false });
}

/** Undefined unless all that was said in the session is in it, and nothing has changed since. */
export function readPrepared(
  places: Places,
  { sessions }: WorkMarks,
  sessionId: string,
): PreparedBriefing | undefined {
  const file = readSmallFile(preparedPath(places, sessionId), MAX_BYTES, NO_LINKS);
  const made = file.state === 'ok' ? parseJson(file.text) : undefined;
  if (!isRecord(made) || made.version !== 1) return undefined;
  const { files, contexts, l1Bytes } = made as Partial<PreparedBriefing>;
  if (!Array.isArray(files) || !Array.isArray(contexts)) return undefined;
  if (l1Bytes === undefined || l1Bytes !== sessions[sessionId]?.l1Bytes) return undefined;
  if (!files.every(isUnchanged)) return undefined;
  const isText = contexts.every((text) => typeof text === 'string');
  return isText ? { files, contexts, l1Bytes } : undefined;
}
