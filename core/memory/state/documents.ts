/**
 * The documents made from L1 and the journal: facts.json, concepts.json, memory.md and each
 * session's `.l2.json`. Loads them as we last wrote them, changes them in memory, and writes them
 * together.
 */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import * as v from 'valibot';
import { ExpectedError } from '../../messages/expected-error.ts';
import { linkOrCopy } from '../../platform/store/atomic-write.ts';
import { parseJson } from '../../platform/store/attempt.ts';
import { type DocumentKind, parseDocument, readDocument } from '../../platform/store/document.ts';
import { contentAsWritten, copyAsWritten, timeStamp } from '../../platform/store/history.ts';
import { contentFingerprint } from '../../platform/text/fingerprint.ts';
import { isRecord } from '../../platform/text/json.ts';
import {
  conceptsPath,
  factsPath,
  memoryMdPath,
  sessionFactsPath,
} from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import type { EditedName } from '../edits/merge-edits.ts';
import {
  type FactsFile,
  factsFile,
  type SessionFacts,
  sessionFactsFile,
} from '../l2-facts/facts-file.ts';
import { type ConceptsFile, conceptsFile } from '../l3-concepts/concepts-file.ts';
import { Statements, saysTheSame } from '../l4-permanent/statements.ts';
import { removedFacts } from '../log/journal.ts';
import { newMemoryMd } from '../memory-md/memory-md.ts';
import type { ContextEntry } from '../memory-md/sections.ts';
import type { OutsideChanges } from './outside-edits.ts';
import { textOf, writeTogether } from './write-together.ts';

export class Documents {
  readonly facts: FactsFile;
  readonly concepts: ConceptsFile;
  memoryMd: string;
  /** Entries that no longer fit into memory.md, to be saved elsewhere before it is written. */
  readonly rotated: ContextEntry[] = [];
  readonly #memory: ProjectMemory;
  readonly #sessions = new Map<string, SessionFacts>();
  readonly #isRebuild: boolean;
  #statements: Statements | undefined;
  #removed: Map<string, string> | undefined;

  /** `isRebuild`: ignores the current files. */
  constructor(memory: ProjectMemory, { isRebuild = false } = {}) {
    this.#memory = memory;
    this.#isRebuild = isRebuild;
    const load = <T extends object>(path: string, kind: DocumentKind<T>) =>
      isRebuild ? kind.empty() : lastWritten(path, kind);
    this.facts = load(factsPath(memory), factsFile);
    this.concepts = load(conceptsPath(memory), conceptsFile);
    const path = memoryMdPath(memory);
    const text = isRebuild ? undefined : (contentAsWritten(path) ?? textOf(path));
    this.memoryMd = text ?? newMemoryMd(memory.name);
  }

  /** What the facts state, prepared for comparison. */
  get statements(): Statements {
    this.#statements ??= new Statements(this.facts);
    return this.#statements;
  }

  /** Call this after changing facts other than by adding. */
  forgetStatements(): void {
    this.#statements = undefined;
  }

  /** The user has removed it: it is not accepted again, not even in other words. */
  forget(content: string): void {
    const mark = contentFingerprint(content);
    this.recall(content);
    this.facts._meta.forgotten.push(mark);
    this.#removed?.set(mark, content);
  }

  recall(content: string): void {
    const mark = contentFingerprint(content);
    this.facts._meta.forgotten = this.facts._meta.forgotten.filter((other) => other !== mark);
  }

  isForgotten(content: string): boolean {
    const marks = this.facts._meta.forgotten;
    if (marks.length === 0) return false;
    if (marks.includes(contentFingerprint(content))) return true;
    this.#removed ??= new Map(
      removedFacts(this.#memory).map((words) => [contentFingerprint(words), words]),
    );
    return marks.some((mark) => saysTheSame(this.#removed?.get(mark) ?? '', content));
  }

  /** The facts of one session so far. */
  sessionFacts(l1File: string, session: string): SessionFacts {
    const loaded = this.#sessions.get(l1File);
    if (loaded !== undefined) return loaded;
    const facts = this.#isRebuild
      ? sessionFactsFile.empty()
      : readSessionFacts(sessionFactsPath(this.#memory, l1File));
    facts.session = session;
    this.#sessions.set(l1File, facts);
    return facts;
  }

  write(outside: OutsideChanges, assertHeld: () => void): void {
    const file = (name: EditedName, content: Buffer) => ({ name, content, ...outside.seen[name] });
    const edited = [
      file('memory.md', Buffer.from(this.memoryMd)),
      file('concepts.json', json(this.concepts, conceptsFile)),
      file('facts.json', json(this.facts, factsFile)),
    ];
    const ofSessions = [...this.#sessions].map(([l1File, facts]) => ({
      name: basename(sessionFactsPath(this.#memory, l1File)),
      content: json(facts, sessionFactsFile),
    }));
    writeTogether(this.#memory, { edited, ofSessions }, assertHeld);
  }
}

/**
 * Without our own copy, the file itself. The copy was checked when it was written: checking
 * thousands of facts again takes longer than reading them.
 */
function lastWritten<T extends object>(path: string, kind: DocumentKind<T>): T {
  const left = contentAsWritten(path);
  const ours = left === undefined ? undefined : parseJson(left);
  if (isRecord(ours) && ours.version === kind.version) return ours as T;
  const reading = left === undefined ? readDocument(path, kind) : parseDocument(path, left, kind);
  if (reading.state === 'refused') throw new ExpectedError(reading.reason);
  return reading.state === 'broken' ? kind.empty() : reading.value;
}

/** Sets an invalid file aside. */
function readSessionFacts(path: string): SessionFacts {
  const reading = readDocument(path, sessionFactsFile);
  if (reading.state === 'refused') throw new ExpectedError(reading.reason);
  if (reading.state !== 'broken') return reading.value;
  linkOrCopy(path, `${path}.broken-${timeStamp()}`);
  return sessionFactsFile.empty();
}

/** If not, everything is rebuilt from the journal. */
export function areDocumentsKept(memory: ProjectMemory): boolean {
  const hasCopy = (path: string) => existsSync(copyAsWritten(path));
  const isKept = (path: string) => hasCopy(path) || existsSync(path);
  if (![factsPath(memory), conceptsPath(memory), memoryMdPath(memory)].every(isKept)) return false;
  return (
    hasCopy(factsPath(memory)) || readDocument(factsPath(memory), factsFile).state !== 'broken'
  );
}

/** With the fields in the order of the schema. */
function json<T extends object>(value: T, { schema, version }: DocumentKind<T>): Buffer {
  return Buffer.from(`${JSON.stringify({ ...v.parse(schema, value), version }, null, 2)}\n`);
}
