/**
 * Imports the plain folder of memory-keeper 13+ and crabshell (M20): `.claude/memory`, with
 * `sessions/` in it or beside it. Makes a memory of ours from it, with a journal that says what was
 * imported, and changes nothing of theirs.
 */

import { existsSync, readdirSync } from 'node:fs';
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
import { type Converted, foreignConcepts, foreignFacts, foreignL1 } from './foreign-items.ts';
import { MAX_FILE_BYTES } from './manifest.ts';
import { endedSession, sessionInLine } from './merge-l1.ts';
import type { Tell } from './write-archive.ts';

const L1_FILE = /^\d{4}-\d{2}-\d{2}_\d{4}(?:-\d+)?\.l1\.jsonl$/;
const PAGE = /^(?:\d{4}-\d{2}-\d{2}_\d{4}(?:-\d+)?|week-\d{1,2}|\d{4}-\d{2})\.md$/;
/** Settings and state of their program, and what ours makes itself. */
const OF_NO_USE =
  /^(?:\..*|memory-index\.json|config\.json|delta_temp\.txt|counter\.json|.*\.(?:lock|tmp|l2\.json|bak))$/;
const IMPORTED = /^(?:memory\.md|facts\.json|concepts\.json|sessions|archive|logs)$/;

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
    ...takeText(folder, into.folder, 'memory.md'),
    ...takeJson(folder, into.folder, 'facts.json', foreignFacts),
    ...takeJson(folder, into.folder, 'concepts.json', foreignConcepts),
    ...(sessions === undefined ? [] : takeSessions(sessions, into, tell)),
    ...namesIn(folder).flatMap((name) => (IMPORTED.test(name) ? [] : skipped(name, name))),
  ];
  // Records what people wrote by hand as their edits.
  if (hasAny) record(into);
  return notes;
}

function takeSessions(folder: string, into: ProjectMemory, tell: Tell): Message[] {
  const names = namesIn(folder);
  const notes = names.flatMap((name, index) => {
    tell('reading', index + 1, names.length);
    if (L1_FILE.test(name)) return takeL1(folder, into, name);
    if (PAGE.test(name)) return takeText(folder, into.sessions, name);
    return name === 'archive' ? [] : skipped(name, `sessions/${name}`);
  });
  const [from, to] = [join(folder, 'archive'), join(into.sessions, 'archive')];
  const pages = namesIn(from).filter((name) => PAGE.test(name));
  return [...notes, ...pages.flatMap((name) => takeText(from, to, name))];
}

function takeL1(folder: string, into: ProjectMemory, name: string): Message[] {
  return takeFile(join(folder, name), (text) => {
    const own = sessionInLine(text.split('\n', 1)[0] ?? '') ?? '';
    const session = isSessionId(own) ? own : `imported-${fingerprint(name + text.slice(0, 4096))}`;
    const { value, notes } = foreignL1(text, session, `sessions/${name}`);
    writeFileAtomic(join(into.sessions, name), value);
    const bytes = Buffer.byteLength(value);
    // The program that wrote it has summarised it and searched it for facts already.
    const progress = {
      ...endedSession(name, bytes),
      summarisedBytes: bytes,
      factsBytes: bytes,
      coveredBytes: bytes,
    };
    updateMemoryIndex(into, (index) => ({
      ...index,
      sessions: { ...index.sessions, [session]: progress },
    }));
    return notes;
  });
}

function takeText(from: string, to: string, name: string): Message[] {
  return takeFile(join(from, name), (text) => {
    writeFileAtomic(join(to, name), redact(text));
    return [];
  });
}

function takeJson(
  from: string,
  to: string,
  name: string,
  convert: (json: JsonRecord) => Converted<JsonRecord>,
): Message[] {
  return takeFile(join(from, name), (text) => {
    const json = parseJson(text.replace(/^\uFEFF/, ''));
    if (!isRecord(json)) return [message('archive.skippedNotObject', { name })];
    const { value, notes } = convert(json);
    writeFileAtomic(join(to, name), `${JSON.stringify(withIds({}, value), null, 2)}\n`);
    return notes;
  });
}

function takeFile(path: string, take: (text: string) => Message[]): Message[] {
  const file = readSmallFile(path, MAX_FILE_BYTES);
  if (file.state === 'missing') return [];
  return file.state === 'ok'
    ? take(file.text)
    : [message('archive.skippedUnreadable', { name: basename(path) })];
}

function skipped(fileName: string, name: string): Message[] {
  return OF_NO_USE.test(fileName) ? [] : [message('archive.skipped', { name })];
}

function namesIn(folder: string): string[] {
  return attempt(() => readdirSync(folder), []).sort();
}
