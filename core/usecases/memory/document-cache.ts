/**
 * Caches the parsed documents of the last three projects by file identity, so that going through
 * thousands of facts reads their file once.
 */

import { readFileSync } from 'node:fs';
import { EditLog } from '../../memory/edits/edit-log.ts';
import { factsFile } from '../../memory/l2-facts/facts-file.ts';
import { type ConceptsFile, conceptsFile } from '../../memory/l3-concepts/concepts-file.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import { attempt } from '../../platform/store/attempt.ts';
import {
  type DocumentKind,
  type DocumentReading,
  readDocument,
} from '../../platform/store/document.ts';
import { fileMark } from '../../platform/store/file-mark.ts';
import { isAsWeLeftIt } from '../../platform/store/history.ts';
import { conceptsPath, factsPath, memoryMdPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { FactTable } from './fact-table.ts';
import { RecentTexts } from './recent-texts.ts';
import { SessionFiles } from './session-files.ts';

const KEPT_PROJECTS = 3;

type Reading<T> = { value: T } | { problem: Message };

export class ProjectCache {
  readonly memory: ProjectMemory;
  readonly edits: EditLog;
  readonly texts: RecentTexts;
  readonly sessions: SessionFiles;
  #facts: { identity: string; reading: Reading<FactTable> } | undefined;
  #concepts: { identity: string; reading: Reading<ConceptsFile> } | undefined;

  constructor(memory: ProjectMemory) {
    this.memory = memory;
    this.edits = new EditLog(memory);
    this.texts = new RecentTexts(memoryMdPath(memory));
    this.sessions = new SessionFiles(memory);
  }

  get facts(): FactTable {
    return readable(this.#factsReading());
  }

  get concepts(): ConceptsFile {
    return readable(this.#conceptsReading());
  }

  /** Files that could not be understood, and why. */
  get problems(): Message[] {
    return [this.#factsReading(), this.#conceptsReading()].flatMap((reading) =>
      'problem' in reading ? [reading.problem] : [],
    );
  }

  #factsReading(): Reading<FactTable> {
    const path = factsPath(this.memory);
    const identity = fileMark(path);
    if (this.#facts?.identity !== identity) {
      const reading = read(path, factsFile);
      this.#facts = {
        identity,
        reading: 'value' in reading ? { value: new FactTable(reading.value) } : reading,
      };
    }
    return this.#facts.reading;
  }

  #conceptsReading(): Reading<ConceptsFile> {
    const path = conceptsPath(this.memory);
    const identity = fileMark(path);
    if (this.#concepts?.identity !== identity)
      this.#concepts = { identity, reading: read(path, conceptsFile) };
    return this.#concepts.reading;
  }
}

function readable<T>(reading: Reading<T>): T {
  if ('problem' in reading)
    throw new ExpectedError(message('memory.leftAsIs', { problem: reading.problem }));
  return reading.value;
}

/**
 * What we wrote ourselves has been checked when it was written; to look at 50,000 facts field by
 * field again takes longer than to read them.
 */
function read<T extends object>(path: string, kind: DocumentKind<T>): Reading<T> {
  if (isAsWeLeftIt(path)) {
    const ours = attempt(() => JSON.parse(readFileSync(path, 'utf8')), undefined);
    if (ours?.version === kind.version) return { value: ours as T };
  }
  const reading: DocumentReading<T> = readDocument(path, kind);
  return 'reason' in reading ? { problem: reading.reason } : { value: reading.value };
}

export class DocumentCache {
  readonly #projects = new Map<string, ProjectCache>();

  of(memory: ProjectMemory): ProjectCache {
    const known = this.#projects.get(memory.folder) ?? new ProjectCache(memory);
    this.#projects.delete(memory.folder);
    this.#projects.set(memory.folder, known);
    const [oldest] = this.#projects.keys();
    if (this.#projects.size > KEPT_PROJECTS && oldest !== undefined) this.#projects.delete(oldest);
    return known;
  }
}
