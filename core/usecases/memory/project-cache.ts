/** Caches a project's parsed documents, so that going through thousands of facts reads them once. */
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
import { isUnchangedOutside } from '../../platform/store/history.ts';
import { conceptsPath, factsPath, memoryMdPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { FactTable } from './fact-table.ts';
import { FileCache } from './file-cache.ts';
import { SessionFiles } from './session-files.ts';
import { RecentTexts } from './text-versions.ts';

export class ProjectCache {
  readonly memory: ProjectMemory;
  readonly edits: EditLog;
  readonly texts: RecentTexts;
  readonly sessions: SessionFiles;
  readonly #facts = new FileCache<DocumentReading<FactTable>>();
  readonly #concepts = new FileCache<DocumentReading<ConceptsFile>>();

  constructor(memory: ProjectMemory) {
    this.memory = memory;
    this.edits = new EditLog(memory);
    this.texts = new RecentTexts(memoryMdPath(memory));
    this.sessions = new SessionFiles(memory);
  }

  get facts(): FactTable {
    return assertRead(this.#readFacts());
  }

  get concepts(): ConceptsFile {
    return assertRead(this.#readConcepts());
  }

  /** Why files could not be read. */
  get problems(): Message[] {
    return [this.#readFacts(), this.#readConcepts()].flatMap((reading) =>
      'reason' in reading ? [reading.reason] : [],
    );
  }

  #readFacts(): DocumentReading<FactTable> {
    const path = factsPath(this.memory);
    return this.#facts.get([path], () => {
      const reading = read(path, factsFile);
      return 'value' in reading ? { ...reading, value: new FactTable(reading.value) } : reading;
    });
  }

  #readConcepts(): DocumentReading<ConceptsFile> {
    const path = conceptsPath(this.memory);
    return this.#concepts.get([path], () => read(path, conceptsFile));
  }
}

function assertRead<T>(reading: DocumentReading<T>): T {
  if ('value' in reading) return reading.value;
  throw new ExpectedError(message('memory.leftAsIs', { problem: reading.reason }));
}

/**
 * What we wrote ourselves was checked when it was written. Checking 50,000 facts field by field
 * again would take longer than reading them.
 */
function read<T extends object>(path: string, kind: DocumentKind<T>): DocumentReading<T> {
  if (isUnchangedOutside(path)) {
    const ours = attempt(() => JSON.parse(readFileSync(path, 'utf8')), undefined);
    if (ours?.version === kind.version) return { state: 'ok', value: ours as T };
  }
  return readDocument(path, kind);
}
