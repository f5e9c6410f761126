/**
 * All transcripts that Claude Code has of a project: those whose sessions began in it or below it
 * (M1), and no others (B3).
 */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readAppended } from '../claude/transcript/lines.ts';
import { attempt } from '../platform/store/attempt.ts';
import { type Places, projectRoot } from '../platform/store/places.ts';
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
  const projects = join(places.claude, 'projects');
  const prefix = root.replace(/[^a-zA-Z0-9]/g, '-');
  const folders = attempt(() => readdirSync(projects), []).filter((name) =>
    name.startsWith(prefix),
  );
  const found: TranscriptSource[] = [];
  for (const folder of folders) {
    for (const name of attempt(() => readdirSync(join(projects, folder)), [])) {
      if (!name.endsWith('.jsonl') || !isSessionId(name.slice(0, -'.jsonl'.length))) continue;
      const transcript = join(projects, folder, name);
      const cwd = firstDirectory(transcript);
      // `/home/kim/app` and `/home/kim/app-2` have folders that begin alike.
      if (cwd !== undefined && projectRoot(cwd, env) === root)
        found.push({ sessionId: name.slice(0, -'.jsonl'.length), transcript });
    }
  }
  return found;
}

/** The directory in which a session began, as its first rows tell it. */
export function firstDirectory(transcript: string): string | undefined {
  const { lines } = readAppended(transcript, { offset: 0, inode: 0 }, HEAD_BYTES);
  for (const line of lines) {
    try {
      const row: unknown = JSON.parse(line.toString('utf8'));
      const cwd = isRecord(row) ? stringAt(row, 'cwd') : undefined;
      if (cwd !== undefined) return cwd;
    } catch {
      // a torn or foreign line: the next one may tell
    }
  }
  return undefined;
}
