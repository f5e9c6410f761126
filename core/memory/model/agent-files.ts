/**
 * Notes which files a session's own agents were sent to (M16): `agent-files/<sessionId>.txt` in our
 * folder, one path on each line. The PermissionRequest hook allows these and no others (T7), and
 * hooks-plugin/run.sh reads the same file.
 */
import { lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { removeFilesOlderThan } from '../../platform/store/file-changes.ts';
import type { Places } from '../../platform/store/places.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { isSessionId } from '../../platform/store/session-id.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';

const MAX_BYTES = 64 * 1024;
const MAX_PATHS = 4;
const KEEP_MS = 30 * 24 * 60 * 60 * 1000;
/** The shell compares a path with how JSON writes it; what is written otherwise is for the user. */
const NOT_PLAIN = process.platform === 'win32' ? /[\p{Cc}"]/u : /[\p{Cc}"\\]/u;

const folderOf = ({ home }: Places) => join(home, 'agent-files');
const fileOf = (places: Places, sessionId: string) => join(folderOf(places), `${sessionId}.txt`);

/** The path that an agent is told: with no link in it, so that it can be compared as it is. */
export function agentFile({ folder }: Pick<ProjectMemory, 'folder'>, name: string): string {
  return join(
    attempt(() => realpathSync.native(folder), folder),
    name,
  );
}

/** If it cannot be noted, the user is asked: the agent is worth more than the silence. */
export function allowReading(places: Places, sessionId: string, path: string): void {
  if (!isSessionId(sessionId) || NOT_PLAIN.test(path)) return;
  const paths = allowedPaths(places, sessionId);
  if (paths.includes(path)) return;
  const lines = [...paths, path].slice(-MAX_PATHS).map((line) => `${line}\n`);
  attempt(
    () => writeFileAtomic(fileOf(places, sessionId), lines.join(''), { durable: false }),
    undefined,
  );
}

export function isReadingAllowed(places: Places, sessionId: string, path: string): boolean {
  return allowedPaths(places, sessionId).includes(path) && isRealFile(path);
}

function allowedPaths(places: Places, sessionId: string): string[] {
  if (!isSessionId(sessionId)) return [];
  const file = readSmallFile(fileOf(places, sessionId), MAX_BYTES);
  return file.state === 'ok' ? file.text.split('\n').filter((line) => line !== '') : [];
}

/** A regular file, and no part of its path is a link. */
function isRealFile(path: string): boolean {
  const isReal = () => lstatSync(path).isFile() && realpathSync.native(path) === path;
  return attempt(isReal, false);
}

export function removeOldAgentFiles(places: Places): void {
  attempt(() => removeFilesOlderThan(folderOf(places), KEEP_MS), undefined);
}
