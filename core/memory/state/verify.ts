/**
 * Verifies a project's memory (M9, M2): every file can be read, and every fact's quote is still in
 * its entry.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Message, message } from '../../messages/message.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { type DocumentKind, readDocument } from '../../platform/store/document.ts';
import { conceptsPath, factsPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import {
  FACT_LISTS,
  factsFile,
  PERMANENT_LISTS,
  sessionFactsFile,
} from '../l2-facts/facts-file.ts';
import { plainText, wordsOf } from '../l2-facts/l2-verify.ts';
import { conceptsFile } from '../l3-concepts/concepts-file.ts';
import { journalBytes, readJournal } from '../log/journal.ts';
import { readKeptL1 } from '../log/l1-store.ts';
import { memoryIndexFile, readMemoryIndex } from '../log/memory-index.ts';

export interface Verified {
  sessions: number;
  entries: number;
  facts: number;
  /** What is not as it should be. */
  problems: Message[];
}

export function verifyMemory(memory: ProjectMemory): Verified {
  const problems: Message[] = [
    ...problemsOf(memory.index, memoryIndexFile),
    ...problemsOf(factsPath(memory), factsFile),
    ...problemsOf(conceptsPath(memory), conceptsFile),
    ...l2Files(memory).flatMap((path) => problemsOf(path, sessionFactsFile)),
    ...journalProblems(memory),
  ];
  const words = new Map<string, string>();
  let entries = 0;
  const sessions = Object.values(readMemoryIndex(memory).sessions).filter(
    ({ file }) => file !== '',
  );
  for (const { file } of sessions) {
    const kept = readKeptL1(memory, file);
    if (kept === undefined) problems.push(message('memory.conversationLost', { file }));
    for (const entry of kept ?? []) words.set(entry.id, wordsOf(entry));
    entries += kept?.length ?? 0;
  }
  const facts = allFacts(memory);
  for (const { id, evidence } of facts) {
    const lost = evidence.find(
      ({ entry, quote }) =>
        words.has(entry) && !plainText(words.get(entry) ?? '').includes(plainText(quote)),
    );
    if (lost !== undefined) problems.push(message('memory.quoteLost', { id, entry: lost.entry }));
  }
  return { sessions: sessions.length, entries, facts: facts.length, problems };
}

function problemsOf<T extends object>(path: string, kind: DocumentKind<T>): Message[] {
  if (!existsSync(path)) return [];
  const reading = readDocument(path, kind);
  return 'reason' in reading ? [reading.reason] : [];
}

function l2Files(memory: ProjectMemory): string[] {
  const names = attempt(() => readdirSync(memory.sessions), []).filter((name) =>
    name.endsWith('.l2.json'),
  );
  return names.map((name) => join(memory.sessions, name));
}

function journalProblems(memory: ProjectMemory): Message[] {
  const reading = readDocument(factsPath(memory), factsFile);
  if (reading.state !== 'ok') return [];
  const behind = journalBytes(memory) - reading.value._meta.journal;
  const isBehind = behind > 0 && readJournal(memory, reading.value._meta.journal).events.length > 0;
  return isBehind ? [message('memory.behindJournal', { file: basename(factsPath(memory)) })] : [];
}

function allFacts(memory: ProjectMemory) {
  const reading = readDocument(factsPath(memory), factsFile);
  if (reading.state !== 'ok') return [];
  const { permanent, ...lists } = reading.value;
  return [
    ...FACT_LISTS.flatMap((list) => lists[list]),
    ...PERMANENT_LISTS.flatMap((list) => permanent[list]),
  ];
}
