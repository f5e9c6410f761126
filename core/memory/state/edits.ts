/**
 * Records edits that people make through the app or the command line in the journal, and undoes
 * them (M19). Each is decided under the journal's lock, from the documents as they are then, so
 * that an edit never overwrites a change that its author has not seen.
 */
import { existsSync } from 'node:fs';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { readDocument } from '../../platform/store/document.ts';
import { randomHex } from '../../platform/store/owner.ts';
import { canonicalJson } from '../../platform/text/canonical.ts';
import { dayStamp, minuteStamp } from '../../platform/text/stamp.ts';
import { factsPath, memoryMdPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { applyMemoryEdit, memoryEdits } from '../edits/document-edits.ts';
import { EditLog } from '../edits/edit-log.ts';
import { undoOf } from '../edits/undo-edit.ts';
import {
  FACT_LISTS,
  type Fact,
  type FactList,
  type FactsFile,
  factsFile,
  nextId,
  PERMANENT_LISTS,
  type Permanent,
  type PermanentList,
} from '../l2-facts/facts-file.ts';
import type { Concept } from '../l3-concepts/concepts-file.ts';
import { type EditEvent, uidOf } from '../log/journal.ts';
import { entryIds, newMemoryMd } from '../memory-md/memory-md.ts';
import { RECENT_CONTEXT } from '../memory-md/sections.ts';
import { recordDecided } from './derive.ts';
import type { Documents } from './documents.ts';

export type FactPart = FactList | `permanent.${PermanentList}`;

export const FACT_PARTS: readonly FactPart[] = [
  ...FACT_LISTS,
  ...PERMANENT_LISTS.map((list) => `permanent.${list}` as const),
];

/** Fields to set; null removes one. */
export type FieldChange = Record<string, unknown>;

/** Whether the current state is the one that the author of the change has seen. */
export type IsExpected<T> = (now: T) => boolean;

export type ItemEdited<T> =
  | { isSaved: true; item: T; edit: number }
  | { isSaved: false; theirs: T | undefined };
export type TextEdited =
  | { isSaved: true; text: string; edit: number }
  | { isSaved: false; theirs: string };

type AnyFact = Fact | Permanent;

/** The number of an edit that changed nothing. */
const NO_EDIT = -1;

export function factsIn(file: FactsFile, part: FactPart): AnyFact[] {
  return part.startsWith('permanent.')
    ? file.permanent[part.slice('permanent.'.length) as PermanentList]
    : file[part as FactList];
}

interface FoundItem<T> {
  document: EditEvent['document'];
  part: string;
  item: T;
  was: string;
}

function findFact({ facts }: Pick<Documents, 'facts'>, id: string): FoundItem<AnyFact> | undefined {
  for (const part of FACT_PARTS) {
    const item = factsIn(facts, part).find((fact) => fact.id === id);
    if (item !== undefined) return { document: 'facts', part, item, was: item.content };
  }
  return undefined;
}

function findConcept({ concepts }: Documents, id: string): FoundItem<Concept> | undefined {
  const item = concepts.concepts.find((concept) => concept.id === id);
  return item && { document: 'concepts', part: 'concepts', item, was: item.name };
}

/**
 * Removes a fact, permanent or not, for good: rebuilding and later sessions do not bring it back.
 * Undefined if there is no such fact.
 */
export function forgetFact(memory: ProjectMemory, id: string): Fact | undefined {
  const reading = readDocument(factsPath(memory), factsFile);
  if (reading.state !== 'ok' || !findFact({ facts: reading.value }, id)) return undefined;
  const removed = removeFact(memory, new EditLog(memory), id, () => true);
  return removed.isSaved ? removed.item : undefined;
}

export function removeFact(
  memory: ProjectMemory,
  log: EditLog,
  id: string,
  isExpected: IsExpected<AnyFact>,
): ItemEdited<AnyFact> {
  return editItem(memory, log, (documents) => findFact(documents, id), null, isExpected);
}

export function addFact(
  memory: ProjectMemory,
  log: EditLog,
  part: FactPart,
  change: FieldChange & { content: string },
): { item: AnyFact; edit: number } {
  let id = '';
  const { documents, edit } = recordEdits(memory, log, ({ facts }) => {
    const added = newFact(facts, part, change);
    id = added.id;
    return [added];
  });
  return { item: findFact(documents, id)?.item as Fact, edit };
}

function newFact(facts: FactsFile, part: FactPart, change: FieldChange) {
  const id = nextId(facts, part.replace('permanent.', '') as FactList | PermanentList);
  const now = new Date();
  const since = part.startsWith('permanent.') ? { since: now.toISOString() } : {};
  const empty = { content: '', session: '', files: [], keywords: [], evidence: [] };
  const value = withChange({ id, date: dayStamp(now), ...empty, ...since }, change);
  return { document: 'facts', part, id, value, before: null };
}

/** What `addTogether` adds: a fact, a concept, or an entry of Recent Context. */
export type Addition =
  | { document: 'facts'; part: FactPart; fields: FieldChange & { content: string } }
  | { document: 'concepts'; fields: FieldChange & { name: string } }
  | { document: 'memory'; text: string };

/** Returns the numbers of the edits, for undo; entries of Recent Context are one, undone together. */
export function addTogether(
  memory: ProjectMemory,
  log: EditLog,
  additions: readonly Addition[],
): number[] {
  // Entries that were added by one action stand side by side in the journal.
  const isEntry = ({ document }: Addition) => document === 'memory';
  const ordered = [...additions.filter((one) => !isEntry(one)), ...additions.filter(isEntry)];
  const { edit } = recordEdits(memory, log, ({ facts, concepts, memoryMd }) => {
    const stamps = entryIds(memoryMd);
    return ordered.map((added) => {
      if (added.document === 'facts') return newFact(facts, added.part, added.fields);
      if (added.document === 'concepts') {
        const id = `c${String(concepts.nextId++).padStart(3, '0')}`;
        const value = { ...added.fields, id };
        return { document: 'concepts', part: 'concepts', id, value, before: null };
      }
      const id = freeStamp(stamps);
      return { document: 'memory', part: RECENT_CONTEXT, id, value: added.text, before: null };
    });
  });
  const items = ordered.findIndex(isEntry);
  return ordered.flatMap((_, at) => (items >= 0 && at > items ? [] : edit + at));
}

/** Of this minute, with `#2` for the second entry of it. */
function freeStamp(taken: Set<string>): string {
  const stamp = minuteStamp(new Date());
  let id = stamp;
  for (let nth = 2; taken.has(id); nth++) id = `${stamp}#${nth}`;
  taken.add(id);
  return id;
}

export function changeFact(
  memory: ProjectMemory,
  log: EditLog,
  id: string,
  change: FieldChange,
  isExpected: IsExpected<AnyFact>,
): ItemEdited<AnyFact> {
  // Without a manual concept, similarity decides.
  const whole = change.conceptId === null ? { ...change, conceptBy: null } : change;
  return editItem(memory, log, (documents) => findFact(documents, id), whole, isExpected);
}

export function changeConcept(
  memory: ProjectMemory,
  log: EditLog,
  id: string,
  change: FieldChange,
  isExpected: IsExpected<Concept>,
): ItemEdited<Concept> {
  return editItem(memory, log, (documents) => findConcept(documents, id), change, isExpected);
}

export function removeConcept(
  memory: ProjectMemory,
  log: EditLog,
  id: string,
  isExpected: IsExpected<Concept>,
): ItemEdited<Concept> {
  return editItem(memory, log, (documents) => findConcept(documents, id), null, isExpected);
}

/** `change`: null removes the item. */
function editItem<T extends { id: string }>(
  memory: ProjectMemory,
  log: EditLog,
  find: (documents: Documents) => FoundItem<T> | undefined,
  change: FieldChange | null,
  isExpected: IsExpected<T>,
): ItemEdited<T> {
  let theirs: T | undefined;
  let before: T | undefined;
  const { documents, edit } = recordEdits(memory, log, (now) => {
    const found = find(now);
    theirs = found?.item;
    if (found === undefined || !isExpected(found.item)) return [];
    const { document, part, item, was } = found;
    before = structuredClone(item);
    const value = change && withChange(before, change);
    return canonicalJson(before) === canonicalJson(value)
      ? []
      : [{ document, part, id: item.id, was, value, before }];
  });
  if (before === undefined) return { isSaved: false, theirs };
  return { isSaved: true, item: change === null ? before : (find(documents)?.item as T), edit };
}

/** `isExpected` gets an empty text where there was none yet. */
export function saveMemoryText(
  memory: ProjectMemory,
  log: EditLog,
  text: string,
  isExpected: IsExpected<string>,
): TextEdited {
  let theirs: string | undefined;
  const { documents, edit } = recordEdits(memory, log, ({ memoryMd }) => {
    const isNew = !existsSync(memoryMdPath(memory)) && memoryMd === newMemoryMd(memory.name);
    if (!isExpected(memoryMd) && !(isNew && isExpected(''))) {
      theirs = memoryMd;
      return [];
    }
    return memoryEdits(memoryMd, text).map((change) => ({ document: 'memory', ...change }));
  });
  return theirs === undefined
    ? { isSaved: true, text: documents.memoryMd, edit }
    : { isSaved: false, theirs };
}

/** Undoes the last edit; undefined if there is none left. */
export function undoLastEdit(memory: ProjectMemory): EditEvent | undefined {
  const log = new EditLog(memory);
  const last = log.all.findLast(({ holds, isUndo }) => holds && !isUndo);
  return last === undefined ? undefined : undoEdit(memory, log, last.number).undone;
}

/** Undoes this edit and the others of the same action. Refuses if a later change would be lost. */
export function undoEdit(
  memory: ProjectMemory,
  log: EditLog,
  number: number,
): { undone: EditEvent; edit: number } {
  let undone: EditEvent | undefined;
  const { edit } = recordEdits(memory, log, ({ facts, concepts, memoryMd }) => {
    const logged = log.all[number];
    undone = log.event(number);
    if (logged === undefined || undone === undefined)
      throw new ExpectedError(message('edit.missing'));
    if (!logged.holds) throw new ExpectedError(message('edit.alreadyUndone'));
    const now = { facts, concepts, memoryMd };
    // The last first, as each builds on those before it.
    return log
      .sameAction(number)
      .reverse()
      .map((each) => {
        const event = log.event(each) as EditEvent;
        const back = undoOf(now, event);
        if ('refusal' in back)
          throw new ExpectedError(message('edit.cannotUndo', { reason: back.refusal }));
        if (event.document === 'memory') now.memoryMd = applyMemoryEdit(now.memoryMd, back.edit);
        const undone = { undoes: each, undoesEvent: uidOf(event) };
        const isAddition = event.before === null && event.isUndo !== true;
        return {
          document: event.document,
          ...back.edit,
          isUndo: true,
          ...undone,
          ...(isAddition && { undoesAddition: true }),
        };
      });
  });
  return { undone: undone as EditEvent, edit };
}

/** Returns the number of the first edit. */
function recordEdits(
  memory: ProjectMemory,
  log: EditLog,
  decide: (documents: Documents) => object[],
): { documents: Documents; edit: number } {
  let edit = NO_EDIT;
  const documents = recordDecided(memory, (now, { outsideEdits }) => {
    const [at, deed] = [new Date().toISOString(), randomHex(8)];
    const decided = decide(now).map(
      (change) => ({ type: 'edit', at, deed, ...change }) as EditEvent,
    );
    if (decided.length > 0) edit = log.all.length + outsideEdits;
    return decided;
  });
  return { documents, edit };
}

function withChange(item: object, change: FieldChange): object {
  const changed: FieldChange = { ...item };
  for (const [field, value] of Object.entries(change)) {
    if (value === null) delete changed[field];
    else if (value !== undefined) changed[field] = value;
  }
  return changed;
}
