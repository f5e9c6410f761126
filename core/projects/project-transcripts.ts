/** Finds a project's transcripts: of sessions that began in it or below it (M1, B3). */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readAppended } from '../claude/transcript/lines.ts';
import { projectFolderName } from '../claude/transcript/locate.ts';
import { projectRoot } from '../platform/project/project-place.ts';
import { attempt, parseJson } from '../platform/store/attempt.ts';
import type { Places } from '../platform/store/places.ts';
import { isSessionId } from '../platform/store/session-id.ts';
import { isRecord, stringAt } from '../platform/text/json.ts';

export interface TranscriptSource {
  sessionId: string;
  transcript: string;
}

const HEAD_BYTES = 256 * 1024;

export function projectTranscripts(
  places: Places,
  root: string,
  env: NodeJS.ProcessEnv,
): TranscriptSource[] {
  const prefix = projectFolderName(root);
  // The folders of `/home/kim/app` and `/home/kim/app-2` begin alike.
  const isOfProject = (transcript: string) => {
    const cwd = firstDirectory(transcript);
    return cwd !== undefined && projectRoot(places, cwd, env) === root;
  };
  return transcriptFolders(places)
    .flatMap((folder) => {
      const transcripts = transcriptsIn(folder);
      // Sessions of a worktree lie elsewhere, all in one folder: one of them tells.
      const isElsewhere = !basename(folder).startsWith(prefix);
      return isElsewhere && !transcripts.slice(0, 1).some(isOfProject) ? [] : transcripts;
    })
    .map((transcript) => ({ sessionId: basename(transcript, '.jsonl'), transcript }))
    .filter(({ sessionId, transcript }) => isSessionId(sessionId) && isOfProject(transcript));
}

export function transcriptFolders(places: Places): string[] {
  return pathsIn(join(places.claude, 'projects'));
}

export function transcriptsIn(folder: string): string[] {
  return pathsIn(folder).filter((path) => path.endsWith('.jsonl'));
}

function pathsIn(folder: string): string[] {
  return attempt(() => readdirSync(folder), []).map((name) => join(folder, name));
}

/** The directory in which a session began, according to its first rows. */
export function firstDirectory(transcript: string): string | undefined {
  const { lines } = readAppended(transcript, { offset: 0, inode: 0 }, HEAD_BYTES);
  for (const line of lines) {
    const row = parseJson(line.toString('utf8')); // undefined for a torn or foreign line
    const cwd = isRecord(row) ? stringAt(row, 'cwd') : undefined;
    if (cwd !== undefined) return cwd;
  }
  return undefined;
}
