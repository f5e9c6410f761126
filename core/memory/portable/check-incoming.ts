/**
 * Checks an incoming memory before it is imported (M20). The index names files that we read and
 * append to later, so only plain file names are accepted. Removes the state of processes of the
 * machine where it was written.
 */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { ExpectedError } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { type DocumentKind, readDocument } from '../../platform/store/document.ts';
import { isWithin, type Places } from '../../platform/store/places.ts';
import { isSessionId } from '../../platform/store/session-id.ts';
import { conceptsPath, factsPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { factsFile, sessionFactsFile } from '../l2-facts/facts-file.ts';
import { conceptsFile } from '../l3-concepts/concepts-file.ts';
import {
  type MemoryIndex,
  memoryIndexFile,
  type SessionProgress,
  updateMemoryIndex,
} from '../log/memory-index.ts';

const L1_NAME = /^(?:[\w-]{1,100}\.l1\.jsonl)?$/;

/** Without the check of `memoryIndexFile`, which skips sessions with another name: here we refuse. */
const namedFiles: DocumentKind<{ sessions: Record<string, { file: string }> }> = {
  version: memoryIndexFile.version,
  schema: v.looseObject({
    sessions: v.fallback(v.record(v.string(), v.looseObject({ file: v.string() })), {}),
  }),
  empty: () => ({ sessions: {} }),
};

export function checkIncoming(places: Places, incoming: ProjectMemory): void {
  check(factsPath(incoming), factsFile);
  check(conceptsPath(incoming), conceptsFile);
  const names = attempt(() => readdirSync(incoming.sessions), []);
  for (const name of names)
    if (name.endsWith('.l2.json')) check(join(incoming.sessions, name), sessionFactsFile);
  check(incoming.index, memoryIndexFile);
  const { sessions } = check(incoming.index, namedFiles);
  for (const [id, { file }] of Object.entries(sessions))
    if (!isSessionId(id) || !L1_NAME.test(file)) throw refusal(message('archive.foreignIndex'));
  if (existsSync(incoming.index))
    updateMemoryIndex(incoming, (index) => forThisPlace(places, index));
}

function check<T extends object>(path: string, kind: DocumentKind<T>): T {
  const reading = readDocument(path, kind);
  if ('reason' in reading) throw refusal(reading.reason);
  return reading.value;
}

function refusal(reason: Message): ExpectedError {
  return new ExpectedError(message('archive.notImported', { reason }));
}

/**
 * Without the state of processes, and with transcripts only from this machine's Claude Code. The
 * clock is read from the journal again.
 */
function forThisPlace(places: Places, index: MemoryIndex): MemoryIndex {
  const {
    attempts: _,
    cleared: _cleared,
    delta: _delta,
    askedFor: _asked,
    clock: _clock,
    ...rest
  } = index;
  const sessions = Object.entries(index.sessions).map(
    ([id, { transcript, ...progress }]): [string, SessionProgress] => {
      const isHere =
        transcript !== undefined &&
        attempt(() => isWithin(transcript, join(places.claude, 'projects')), false);
      return [id, isHere ? { ...progress, transcript } : progress];
    },
  );
  return { ...rest, sessions: Object.fromEntries(sessions) };
}
