/**
 * Writes several files as one (M21): first all contents into `unfinished.json`, then each file. The
 * next run finishes what a kill left. What a person saves meanwhile is merged on top (M2, M19).
 * Contents are bytes, since a file of thousands of facts is compared and written several times.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { removeFile } from '../../platform/store/file-changes.ts';
import { fileMark } from '../../platform/store/file-mark.ts';
import {
  contentAsWritten,
  copyAsWritten,
  isUnchangedOutside,
  keepVersion,
  markContentAsWritten,
} from '../../platform/store/history.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { type EditedName, mergedWithSavedMeanwhile } from '../edits/merge-edits.ts';

/** Files of the memory folder that people may edit. No other name from a file is trusted. */
const Edited = v.object({
  name: v.picklist(['facts.json', 'concepts.json', 'memory.md'] satisfies EditedName[]),
  /** Mark of the file that we read, and its text if it was not as we left it. */
  seen: v.string(),
  said: v.optional(v.string()),
  bytes: v.number(),
});
const OfSession = v.object({
  name: v.pipe(v.string(), v.regex(/^[\w-]+\.l2\.json$/)),
  bytes: v.number(),
});
/** The first line of `unfinished.json`; the contents follow, in this order. */
const Header = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ edited: v.array(Edited), ofSessions: v.array(OfSession) }),
);

type Content<T> = Omit<T, 'bytes'> & { content: Buffer };
type Edited = Content<v.InferOutput<typeof Edited>>;
export interface Unfinished {
  edited: Edited[];
  ofSessions: Content<v.InferOutput<typeof OfSession>>[];
}

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
    return !isUnchangedOutside(path) || !hasContent(copyAsWritten(path), content);
  });
  const ofSessions = files.ofSessions.filter(
    ({ name, content }) => !hasContent(join(memory.sessions, name), content),
  );
  if (edited.length + ofSessions.length === 0) return;
  const changed = { edited, ofSessions };
  writeFileAtomic(unfinishedPath(memory), packed(changed), { beforeCommit: assertHeld });
  write(memory, changed);
}

/** Call this under the journal's lock, before reading the files. */
export function finishWriting(memory: ProjectMemory): void {
  const file = bytesOf(unfinishedPath(memory));
  if (file === undefined) return;
  const unfinished = unpacked(file);
  if (unfinished !== undefined) write(memory, unfinished);
  else removeFile(unfinishedPath(memory)); // not ours: we write it whole or not at all
}

export function isWritingUnfinished(memory: ProjectMemory): boolean {
  return existsSync(unfinishedPath(memory));
}

function packed({ edited, ofSessions }: Unfinished): Buffer {
  const sized = <T extends { content: Buffer }>({ content, ...file }: T) => ({
    ...file,
    bytes: content.length,
  });
  const header = JSON.stringify({ edited: edited.map(sized), ofSessions: ofSessions.map(sized) });
  const contents = [...edited, ...ofSessions].map(({ content }) => content);
  return Buffer.concat([Buffer.from(`${header}\n`), ...contents]);
}

function unpacked(file: Buffer): Unfinished | undefined {
  let end = file.indexOf('\n') + 1;
  const header = v.safeParse(Header, file.toString('utf8', 0, end));
  if (!header.success) return undefined;
  const filled = <T extends { bytes: number }>({ bytes, ...rest }: T) => {
    const content = file.subarray(end, end + bytes);
    end += bytes;
    return { ...rest, content };
  };
  const edited = header.output.edited.map(filled);
  const ofSessions = header.output.ofSessions.map(filled);
  return end === file.length ? { edited, ofSessions } : undefined;
}

function write(memory: ProjectMemory, { edited, ofSessions }: Unfinished): void {
  for (const { name, content } of ofSessions) writeFileAtomic(join(memory.sessions, name), content);
  for (const file of edited) while (!tryWrite(join(memory.folder, file.name), file));
  removeFile(unfinishedPath(memory));
}

/** False if a person saved in between: then try again. */
function tryWrite(path: string, { name, content, seen, said }: Edited): boolean {
  const found = fileMark(path);
  const now = bytesOf(path);
  const isNew = now === undefined || !now.equals(content);
  const isTheirs = now !== undefined && isNew && found !== seen;
  // A file that is as we saw it holds what we wrote.
  const isOurs = now !== undefined && !isTheirs;
  const copy = isOurs ? undefined : contentAsWritten(path);
  const merged = (theirs: Buffer) =>
    mergedWithSavedMeanwhile(name, {
      before: said ?? (isOurs ? now.toString('utf8') : copy) ?? '',
      ours: content.toString('utf8'),
      theirs: theirs.toString('utf8'),
    });
  if (now !== undefined && isNew) keepVersion(path, KEPT_VERSIONS);
  if (isNew && !tryReplace(path, content, found)) return false;
  markContentAsWritten(path, content);
  const saved = bytesOf(path);
  // A file saved between our write and the mark would look like ours. Writing it again changes its
  // mark, so that the next run finds it as an outside edit.
  if (saved !== undefined && !saved.equals(content)) writeFileAtomic(path, merged(saved));
  else if (isTheirs) writeFileAtomic(path, merged(now));
  return true;
}

class SavedMeanwhile extends Error {}

/** False if the file is no longer the one that was found. */
function tryReplace(path: string, content: Buffer, found: string): boolean {
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

function hasContent(path: string, content: Buffer): boolean {
  return statSync(path, { throwIfNoEntry: false })?.size === content.length
    ? bytesOf(path)?.equals(content) === true
    : false;
}

function bytesOf(path: string): Buffer | undefined {
  return attempt(() => readFileSync(path), undefined);
}

export function textOf(path: string): string | undefined {
  return attempt(() => readFileSync(path, 'utf8'), undefined);
}
