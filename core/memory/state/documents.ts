/**
 * The documents that are made from L1 and the journal: facts.json, concepts.json, memory.md and
 * each session's `.l2.json`. They are taken as we last wrote them, changed in memory, and written
 * together.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as v from 'valibot';
import { ExpectedError } from '../../messages/expected-error.ts';
import { keepUnder } from '../../platform/store/atomic-write.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { type DocumentKind, parseDocument, readDocument } from '../../platform/store/document.ts';
import { asWeLeftIt, timeStamp } from '../../platform/store/history.ts';
import { fingerprint } from '../../platform/text/fingerprint.ts';
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
import { writeTogether } from './write-together.ts';

export class Documents {
  readonly facts: FactsFile;
  readonly concepts: ConceptsFile;
  memoryMd: string;
  /** Entries that no longer fit into memory.md, to be archived before it is written. */
  readonly rotated: ContextEntry[] = [];
  readonly #memory: ProjectMemory;
  readonly #sessions = new Map<string, SessionFacts>();
  readonly #isAnew: boolean;
  #statements: Statements | undefined;
  #removed: Map<string, string> | undefined;

  /** `isAnew`: nothing of what stands in the files is taken over. */
  constructor(memory: ProjectMemory, { isAnew = false } = {}) {
    this.#memory = memory;
    this.#isAnew = isAnew;
    this.facts = isAnew ? factsFile.empty() : lastWritten(factsPath(memory), factsFile);
    this.concepts = isAnew ? conceptsFile.empty() : lastWritten(conceptsPath(memory), conceptsFile);
    const text = isAnew
      ? undefined
      : (asWeLeftIt(memoryMdPath(memory)) ?? textOf(memoryMdPath(memory)));
    this.memoryMd = text ?? newMemoryMd(basename(memory.root));
  }

  /** What the facts state, prepared for comparison. */
  get statements(): Statements {
    this.#statements ??= new Statements(this.facts);
    return this.#statements;
  }

  /** To be called when facts were changed other than by adding. */
  forgetStatements(): void {
    this.#statements = undefined;
  }

  /** The user has removed it: it is not taken in again, nor in other words. */
  forget(content: string): void {
    const mark = fingerprint(content);
    this.recall(content);
    this.facts._meta.forgotten.push(mark);
    this.#removed?.set(mark, content);
  }

  recall(content: string): void {
    const mark = fingerprint(content);
    this.facts._meta.forgotten = this.facts._meta.forgotten.filter((known) => known !== mark);
  }

  isForgotten(content: string): boolean {
    const marks = this.facts._meta.forgotten;
    if (marks.length === 0) return false;
    if (marks.includes(fingerprint(content))) return true;
    this.#removed ??= new Map(
      removedFacts(this.#memory).map((words) => [fingerprint(words), words]),
    );
    return marks.some((mark) => saysTheSame(this.#removed?.get(mark) ?? '', content));
  }

  /** What was found in one session so far. */
  sessionFacts(l1File: string, session: string): SessionFacts {
    const known = this.#sessions.get(l1File);
    if (known !== undefined) return known;
    const facts = this.#isAnew
      ? sessionFactsFile.empty()
      : readSessionFacts(sessionFactsPath(this.#memory, l1File));
    facts.session = session;
    this.#sessions.set(l1File, facts);
    return facts;
  }

  write(outside: OutsideChanges, assertHeld: () => void): void {
    const edited = (name: EditedName, content: string) => ({
      name,
      content,
      ...outside.seen[name],
    });
    const files = {
      edited: [
        edited('memory.md', this.memoryMd),
        edited('concepts.json', json(this.concepts, conceptsFile)),
        edited('facts.json', json(this.facts, factsFile)),
      ],
      ofSessions: [...this.#sessions].map(([l1File, facts]) => ({
        name: basename(sessionFactsPath(this.#memory, l1File)),
        content: json(facts, sessionFactsFile),
      })),
    };
    writeTogether(this.#memory, files, assertHeld);
  }
}

/** Without a copy of what we wrote, what stands there is taken for it. */
function lastWritten<T extends object>(path: string, kind: DocumentKind<T>): T {
  const left = asWeLeftIt(path);
  const reading = left === undefined ? readDocument(path, kind) : parseDocument(path, left, kind);
  if (reading.state === 'refused') throw new ExpectedError(reading.reason);
  return reading.state === 'broken' ? kind.empty() : reading.value;
}

/** One that cannot be understood is set aside. */
function readSessionFacts(path: string): SessionFacts {
  const reading = readDocument(path, sessionFactsFile);
  if (reading.state === 'refused') throw new ExpectedError(reading.reason);
  if (reading.state !== 'broken') return reading.value;
  keepUnder(path, `${path}.broken-${timeStamp()}`);
  return sessionFactsFile.empty();
}

/** Whether there is something to go on from; if not, everything is made anew from the journal. */
export function areDocumentsKept(memory: ProjectMemory): boolean {
  const isKept = (path: string) => asWeLeftIt(path) !== undefined || existsSync(path);
  if (![factsPath(memory), conceptsPath(memory), memoryMdPath(memory)].every(isKept)) return false;
  return (
    asWeLeftIt(factsPath(memory)) !== undefined ||
    readDocument(factsPath(memory), factsFile).state !== 'broken'
  );
}

function textOf(path: string): string | undefined {
  return attempt(() => readFileSync(path, 'utf8'), undefined);
}

/** Fields always stand in the order of the schema, however they came in. */
function json<T extends object>(value: T, { schema, version }: DocumentKind<T>): string {
  return `${JSON.stringify({ ...v.parse(schema, value), version }, null, 2)}\n`;
}
