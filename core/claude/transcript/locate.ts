/**
 * Where Claude Code keeps the transcript of a session: `projects/<cwd with
 * dashes>/<sessionId>.jsonl`.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../platform/store/attempt.ts';

/**
 * Undefined while the session has not written anything there. Session ids are checked where they
 * are read: no separators.
 */
export function expectedTranscript(
  claudeFolder: string,
  cwd: string,
  sessionId: string,
): string | undefined {
  const path = join(
    claudeFolder,
    'projects',
    cwd.replace(/[^a-zA-Z0-9]/g, '-'),
    `${sessionId}.jsonl`,
  );
  return existsSync(path) ? path : undefined;
}

/**
 * The folder is named after the directory in which the session began. Where that is not the one we
 * know (the session moved, or the name was too long and shortened), the id alone finds it.
 */
export function searchTranscript(claudeFolder: string, sessionId: string): string | undefined {
  const projects = join(claudeFolder, 'projects');
  for (const folder of attempt(() => readdirSync(projects), [])) {
    const path = join(projects, folder, `${sessionId}.jsonl`);
    if (existsSync(path)) return path;
  }
  return undefined;
}
