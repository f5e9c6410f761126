/**
 * Adds the L1 files of another memory to ours, without losing a word of either (M20). Journals
 * point into the files by name and byte, so a file is copied as it is, and gets a new name if
 * another conversation has its name.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { isSessionId } from '../../platform/store/session-id.ts';
import { linkFile } from '../../platform/store/staging.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { entryLine, parseHeader, parseL1 } from '../log/l1-line.ts';
import { readMemoryIndex, type SessionProgress, updateMemoryIndex } from '../log/memory-index.ts';
import { MAX_FILE_BYTES } from './manifest.ts';

const L1_FILE = /^[\w-]+\.l1\.jsonl(?=(?:\.gz)?$)/;

/** Returns the new name of each of their files. `ours` is a copy that nobody uses yet. */
export function mergeL1(ours: ProjectMemory, theirs: ProjectMemory): Map<string, string> {
  const names = new Map<string, string>();
  for (const file of l1Names(theirs)) names.set(file, mergeFile(ours, theirs, file));
  addSessions(ours, theirs, names);
  return names;
}

export function l1Names(memory: ProjectMemory): Set<string> {
  const names = attempt(() => readdirSync(memory.sessions), []);
  return new Set(names.flatMap((name) => L1_FILE.exec(name)?.[0] ?? []));
}

function mergeFile(ours: ProjectMemory, theirs: ProjectMemory, file: string): string {
  const [own, other] = [l1Content(ours, file), l1Content(theirs, file)];
  if (other === undefined || own?.subarray(0, other.length).equals(other)) return file;
  const sameUnderOtherName = nameOfSame(ours, file, other);
  if (sameUnderOtherName !== undefined) return sameUnderOtherName;
  if (own === undefined) return place(ours, theirs, file, file);
  const isContinued = other.subarray(0, own.length).equals(own);
  if (isContinued) writeFileAtomic(join(ours.sessions, file), other);
  else if (sessionIn(own) === sessionIn(other)) addMissing(ours, file, own, other);
  // Facts point to bytes of their file, so it is kept beside ours as it is.
  return isContinued ? file : place(ours, theirs, file, freeName(ours, theirs, file));
}

/** An earlier merge may have given their file another name, and the session may have gone on. */
function nameOfSame(ours: ProjectMemory, file: string, other: Buffer): string | undefined {
  const session = sessionIn(other);
  const own = readMemoryIndex(ours).sessions[session ?? '']?.file ?? '';
  const stem = file.replace(/(?:-\d+)?\.l1\.jsonl$/, '');
  const names = [...l1Names(ours)].filter((name) => name === own || name.startsWith(`${stem}-`));
  for (const name of names) {
    const content = l1Content(ours, name);
    if (name === file || content === undefined || sessionIn(content) !== session) continue;
    if (content.subarray(0, other.length).equals(other)) return name;
    if (!other.subarray(0, content.length).equals(content)) continue;
    writeFileAtomic(join(ours.sessions, name), other);
    return name;
  }
  return undefined;
}

/** The conversation went on in two places: appends the entries that ours does not have. */
function addMissing(ours: ProjectMemory, file: string, own: Buffer, other: Buffer): void {
  const ids = new Set(parseL1(own.toString('utf8')).map(({ id }) => id));
  const missing = parseL1(other.toString('utf8')).filter(({ id }) => !ids.has(id));
  if (missing.length === 0) return;
  const format = parseHeader(firstLine(own))?.format;
  const lines = missing.map((entry) => `${entryLine(entry, format)}\n`).join('');
  const separator = own.length === 0 || own.at(-1) === 0x0a ? '' : '\n';
  writeFileAtomic(join(ours.sessions, file), Buffer.concat([own, Buffer.from(separator + lines)]));
}

function place(ours: ProjectMemory, theirs: ProjectMemory, file: string, name: string): string {
  for (const end of ['', '.gz']) {
    const path = join(theirs.sessions, file + end);
    if (existsSync(path)) linkFile(path, join(ours.sessions, name + end));
  }
  return name;
}

function freeName(ours: ProjectMemory, theirs: ProjectMemory, file: string): string {
  const taken = new Set([...l1Names(ours), ...l1Names(theirs)]);
  const stem = file.replace(/(?:-\d{1,4})?\.l1\.jsonl$/, ''); // a hash has eight digits
  for (let n = 2; ; n++) if (!taken.has(`${stem}-${n}.l1.jsonl`)) return `${stem}-${n}.l1.jsonl`;
}

/** Also of a compressed file; undefined if there is none. */
export function l1Content({ sessions }: ProjectMemory, file: string): Buffer | undefined {
  const path = join(sessions, file);
  if (existsSync(path)) return readFileSync(path);
  return existsSync(`${path}.gz`)
    ? gunzipSync(readFileSync(`${path}.gz`), { maxOutputLength: MAX_FILE_BYTES })
    : undefined;
}

function sessionIn(content: Buffer): string | undefined {
  return parseHeader(firstLine(content))?.session;
}

function firstLine(content: Buffer): string {
  return content.subarray(0, content.indexOf('\n')).toString('utf8');
}

/** How far they are summarised and searched for facts follows from the journal. */
function addSessions(
  ours: ProjectMemory,
  theirs: ProjectMemory,
  names: ReadonlyMap<string, string>,
): void {
  const known = readMemoryIndex(ours).sessions;
  const added: Record<string, SessionProgress> = {};
  for (const [id, progress] of sessionsOf(theirs)) {
    const { offset, inode, pending, isOver, transcript, toolsSinceFacts } = progress;
    const reading = {
      ...{ offset, inode, pending, isOver, toolsSinceFacts },
      ...(transcript !== undefined && { transcript }),
    };
    const file = names.get(progress.file) ?? progress.file;
    const old = known[id];
    if (old === undefined || old.file === '') {
      const l1Bytes = l1Content(ours, file)?.length ?? progress.l1Bytes;
      added[id] = { ...reading, file, l1Bytes };
    } else {
      const l1Bytes = l1Content(ours, old.file)?.length ?? old.l1Bytes;
      // Only the memory that has read on knows how far the transcript is read.
      const isTheirs = old.file === file && l1Bytes > old.l1Bytes && l1Bytes === progress.l1Bytes;
      added[id] = { ...old, ...(isTheirs && reading), l1Bytes };
    }
  }
  updateMemoryIndex(ours, (index) => ({ ...index, sessions: { ...index.sessions, ...added } }));
}

/** Those of the index, and those that only the first line of a file names. */
function sessionsOf(theirs: ProjectMemory): Map<string, SessionProgress> {
  const sessions = new Map(
    Object.entries(readMemoryIndex(theirs).sessions).filter(([, { file }]) => file !== ''),
  );
  for (const file of [...l1Names(theirs)].sort()) {
    const content = l1Content(theirs, file);
    const id = content && sessionIn(content);
    if (id !== undefined && isSessionId(id) && !sessions.has(id))
      sessions.set(id, endedSession(file, content?.length ?? 0));
  }
  return sessions;
}

/** The progress of a session whose transcript is not here. */
export function endedSession(file: string, l1Bytes: number): SessionProgress {
  return { file, offset: 0, inode: 0, l1Bytes, pending: {}, isOver: true };
}
