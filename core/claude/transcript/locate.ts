/** Finds a session's transcript: `projects/<cwd with dashes>/<sessionId>.jsonl`. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../platform/store/attempt.ts';

/** Undefined while the session has written nothing there. Its id is a checked `SessionId`. */
export function expectedTranscript(
  claudeFolder: string,
  cwd: string,
  sessionId: string,
): string | undefined {
  const folder = join(claudeFolder, 'projects', projectFolderName(cwd));
  const path = join(folder, `${sessionId}.jsonl`);
  return existsSync(path) ? path : undefined;
}

/** How Claude Code names the folder of a directory's transcripts. */
export function projectFolderName(cwd: string): string {
  return cwd.replace(/[^a-zA-Z0-9]/g, '-');
}

/** By its id alone, for a session that changed directory or whose folder name was too long. */
export function searchTranscript(claudeFolder: string, sessionId: string): string | undefined {
  const projects = join(claudeFolder, 'projects');
  for (const folder of attempt(() => readdirSync(projects), [])) {
    const path = join(projects, folder, `${sessionId}.jsonl`);
    if (existsSync(path)) return path;
  }
  return undefined;
}
