/**
 * Writes several files as one (M21): first all contents into `unfinished.json`, then each file. The
 * next run finishes what a kill left. What a person saves meanwhile is merged on top (M2, M19).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { removeFile } from '../../platform/store/file-changes.ts';
import { fileMark } from '../../platform/store/file-mark.ts';
import {
  contentAsWritten,
  isUnchangedOutside,
  keepVersion,
  markContentAsWritten,
} from '../../platform/store/history.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { type EditedName, mergedWithSavedMeanwhile } from '../edits/merge-edits.ts';

/** Files of the memory folder that people may edit. No other name from a file is trusted. */
const Edited = v.object({
  name: v.picklist(['facts.json', 'concepts.json', 'memory.md'] satisfies EditedName[]),
  content: v.string(),
  /** Mark of the file that we read, and its text if it was not as we left it. */
  seen: v.string(),
  said: v.optional(v.string()),
});
const OfSession = v.object({
  name: v.pipe(v.string(), v.regex(/^[\w-]+\.l2\.json$/)),
  content: v.string(),
});
const Unfinished = v.object({ edited: v.array(Edited), ofSessions: v.array(OfSession) });

export type Unfinished = v.InferOutput<typeof Unfinished>;
type Edited = v.InferOutput<typeof Edited>;

/** For undo, and to find the version that a person's editor had loaded. */
const KEPT_VERSIONS = 20;

function unfinishedPath(memory: ProjectMemory): string {
  return join(memory.folder, 'unfinished.json');
}

/** Calls `assertHeld` last before the change can no longer be stopped. */
export function writeTogether(
  memory: ProjectMemory,
  files: Unfinished,
  assertHeld: () => void,
): void {
  const edited = files.edited.filter(({ name, content }) => {
    const path = join(memory.folder, name);
    return !isUnchangedOutside(path) || contentAsWritten(path) !== content;
  });
  const ofSessions = files.ofSessions.filter(
    ({ name, content }) => textOf(join(memory.sessions, name)) !== content,
  );
  if (edited.length + ofSessions.length === 0) return;
  const changed = JSON.stringify({ edited, ofSessions });
  writeFileAtomic(unfinishedPath(memory), changed, { beforeCommit: assertHeld });
  write(memory, { edited, ofSessions });
}

/** Call this under the journal's lock, before reading the files. */
export function finishWriting(memory: ProjectMemory): void {
  const text = textOf(unfinishedPath(memory));
  if (text === undefined) return;
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Unfinished), text);
  if (parsed.success) write(memory, parsed.output);
  else removeFile(unfinishedPath(memory)); // not ours: we write it whole or not at all
}

export function isWritingUnfinished(memory: ProjectMemory): boolean {
  return existsSync(unfinishedPath(memory));
}

function write(memory: ProjectMemory, { edited, ofSessions }: Unfinished): void {
  for (const { name, content } of ofSessions) writeFileAtomic(join(memory.sessions, name), content);
  for (const file of edited) while (!tryWrite(join(memory.folder, file.name), file));
  removeFile(unfinishedPath(memory));
}

/** False if a person saved in between: then try again. */
function tryWrite(path: string, { name, content, seen, said }: Edited): boolean {
  const found = fileMark(path);
  const now = textOf(path);
  const isTheirs = now !== undefined && now !== content && found !== seen;
  const before = said ?? contentAsWritten(path) ?? '';
  const merged = (theirs: string) =>
    mergedWithSavedMeanwhile(name, { before, ours: content, theirs });
  if (now !== undefined && now !== content) keepVersion(path, KEPT_VERSIONS);
  if (now !== content && !tryReplace(path, content, found)) return false;
  markContentAsWritten(path, content);
  const saved = textOf(path);
  // A file saved between our write and the mark would look like ours. Writing it again changes its
  // mark, so that the next run finds it as an outside edit.
  if (saved !== undefined && saved !== content) writeFileAtomic(path, merged(saved));
  else if (isTheirs) writeFileAtomic(path, merged(now));
  return true;
}

class SavedMeanwhile extends Error {}

/** False if the file is no longer the one that was found. */
function tryReplace(path: string, content: string, found: string): boolean {
  try {
    writeFileAtomic(path, content, {
      beforeCommit: () => {
        if (fileMark(path) !== found) throw new SavedMeanwhile();
      },
    });
    return true;
  } catch (error) {
    if (error instanceof SavedMeanwhile) return false;
    throw error;
  }
}

export function textOf(path: string): string | undefined {
  return attempt(() => readFileSync(path, 'utf8'), undefined);
}
