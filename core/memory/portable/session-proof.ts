/**
 * Which sessions are the user's own (M1, T1): Claude Code has a transcript of them, or our home has
 * a clear record or a briefing. A repository can bring a memory that looks like ours, but it cannot
 * put anything into these folders, and nobody can guess a session's id.
 */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { attempt, parseJson } from '../../platform/store/attempt.ts';
import type { Places } from '../../platform/store/places.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { isSessionId } from '../../platform/store/session-id.ts';
import { isRecord, recordAt, stringAt } from '../../platform/text/json.ts';
import { transcriptFolders, transcriptsIn } from '../../projects/project-transcripts.ts';

const MAX_RECORD_BYTES = 1024 * 1024;

export interface SessionProof {
  isOwn(sessionId: string): boolean;
  /** Undefined once Claude Code has removed it. */
  transcriptOf(sessionId: string): string | undefined;
}

/** Reads the names once: keep it for all memories of one run. */
export function sessionProof(places: Places): SessionProof {
  const transcripts = new Map(
    transcriptFolders(places)
      .flatMap(transcriptsIn)
      .map((path) => [basename(path, '.jsonl'), path]),
  );
  const own = new Set([...transcripts.keys(), ...cleared(places), ...briefed(places)]);
  return {
    isOwn: (id) => isSessionId(id) && own.has(id),
    transcriptOf: (id) => transcripts.get(id),
  };
}

/** The sessions before and after each clear. */
function cleared(places: Places): string[] {
  const folder = join(places.home, 'clears');
  return namesIn(folder, '.json').flatMap((id) => {
    const file = readSmallFile(join(folder, `${id}.json`), MAX_RECORD_BYTES);
    const json = file.state === 'ok' ? parseJson(file.text) : undefined;
    const record = isRecord(json) ? recordAt(json, 'record') : undefined;
    return [id, (record && stringAt(record, 'newSessionId')) ?? id];
  });
}

function briefed(places: Places): string[] {
  return namesIn(join(places.home, 'given'), '.txt');
}

function namesIn(folder: string, end: string): string[] {
  const names = attempt(() => readdirSync(folder), []);
  return names.flatMap((name) => (name.endsWith(end) ? [basename(name, end)] : []));
}
