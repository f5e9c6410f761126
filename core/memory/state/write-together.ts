/**
 * Several files change as one (M21): what they are to be is first written down in one file,
 * `unfinished.json`, and then into each of them; what a kill leaves unfinished is finished by the
 * next run. What a person saves in the meantime stays on top (M2, M19).
 */

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { fileMark } from '../../platform/store/file-mark.ts';
import {
  asWeLeftIt,
  isAsWeLeftIt,
  keepVersion,
  markContentAsOurs,
} from '../../platform/store/history.ts';
import { removeFile } from '../../platform/store/prune.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { type EditedName, mergedWithSavedMeanwhile } from '../edits/merge-edits.ts';

/**
 * Files of the memory folder that people may edit; all others are sessions' own. A name from a file
 * is not trusted further than that.
 */
const Edited = v.object({
  name: v.picklist(['facts.json', 'concepts.json', 'memory.md'] satisfies EditedName[]),
  content: v.string(),
  /** Which file was there when we looked, and what it said if that was not what we had left. */
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

/** For undo, and to know what a person began with who has had the file open for a while. */
const KEPT_VERSIONS = 20;

function unfinishedPath(memory: ProjectMemory): string {
  return join(memory.folder, 'unfinished.json');
}

/** `assertHeld` is asked for the last time before the change can no longer be stopped. */
export function writeTogether(
  memory: ProjectMemory,
  files: Unfinished,
  assertHeld: () => void,
): void {
  const changed: Unfinished = {
    edited: files.edited.filter(
      ({ name, content }) => !isWritten(join(memory.folder, name), content),
    ),
    ofSessions: files.ofSessions.filter(
      ({ name, content }) => textOf(join(memory.sessions, name)) !== content,
    ),
  };
  if (changed.edited.length + changed.ofSessions.length === 0) return;
  writeFileAtomic(unfinishedPath(memory), JSON.stringify(changed), { beforeCommit: assertHeld });
  write(memory, changed);
}

/** To be called under the journal's lock, before the files are read. */
export function finishWriting(memory: ProjectMemory): void {
  const text = textOf(unfinishedPath(memory));
  if (text === undefined) return;
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Unfinished), text);
  if (parsed.success) write(memory, parsed.output);
  else removeFile(unfinishedPath(memory)); // written by nobody: ours is whole or not there
}

export function isWritingUnfinished(memory: ProjectMemory): boolean {
  return statSync(unfinishedPath(memory), { throwIfNoEntry: false }) !== undefined;
}

function write(memory: ProjectMemory, { edited, ofSessions }: Unfinished): void {
  for (const { name, content } of ofSessions) writeFileAtomic(join(memory.sessions, name), content);
  for (const file of edited) writeEdited(join(memory.folder, file.name), file);
  removeFile(unfinishedPath(memory));
}

/** Until nobody has saved in between. */
function writeEdited(path: string, file: Edited): void {
  while (!isWrittenOver(path, file));
}

function isWrittenOver(path: string, { name, content, seen, said }: Edited): boolean {
  const found = fileMark(path);
  const now = textOf(path);
  const isTheirs = now !== undefined && now !== content && found !== seen;
  const before = said ?? asWeLeftIt(path) ?? '';
  const onTop = (text: string) =>
    mergedWithSavedMeanwhile(name, { before, ours: content, theirs: text });
  if (now !== undefined && now !== content) keepVersion(path, KEPT_VERSIONS);
  if (now !== content && !isReplaced(path, content, found)) return false;
  markContentAsOurs(path, content);
  const saved = textOf(path);
  // If the user saved between our write and the mark, their file would look like ours. Writing it
  // again changes its identity, so that the next run finds it as an outside edit.
  if (saved !== undefined && saved !== content) writeFileAtomic(path, onTop(saved));
  else if (isTheirs) writeFileAtomic(path, onTop(now));
  return true;
}

class SavedMeanwhile extends Error {}

/** False if the file is no longer the one that was found. */
function isReplaced(path: string, content: string, found: string): boolean {
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

function isWritten(path: string, content: string): boolean {
  return isAsWeLeftIt(path) && asWeLeftIt(path) === content;
}

function textOf(path: string): string | undefined {
  return attempt(() => readFileSync(path, 'utf8'), undefined);
}
