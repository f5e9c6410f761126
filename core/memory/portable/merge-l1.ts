/**
 * Adds the L1 files of another memory to ours, without losing a word of either (M20). Journals
 * point into the files by name and byte, so a file is copied as it is; if another conversation has
 * its name, it gets a new one, which is returned.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt, parseJson } from '../../platform/store/attempt.ts';
import { isSessionId } from '../../platform/store/session-id.ts';
import { linkInto } from '../../platform/store/staging.ts';
import { isRecord, stringAt } from '../../platform/text/json.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { parseL1 } from '../log/l1-store.ts';
import { readMemoryIndex, type SessionProgress, updateMemoryIndex } from '../log/memory-index.ts';
import { MAX_FILE_BYTES } from './manifest.ts';

const L1_FILE = /^[\w-]+\.l1\.jsonl(?=(?:\.gz)?$)/;

/** Gives back which name each of their files has now. `ours` is a memory that nobody uses yet. */
export function mergeL1(ours: ProjectMemory, theirs: ProjectMemory): Map<string, string> {
  const names = new Map<string, string>();
  for (const file of l1Names(theirs)) names.set(file, mergeFile(ours, theirs, file));
  addSessions(ours, theirs, names);
  return names;
}

export function l1Names(memory: ProjectMemory): Set<string> {
  return new Set(
    attempt(() => readdirSync(memory.sessions), []).flatMap(
      (name) => L1_FILE.exec(name)?.[0] ?? [],
    ),
  );
}

function mergeFile(ours: ProjectMemory, theirs: ProjectMemory, file: string): string {
  const [known, words] = [l1Content(ours, file), l1Content(theirs, file)];
  if (words === undefined || known?.subarray(0, words.length).equals(words)) return file;
  if (known === undefined) return place(ours, theirs, file, file);
  const isContinued = words.subarray(0, known.length).equals(known);
  if (isContinued) writeFileAtomic(join(ours.sessions, file), words);
  else if (sessionIn(known) === sessionIn(words)) addMissing(ours, file, known, words);
  // Facts were found at places of their file, so it stays beside ours as it is.
  return isContinued ? file : place(ours, theirs, file, freeName(ours, theirs, file));
}

/** The conversation went on in two places: what ours does not have stands behind it. */
function addMissing(ours: ProjectMemory, file: string, known: Buffer, words: Buffer): void {
  const there = new Set(parseL1(known.toString('utf8')).map(({ id }) => id));
  const missing = parseL1(words.toString('utf8')).filter(({ id }) => !there.has(id));
  const start =
    known.length === 0 || known.at(-1) === 0x0a ? known : Buffer.concat([known, Buffer.from('\n')]);
  const lines = missing.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  if (missing.length > 0)
    writeFileAtomic(join(ours.sessions, file), Buffer.concat([start, Buffer.from(lines)]));
}

function place(ours: ProjectMemory, theirs: ProjectMemory, file: string, name: string): string {
  for (const end of ['', '.gz']) {
    const path = join(theirs.sessions, file + end);
    if (existsSync(path)) linkInto(path, join(ours.sessions, name + end));
  }
  return name;
}

function freeName(ours: ProjectMemory, theirs: ProjectMemory, file: string): string {
  const taken = new Set([...l1Names(ours), ...l1Names(theirs)]);
  const stem = file.replace(/(?:-\d+)?\.l1\.jsonl$/, '');
  for (let n = 2; ; n++) if (!taken.has(`${stem}-${n}.l1.jsonl`)) return `${stem}-${n}.l1.jsonl`;
}

function l1Content({ sessions }: ProjectMemory, file: string): Buffer | undefined {
  const path = join(sessions, file);
  if (existsSync(path)) return readFileSync(path);
  return existsSync(`${path}.gz`)
    ? gunzipSync(readFileSync(`${path}.gz`), { maxOutputLength: MAX_FILE_BYTES })
    : undefined;
}

function sessionIn(content: Buffer): string | undefined {
  const header = parseJson(content.subarray(0, content.indexOf('\n')).toString('utf8'));
  return isRecord(header) ? stringAt(header, 'session') : undefined;
}

/** How far they are summed up and searched is told by the journal. */
function addSessions(
  ours: ProjectMemory,
  theirs: ProjectMemory,
  names: ReadonlyMap<string, string>,
): void {
  const known = readMemoryIndex(ours).sessions;
  const added = new Map<string, SessionProgress>();
  for (const [id, progress] of sessionsOf(theirs)) {
    const file = names.get(progress.file) ?? progress.file;
    const l1Bytes = l1Content(ours, file)?.length ?? progress.l1Bytes;
    const old = known[id];
    const { offset, inode, pending, isOver, transcript, toolsSinceFacts } = progress;
    const theirReach = {
      offset,
      inode,
      pending,
      isOver,
      toolsSinceFacts,
      ...(transcript !== undefined && { transcript }),
    };
    if (old === undefined || old.file === '') added.set(id, { ...theirReach, file, l1Bytes });
    else {
      const bytes = l1Content(ours, old.file)?.length ?? old.l1Bytes;
      // Only who has read on in the transcript knows how far it is read.
      const isTheirs = old.file === file && bytes > old.l1Bytes && bytes === progress.l1Bytes;
      added.set(id, { ...old, ...(isTheirs && theirReach), l1Bytes: bytes });
    }
  }
  updateMemoryIndex(ours, (index) => ({
    ...index,
    sessions: { ...index.sessions, ...Object.fromEntries(added) },
  }));
}

/** Those of the index, and those that only a file's first line tells of. */
function sessionsOf(theirs: ProjectMemory): Map<string, SessionProgress> {
  const sessions = new Map(
    Object.entries(readMemoryIndex(theirs).sessions).filter(([, { file }]) => file !== ''),
  );
  for (const file of [...l1Names(theirs)].sort()) {
    const content = l1Content(theirs, file);
    const id = content && sessionIn(content);
    if (id !== undefined && isSessionId(id) && !sessions.has(id))
      sessions.set(id, {
        file,
        offset: 0,
        inode: 0,
        l1Bytes: content?.length ?? 0,
        pending: {},
        isOver: true,
      });
  }
  return sessions;
}
