/** Where the notes about a session's keeping lie (T6): alone, because every prompt looks there. */
import { join } from 'node:path';
import type { Places } from '../../platform/store/places.ts';

export const TEMPORARY_SUFFIX = '.not-kept';

export const keepingFolder = (places: Places): string => join(places.home, 'keeping');

export function keepingNotePath(places: Places, sessionId: string): string {
  return join(keepingFolder(places), `${sessionId}.json`);
}

export function temporaryNotePath(env: NodeJS.ProcessEnv, sessionId: string): string {
  return join(temporaryFolder(env), `${temporaryPrefix()}${sessionId}${TEMPORARY_SUFFIX}`);
}

/** Several users may share that folder. */
export function temporaryPrefix(): string {
  return `memory-keeper-${process.getuid?.() ?? 'user'}-`;
}

/** As `os.tmpdir` says, which hooks do not load. */
export function temporaryFolder(env: NodeJS.ProcessEnv): string {
  return env.TMPDIR || env.TEMP || env.TMP || '/tmp';
}
