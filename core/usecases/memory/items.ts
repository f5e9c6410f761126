/**
 * Facts and concepts in the window (M9, M10, M11, M19): pages of them, each with its version, and
 * people's changes. A change of an item that was changed meanwhile is refused, with the item as it
 * is now. Fields that no form knows stay as they are.
 */

import {
  type Fact,
  factsFile,
  PERMANENT_LISTS,
  type Permanent,
} from '../../memory/l2-facts/facts-file.ts';
import { type Concept, conceptsFile } from '../../memory/l3-concepts/concepts-file.ts';
import {
  addFact,
  changeConcept,
  changeFact,
  forgetFact,
  type ItemEdited,
  removeConcept,
  removeFact,
} from '../../memory/state/edits.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import { type DocumentKind, readDocument } from '../../platform/store/document.ts';
import { shortened } from '../../platform/text/sentences.ts';
import { conceptsPath, factsPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import type { ProjectCache } from './document-cache.ts';
import { type FactPart, type FactRow, wordsIn } from './fact-table.ts';
import type { ConceptChange, FactChange } from './item-change.ts';
import { versionOf, versionOfItem } from './text-versions.ts';

export interface FactDetail {
  part: FactPart;
  fact: Fact | Permanent;
  version: string;
  concept: { id: string; name: string } | null;
}

export interface ConceptRow {
  id: string;
  name: string;
  summary: string;
  facts: number;
  keywords: string[];
}

export interface ConceptDetail {
  concept: Concept;
  version: string;
  facts: FactRow[];
}

export type ItemSaved =
  | { saved: true; id: string; version: string; edit: number }
  | { saved: false; theirs: Fact | Permanent | Concept | null; version: string };

const MAX_ROW_CHARS = 2000;

export function factDetail({ facts, concepts }: ProjectCache, id: string): FactDetail {
  const found = facts.find(id);
  if (found === undefined) throw new ExpectedError(message('edit.noFact', { id }));
  const { part, fact } = found;
  const concept = concepts.concepts.find((known) => known.id === fact.conceptId);
  return {
    part,
    fact,
    version: versionOfItem(fact),
    concept: concept ? { id: concept.id, name: concept.name } : null,
  };
}

export function addNewFact(
  cache: ProjectCache,
  part: FactPart,
  { content, conceptId, ...change }: FactChange,
): ItemSaved {
  if (content === undefined) throw new ExpectedError(message('edit.factNeedsText'));
  assertReadable(cache);
  assertConcept(cache, conceptId);
  const { item, edit } = addFact(cache.memory, cache.edits, part, {
    content,
    ...change,
    ...(conceptId && { conceptId }),
  });
  return { saved: true, id: item.id, version: versionOfItem(item), edit };
}

export function changeOneFact(
  cache: ProjectCache,
  id: string,
  base: string,
  change: FactChange,
): ItemSaved {
  assertReadable(cache);
  assertConcept(cache, change.conceptId);
  return saved(
    id,
    changeFact(cache.memory, cache.edits, id, change, (now) => versionOfItem(now) === base),
  );
}

/** Every fact in full, the permanent ones first; `isAll`: also what newer facts have replaced. */
export function factLists(memory: ProjectMemory, isAll: boolean) {
  const file = readOrRefuse(factsPath(memory), factsFile);
  const shown = <T extends Fact>(facts: readonly T[]) =>
    facts.filter(({ supersededBy }) => isAll || supersededBy === undefined);
  const { decisions, patterns, issues, notes } = file;
  return {
    permanent: shown(PERMANENT_LISTS.flatMap((list) => file.permanent[list])),
    decisions: shown(decisions),
    patterns: shown(patterns),
    issues: shown(issues),
    notes: shown(notes),
  };
}

export function conceptList(memory: ProjectMemory): Concept[] {
  return readOrRefuse(conceptsPath(memory), conceptsFile).concepts;
}

function readOrRefuse<T extends object>(path: string, kind: DocumentKind<T>): T {
  const reading = readDocument(path, kind);
  if ('reason' in reading) throw new ExpectedError(reading.reason);
  return reading.value;
}

/** Whatever it says by now. */
export function forgetFactNow(memory: ProjectMemory, id: string): Fact {
  const fact = forgetFact(memory, id);
  if (fact === undefined) throw new ExpectedError(message('edit.noFact', { id }));
  return fact;
}

export function forgetOneFact(cache: ProjectCache, id: string, base: string): ItemSaved {
  assertReadable(cache);
  return forgotten(
    id,
    removeFact(cache.memory, cache.edits, id, (now) => versionOfItem(now) === base),
    message('edit.noFact', { id }),
  );
}

export function conceptRows(
  { facts, concepts }: ProjectCache,
  question: { words?: string | undefined; from: number; count: number },
): { total: number; rows: ConceptRow[] } {
  const counts = facts.countsOfConcepts();
  const wanted = wordsIn(question.words);
  const found = concepts.concepts.filter(({ id, name, summary, keywords }) => {
    const text = `${id}\n${name}\n${summary}\n${keywords.join('\n')}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  const rows = found
    .map(({ id, name, summary, keywords }) => ({
      id,
      name,
      summary,
      keywords,
      facts: counts.get(id) ?? 0,
    }))
    .sort((a, b) => b.facts - a.facts || (a.name < b.name ? -1 : 1))
    .slice(question.from, question.from + question.count)
    .map((row) => ({
      ...row,
      name: shortened(row.name, MAX_ROW_CHARS),
      summary: shortened(row.summary, MAX_ROW_CHARS),
    }));
  return { total: found.length, rows };
}

export function conceptDetail({ facts, concepts }: ProjectCache, id: string): ConceptDetail {
  const concept = concepts.concepts.find((known) => known.id === id);
  if (concept === undefined) throw new ExpectedError(message('edit.noConcept', { id }));
  return { concept, version: versionOfItem(concept), facts: facts.ofConcept(id) };
}

export function changeOneConcept(
  cache: ProjectCache,
  id: string,
  base: string,
  change: ConceptChange,
): ItemSaved {
  assertReadable(cache);
  return saved(
    id,
    changeConcept(cache.memory, cache.edits, id, change, (now) => versionOfItem(now) === base),
  );
}

export function forgetOneConcept(cache: ProjectCache, id: string, base: string): ItemSaved {
  assertReadable(cache);
  return forgotten(
    id,
    removeConcept(cache.memory, cache.edits, id, (now) => versionOfItem(now) === base),
    message('edit.noConcept', { id }),
  );
}

function forgotten(
  id: string,
  removed: ItemEdited<Fact | Permanent | Concept>,
  isGone: Message,
): ItemSaved {
  if (removed.isSaved) return { saved: true, id, version: '', edit: removed.edit };
  if (removed.theirs === undefined) throw new ExpectedError(isGone);
  return saved(id, removed);
}

function saved(id: string, edited: ItemEdited<Fact | Permanent | Concept>): ItemSaved {
  if (edited.isSaved)
    return { saved: true, id, version: versionOfItem(edited.item), edit: edited.edit };
  return {
    saved: false,
    theirs: edited.theirs ?? null,
    version: edited.theirs ? versionOfItem(edited.theirs) : versionOf(''),
  };
}

/**
 * A file that cannot be understood is for its owner to mend; nothing is written over it from here.
 */
function assertReadable({ problems }: ProjectCache): void {
  if (problems.length > 0) throw new ExpectedError(message('edit.notSaved', { problems }));
}

function assertConcept({ concepts }: ProjectCache, id: string | null | undefined): void {
  if (typeof id === 'string' && !concepts.concepts.some((concept) => concept.id === id))
    throw new ExpectedError(message('edit.noConcept', { id }));
}
