/** Verifies a project's memory (M9, M2): every file is valid, and every quote is in its entry. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Message, message } from '../../messages/message.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { type DocumentKind, readDocument } from '../../platform/store/document.ts';
import { conceptsPath, factsPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { factsFile, sessionFactsFile } from '../l2-facts/facts-file.ts';
import { entryText, plainText } from '../l2-facts/l2-verify.ts';
import { conceptsFile } from '../l3-concepts/concepts-file.ts';
import { journalBytes, readJournal } from '../log/journal.ts';
import { readL1Range } from '../log/l1-store.ts';
import { memoryIndexFile, readMemoryIndex } from '../log/memory-index.ts';
import { FACT_PARTS, factsIn } from './edits.ts';

export interface Verified {
  sessions: number;
  entries: number;
  facts: number;
  problems: Message[];
}

export function verifyMemory(memory: ProjectMemory): Verified {
  const reading = readDocument(factsPath(memory), factsFile);
  const file = reading.state === 'ok' ? reading.value : undefined;
  const problems: Message[] = [
    ...problemsOf(memory.index, memoryIndexFile),
    ...problemsOf(factsPath(memory), factsFile),
    ...problemsOf(conceptsPath(memory), conceptsFile),
    ...sessionFactsPaths(memory).flatMap((path) => problemsOf(path, sessionFactsFile)),
    ...(file === undefined ? [] : journalProblems(memory, file._meta.journal)),
  ];
  const texts = new Map<string, string>();
  let entryCount = 0;
  const { sessions } = readMemoryIndex(memory);
  const l1Files = Object.values(sessions).flatMap((session) => session.file || []);
  for (const l1File of l1Files) {
    const entries = readL1Range(memory, l1File);
    if (entries === undefined) problems.push(message('memory.conversationLost', { file: l1File }));
    for (const entry of entries ?? []) texts.set(entry.id, entryText(entry));
    entryCount += entries?.length ?? 0;
  }
  const facts = file === undefined ? [] : FACT_PARTS.flatMap((part) => factsIn(file, part));
  for (const { id, evidence } of facts) {
    const lost = evidence.find(({ entry, quote }) => {
      const text = texts.get(entry);
      return text !== undefined && !plainText(text).includes(plainText(quote));
    });
    if (lost !== undefined) problems.push(message('memory.quoteLost', { id, entry: lost.entry }));
  }
  return { sessions: l1Files.length, entries: entryCount, facts: facts.length, problems };
}

function problemsOf<T extends object>(path: string, kind: DocumentKind<T>): Message[] {
  if (!existsSync(path)) return [];
  const reading = readDocument(path, kind);
  return 'reason' in reading ? [reading.reason] : [];
}

function sessionFactsPaths(memory: ProjectMemory): string[] {
  const names = attempt(() => readdirSync(memory.sessions), []);
  return names
    .filter((name) => name.endsWith('.l2.json'))
    .map((name) => join(memory.sessions, name));
}

/** `applied`: how much of the journal is in facts.json. */
function journalProblems(memory: ProjectMemory, applied: number): Message[] {
  const isBehind = journalBytes(memory) > applied && readJournal(memory, applied).events.length > 0;
  return isBehind ? [message('memory.behindJournal', { file: basename(factsPath(memory)) })] : [];
}
