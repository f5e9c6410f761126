/**
 * Facts and concepts for the window (M9, M10, M11, M19), each with its version, and people's
 * changes of them. Refuses a change of an item that was changed meanwhile, and returns the item as
 * it is now. Fields that no form has stay as they are.
 */

import * as v from 'valibot';
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
import { shorten } from '../../platform/text/sentences.ts';
import { conceptsPath, factsPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { type FactPart, type FactRow, hasWords, MAX_ROW_CHARS } from './fact-table.ts';
import type { ProjectCache } from './project-cache.ts';
import { MAX_LINE_CHARS } from './text-limits.ts';
import { versionOf, versionOfItem } from './text-versions.ts';

export const line = v.pipe(v.string(), v.maxLength(MAX_LINE_CHARS));
export const itemId = v.pipe(v.string(), v.minLength(1), v.maxLength(200));

/** What a form may change. A field that is not named stays; `null` removes one. */
export const factChange = v.strictObject({
  content: v.optional(v.pipe(line, v.trim(), v.minLength(1))),
  reason: v.optional(v.nullable(line)),
  status: v.optional(v.nullable(v.picklist(['open', 'resolved']))),
  resolution: v.optional(v.nullable(line)),
  keywords: v.optional(v.array(line)),
  files: v.optional(v.array(line)),
  conceptId: v.optional(v.nullable(itemId)),
});
export type FactChange = v.InferOutput<typeof factChange>;

export const conceptChange = v.strictObject({
  name: v.optional(v.pipe(line, v.trim(), v.minLength(1))),
  summary: v.optional(line),
  keywords: v.optional(v.array(line)),
  files: v.optional(v.array(line)),
});
export type ConceptChange = v.InferOutput<typeof conceptChange>;

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

type Item = Fact | Permanent | Concept;

export type ItemSaved =
  | { saved: true; id: string; version: string; edit: number }
  | { saved: false; theirs: Item | null; version: string };

export function factDetail({ facts, concepts }: ProjectCache, id: string): FactDetail {
  const found = facts.find(id);
  if (found === undefined) throw new ExpectedError(message('edit.noFact', { id }));
  const { part, fact } = found;
  const concept = concepts.concepts.find((one) => one.id === fact.conceptId);
  const named = concept ? { id: concept.id, name: concept.name } : null;
  return { part, fact, version: versionOfItem(fact), concept: named };
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
  return saved(id, changeFact(cache.memory, cache.edits, id, change, hasVersion(base)));
}

/** Every fact in full, the permanent ones first; `isAll`: also what newer facts have replaced. */
export function factLists(memory: ProjectMemory, isAll: boolean) {
  const file = readOrRefuse(factsPath(memory), factsFile);
  const shown = <T extends Fact>(facts: readonly T[]) =>
    facts.filter(({ supersededBy }) => isAll || supersededBy === undefined);
  return {
    permanent: shown(PERMANENT_LISTS.flatMap((list) => file.permanent[list])),
    decisions: shown(file.decisions),
    patterns: shown(file.patterns),
    issues: shown(file.issues),
    notes: shown(file.notes),
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
  const removed = removeFact(cache.memory, cache.edits, id, hasVersion(base));
  return forgotten(id, removed, message('edit.noFact', { id }));
}

export function conceptRows(
  { facts, concepts }: ProjectCache,
  { words, from, count }: { words?: string | undefined; from: number; count: number },
): { total: number; rows: ConceptRow[] } {
  const counts = facts.countsOfConcepts();
  const factsOf = ({ id }: Concept) => counts.get(id) ?? 0;
  const found = concepts.concepts
    .filter(({ id, name, summary, keywords }) => hasWords([id, name, summary, ...keywords], words))
    .sort((a, b) => factsOf(b) - factsOf(a) || (a.name < b.name ? -1 : 1));
  const rows = found.slice(from, from + count).map((concept) => ({
    id: concept.id,
    name: shorten(concept.name, MAX_ROW_CHARS),
    summary: shorten(concept.summary, MAX_ROW_CHARS),
    facts: factsOf(concept),
    keywords: concept.keywords,
  }));
  return { total: found.length, rows };
}

export function conceptDetail({ facts, concepts }: ProjectCache, id: string): ConceptDetail {
  const concept = concepts.concepts.find((one) => one.id === id);
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
  return saved(id, changeConcept(cache.memory, cache.edits, id, change, hasVersion(base)));
}

export function forgetOneConcept(cache: ProjectCache, id: string, base: string): ItemSaved {
  assertReadable(cache);
  const removed = removeConcept(cache.memory, cache.edits, id, hasVersion(base));
  return forgotten(id, removed, message('edit.noConcept', { id }));
}

const hasVersion = (version: string) => (item: Item) => versionOfItem(item) === version;

function forgotten(id: string, removed: ItemEdited<Item>, isGone: Message): ItemSaved {
  if (removed.isSaved) return { saved: true, id, version: '', edit: removed.edit };
  if (removed.theirs === undefined) throw new ExpectedError(isGone);
  return saved(id, removed);
}

function saved(id: string, edited: ItemEdited<Item>): ItemSaved {
  if (edited.isSaved)
    return { saved: true, id, version: versionOfItem(edited.item), edit: edited.edit };
  const { theirs = null } = edited;
  return { saved: false, theirs, version: theirs ? versionOfItem(theirs) : versionOf('') };
}

/** A file that cannot be read is for its owner to mend; nothing overwrites it. */
function assertReadable({ problems }: ProjectCache): void {
  if (problems.length > 0) throw new ExpectedError(message('edit.notSaved', { problems }));
}

function assertConcept({ concepts }: ProjectCache, id: string | null | undefined): void {
  if (typeof id === 'string' && !concepts.concepts.some((concept) => concept.id === id))
    throw new ExpectedError(message('edit.noConcept', { id }));
}
