/** Where Claude Code keeps the transcript of a session: `projects/<cwd with dashes>/<sessionId>.jsonl`. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from '../store/atomic-write.ts';

/** Undefined while the session has not written anything there. Session ids are checked where they are read: no separators. */
export async function expectedTranscript(claudeFolder: string, cwd: string, sessionId: string): Promise<string | undefined> {
  const path = join(claudeFolder, 'projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'), `${sessionId}.jsonl`);
  return (await exists(path)) ? path : undefined;
}

/**
 * The folder is named after the directory in which the session began. Where that is not the one we know (the session moved,
 * or the name was too long and shortened), the id alone finds it.
 */
export async function searchTranscript(claudeFolder: string, sessionId: string): Promise<string | undefined> {
  const projects = join(claudeFolder, 'projects');
  for (const folder of await readdir(projects).catch(() => [])) {
    const path = join(projects, folder, `${sessionId}.jsonl`);
    if (await exists(path)) return path;
  }
  return undefined;
}
