/**
 * Caches the parsed documents of the last three projects, so that going through thousands of facts
 * reads their file once.
 */
import { readFileSync } from 'node:fs';
import { EditLog } from '../../memory/edits/edit-log.ts';
import { factsFile } from '../../memory/l2-facts/facts-file.ts';
import { type ConceptsFile, conceptsFile } from '../../memory/l3-concepts/concepts-file.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { type DocumentKind, readDocument } from '../../platform/store/document.ts';
import { isAsWeLeftIt } from '../../platform/store/history.ts';
import { conceptsPath, factsPath, memoryMdPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { FactTable } from './fact-table.ts';
import { FileCache } from './file-cache.ts';
import { SessionFiles } from './session-files.ts';
import { RecentTexts } from './text-versions.ts';

const MAX_PROJECTS = 3;

type Reading<T> = { value: T } | { problem: Message };

export class ProjectCache {
  readonly memory: ProjectMemory;
  readonly edits: EditLog;
  readonly texts: RecentTexts;
  readonly sessions: SessionFiles;
  readonly #facts = new FileCache<Reading<FactTable>>();
  readonly #concepts = new FileCache<Reading<ConceptsFile>>();

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

  /** Why files could not be read. */
  get problems(): Message[] {
    return [this.#factsReading(), this.#conceptsReading()].flatMap((reading) =>
      'problem' in reading ? [reading.problem] : [],
    );
  }

  #factsReading(): Reading<FactTable> {
    const path = factsPath(this.memory);
    return this.#facts.get([path], () => {
      const reading = read(path, factsFile);
      return 'value' in reading ? { value: new FactTable(reading.value) } : reading;
    });
  }

  #conceptsReading(): Reading<ConceptsFile> {
    const path = conceptsPath(this.memory);
    return this.#concepts.get([path], () => read(path, conceptsFile));
  }
}

function readable<T>(reading: Reading<T>): T {
  if ('problem' in reading)
    throw new ExpectedError(message('memory.leftAsIs', { problem: reading.problem }));
  return reading.value;
}

/**
 * What we wrote ourselves was checked when it was written. Checking 50,000 facts field by field
 * again would take longer than reading them.
 */
function read<T extends object>(path: string, kind: DocumentKind<T>): Reading<T> {
  if (isAsWeLeftIt(path)) {
    const ours = attempt(() => JSON.parse(readFileSync(path, 'utf8')), undefined);
    if (ours?.version === kind.version) return { value: ours as T };
  }
  const reading = readDocument(path, kind);
  return 'reason' in reading ? { problem: reading.reason } : { value: reading.value };
}

export class DocumentCache {
  readonly #projects = new Map<string, ProjectCache>();

  of(memory: ProjectMemory): ProjectCache {
    const project = this.#projects.get(memory.folder) ?? new ProjectCache(memory);
    this.#projects.delete(memory.folder);
    this.#projects.set(memory.folder, project);
    const [oldest = ''] = this.#projects.keys();
    if (this.#projects.size > MAX_PROJECTS) this.#projects.delete(oldest);
    return project;
  }
}
