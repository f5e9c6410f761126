/**
 * Imports the plain folder of memory-keeper 13+ and crabshell (M20): `.claude/memory`, with
 * `sessions/` in it or beside it. Makes a memory of ours from it, with a journal that says what was
 * imported. Changes nothing of theirs.
 */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ExpectedError } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt, parseJson } from '../../platform/store/attempt.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { isSessionId } from '../../platform/store/session-id.ts';
import { fingerprint } from '../../platform/text/fingerprint.ts';
import { isRecord, type JsonRecord } from '../../platform/text/json.ts';
import { type ProjectMemory, prepareProjectMemory } from '../../projects/project-memory.ts';
import { withIds } from '../edits/given-ids.ts';
import { updateMemoryIndex } from '../log/memory-index.ts';
import { redact } from '../redact/redact.ts';
import { record } from '../state/derive.ts';
import { foreignConcepts, foreignFacts, foreignL1, type Understood } from './foreign-items.ts';
import { MAX_FILE_BYTES } from './manifest.ts';
import type { Tell } from './write-archive.ts';

const L1_FILE = /^(\d{4}-\d{2}-\d{2}_\d{4}(?:-\d+)?)\.l1\.jsonl$/;
const PAGE = /^(?:\d{4}-\d{2}-\d{2}_\d{4}(?:-\d+)?|week-\d{1,2}|\d{4}-\d{2})\.md$/;
/** Theirs alone, made anew by ours, or of no use without the program that wrote it. */
const OF_NO_USE =
  /^(?:\..*|memory-index\.json|config\.json|delta_temp\.txt|counter\.json|.*\.(?:lock|tmp|l2\.json|bak))$/;

export function takeForeignFolder(folder: string, into: ProjectMemory, tell: Tell): Message[] {
  const sessions = [join(folder, 'sessions'), join(dirname(folder), 'sessions')].find((path) =>
    existsSync(path),
  );
  const hasAny = ['memory.md', 'facts.json', 'concepts.json'].some((name) =>
    existsSync(join(folder, name)),
  );
  if (!hasAny && sessions !== join(folder, 'sessions'))
    throw new ExpectedError(message('archive.noMemory', { folder }));
  prepareProjectMemory(into);
  const notes = [
    ...takeText(join(folder, 'memory.md'), join(into.folder, 'memory.md')),
    ...takeJson(join(folder, 'facts.json'), join(into.folder, 'facts.json'), foreignFacts),
    ...takeJson(join(folder, 'concepts.json'), join(into.folder, 'concepts.json'), foreignConcepts),
    ...(sessions === undefined ? [] : takeSessions(sessions, into, tell)),
    ...unknownIn(folder),
  ];
  // what people wrote by hand is taken in as their edits: that is what this is
  if (hasAny) record(into);
  return notes;
}

function takeSessions(folder: string, into: ProjectMemory, tell: Tell): Message[] {
  const names = namesIn(folder);
  const notes = names.flatMap((name, index) => {
    tell('reading', index + 1, names.length);
    const [, stem] = L1_FILE.exec(name) ?? [];
    if (stem !== undefined) return takeL1(join(folder, name), into, name);
    if (PAGE.test(name)) return takeText(join(folder, name), join(into.sessions, name));
    return name === 'archive' || OF_NO_USE.test(name)
      ? []
      : [message('archive.skipped', { name: `sessions/${name}` })];
  });
  const pages = namesIn(join(folder, 'archive')).filter((name) => PAGE.test(name));
  return [
    ...notes,
    ...pages.flatMap((name) =>
      takeText(join(folder, 'archive', name), join(into.sessions, 'archive', name)),
    ),
  ];
}

function takeL1(path: string, into: ProjectMemory, name: string): Message[] {
  const reading = textIn(path);
  if (typeof reading !== 'string') return reading.notes;
  const [first = ''] = reading.split('\n', 1);
  const header = parseJson(first);
  const told =
    isRecord(header) && typeof header.session === 'string' && isSessionId(header.session);
  const session = told
    ? String((header as { session: string }).session)
    : `imported-${fingerprint(name + reading.slice(0, 4096))}`;
  const { value, notes } = foreignL1(reading, session, `sessions/${name}`);
  writeFileAtomic(join(into.sessions, name), value);
  const progress = {
    file: name,
    offset: 0,
    inode: 0,
    l1Bytes: Buffer.byteLength(value),
    pending: {},
    isOver: true,
  };
  // What was said there is summed up and searched for facts already: by the program that wrote it.
  const done = {
    summarisedBytes: progress.l1Bytes,
    factsBytes: progress.l1Bytes,
    coveredBytes: progress.l1Bytes,
  };
  updateMemoryIndex(into, (index) => ({
    ...index,
    sessions: { ...index.sessions, [session]: { ...progress, ...done } },
  }));
  return notes;
}

function takeText(path: string, to: string): Message[] {
  if (!existsSync(path)) return [];
  const text = textIn(path);
  if (typeof text !== 'string') return text.notes;
  writeFileAtomic(to, redact(text));
  return [];
}

function takeJson(
  path: string,
  to: string,
  understand: (json: JsonRecord) => Understood<JsonRecord>,
): Message[] {
  if (!existsSync(path)) return [];
  const text = textIn(path);
  if (typeof text !== 'string') return text.notes;
  const json = parseJson(text.replace(/^\uFEFF/, ''));
  if (!isRecord(json)) return [message('archive.skippedNotObject', { name: basename(path) })];
  const { value, notes } = understand(json);
  writeFileAtomic(to, `${JSON.stringify(withIds({}, value), null, 2)}\n`);
  return notes;
}

function textIn(path: string): string | { notes: Message[] } {
  const reading = readSmallFile(path, MAX_FILE_BYTES);
  return reading.state === 'ok'
    ? reading.text
    : { notes: [message('archive.skippedUnreadable', { name: basename(path) })] };
}

function unknownIn(folder: string): Message[] {
  const known = /^(?:memory\.md|facts\.json|concepts\.json|sessions|archive|logs)$/;
  return namesIn(folder)
    .filter((name) => !known.test(name) && !OF_NO_USE.test(name))
    .map((name) => message('archive.skipped', { name }));
}

function namesIn(folder: string): string[] {
  return attempt(() => readdirSync(folder), []).sort();
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
