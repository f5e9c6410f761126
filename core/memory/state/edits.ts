/**
 * Edits that people make through the app or the command line (M19): records them in the journal and
 * undoes them. Each is decided under the journal's lock, from the documents as they are then, so
 * that an edit never overwrites a change that its author has not seen.
 */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { readDocument } from '../../platform/store/document.ts';
import { unlikelyName } from '../../platform/store/owner.ts';
import { canonical } from '../../platform/text/canonical.ts';
import { dayStamp } from '../../platform/text/stamp.ts';
import { factsPath, memoryMdPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { applyMemoryEdit, memoryEdits } from '../edits/document-edits.ts';
import { EditLog } from '../edits/edit-log.ts';
import { takenBack } from '../edits/take-back.ts';
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
import type { EditEvent } from '../log/journal.ts';
import { newMemoryMd } from '../memory-md/memory-md.ts';
import { recordDecided } from './derive.ts';
import type { Documents } from './documents.ts';

export type FactPart = FactList | `permanent.${PermanentList}`;

export const FACT_PARTS: readonly FactPart[] = [
  ...FACT_LISTS,
  ...PERMANENT_LISTS.map((list) => `permanent.${list}` as const),
];

/** Fields to be set; null takes one away. What is not named stays. */
export type FieldChange = Record<string, unknown>;

/** Whether what stands there is what the author of the change has seen. */
export type IsExpected<T> = (now: T) => boolean;

export type ItemEdited<T> =
  | { isSaved: true; item: T; edit: number }
  | { isSaved: false; theirs: T | undefined };
export type TextEdited =
  | { isSaved: true; text: string; edit: number }
  | { isSaved: false; theirs: string };

/** For a change that changed nothing there is nothing to take back. */
const NO_EDIT = -1;

export function factsIn(file: FactsFile, part: FactPart): (Fact | Permanent)[] {
  return part.startsWith('permanent.')
    ? file.permanent[part.slice('permanent.'.length) as PermanentList]
    : file[part as FactList];
}

function placeOf(
  file: FactsFile,
  id: string,
): { part: FactPart; fact: Fact | Permanent } | undefined {
  for (const part of FACT_PARTS) {
    const fact = factsIn(file, part).find((item) => item.id === id);
    if (fact !== undefined) return { part, fact };
  }
  return undefined;
}

/**
 * Removes a fact, permanent or not, for good: rebuilding and later sessions do not bring it back.
 * Undefined if there is no such fact.
 */
export function forgetFact(memory: ProjectMemory, id: string): Fact | undefined {
  const reading = readDocument(factsPath(memory), factsFile);
  if (reading.state !== 'ok' || placeOf(reading.value, id) === undefined) return undefined;
  const removed = removeFact(memory, new EditLog(memory), id, () => true);
  return removed.isSaved ? removed.item : undefined;
}

export function removeFact(
  memory: ProjectMemory,
  log: EditLog,
  id: string,
  isExpected: IsExpected<Fact | Permanent>,
): ItemEdited<Fact | Permanent> {
  return removeItem(memory, log, isExpected, ({ facts }) => {
    const place = placeOf(facts, id);
    return (
      place && { document: 'facts', part: place.part, item: place.fact, was: place.fact.content }
    );
  });
}

export function addFact(
  memory: ProjectMemory,
  log: EditLog,
  part: FactPart,
  change: FieldChange & { content: string },
): { item: Fact | Permanent; edit: number } {
  let id = '';
  const { documents, edit } = recordEdits(memory, log, ({ facts }) => {
    id = nextId(facts, part.replace('permanent.', '') as FactList | PermanentList);
    const now = new Date();
    const empty = {
      id,
      date: dayStamp(now),
      content: '',
      session: '',
      files: [],
      keywords: [],
      evidence: [],
    };
    const since = part.startsWith('permanent.') ? { since: now.toISOString() } : {};
    return [
      {
        document: 'facts',
        part,
        id,
        value: withChange({ ...empty, ...since }, change),
        before: null,
      },
    ];
  });
  return { item: placeOf(documents.facts, id)?.fact as Fact, edit };
}

export function changeFact(
  memory: ProjectMemory,
  log: EditLog,
  id: string,
  change: FieldChange,
  isExpected: IsExpected<Fact | Permanent>,
): ItemEdited<Fact | Permanent> {
  let theirs: Fact | Permanent | undefined;
  let isSaved = false;
  const { documents, edit } = recordEdits(memory, log, ({ facts }) => {
    const place = placeOf(facts, id);
    theirs = place?.fact;
    if (place === undefined || !isExpected(place.fact)) return [];
    isSaved = true;
    return itemEdits('facts', place.part, place.fact, place.fact.content, withoutChoice(change));
  });
  if (!isSaved) return { isSaved, theirs };
  return { isSaved, item: placeOf(documents.facts, id)?.fact as Fact, edit };
}

/** Without a concept of its own choice a fact goes where likeness puts it. */
function withoutChoice(change: FieldChange): FieldChange {
  return change.conceptId === null ? { ...change, conceptBy: null } : change;
}

export function changeConcept(
  memory: ProjectMemory,
  log: EditLog,
  id: string,
  change: FieldChange,
  isExpected: IsExpected<Concept>,
): ItemEdited<Concept> {
  let theirs: Concept | undefined;
  let isSaved = false;
  const find = ({ concepts }: Documents) => concepts.concepts.find((concept) => concept.id === id);
  const { documents, edit } = recordEdits(memory, log, (now) => {
    theirs = find(now);
    if (theirs === undefined || !isExpected(theirs)) return [];
    isSaved = true;
    return itemEdits('concepts', 'concepts', theirs, theirs.name, change);
  });
  if (!isSaved) return { isSaved, theirs };
  return { isSaved, item: find(documents) as Concept, edit };
}

export function removeConcept(
  memory: ProjectMemory,
  log: EditLog,
  id: string,
  isExpected: IsExpected<Concept>,
): ItemEdited<Concept> {
  return removeItem(memory, log, isExpected, ({ concepts }) => {
    const item = concepts.concepts.find((concept) => concept.id === id);
    return item && { document: 'concepts', part: 'concepts', item, was: item.name };
  });
}

interface PlacedItem<T> {
  document: EditEvent['document'];
  part: string;
  item: T;
  was: string;
}

function removeItem<T extends { id: string }>(
  memory: ProjectMemory,
  log: EditLog,
  isExpected: IsExpected<T>,
  find: (documents: Documents) => PlacedItem<T> | undefined,
): ItemEdited<T> {
  let theirs: T | undefined;
  let removed: T | undefined;
  const { edit } = recordEdits(memory, log, (documents) => {
    const found = find(documents);
    theirs = found?.item;
    if (found === undefined || !isExpected(found.item)) return [];
    const { document, part, item, was } = found;
    removed = structuredClone(item);
    return [{ document, part, id: item.id, was, value: null, before: removed }];
  });
  return removed === undefined
    ? { isSaved: false, theirs }
    : { isSaved: true, item: removed, edit };
}

/** `isExpected` is asked with an empty text where there was none yet. */
export function saveMemoryText(
  memory: ProjectMemory,
  log: EditLog,
  text: string,
  isExpected: IsExpected<string>,
): TextEdited {
  let theirs: string | undefined;
  const { documents, edit } = recordEdits(memory, log, ({ memoryMd }) => {
    const isNew =
      !existsSync(memoryMdPath(memory)) && memoryMd === newMemoryMd(basename(memory.root));
    if (!isExpected(memoryMd) && !(isNew && isExpected(''))) {
      theirs = memoryMd;
      return [];
    }
    return memoryEdits(memoryMd, text).map((change) => ({
      document: 'memory' as const,
      ...change,
    }));
  });
  return theirs === undefined
    ? { isSaved: true, text: documents.memoryMd, edit }
    : { isSaved: false, theirs };
}

/** Takes the last change of a person back; undefined if there is none left to take back. */
export function undoLastEdit(memory: ProjectMemory): EditEvent | undefined {
  const log = new EditLog(memory);
  const last = log.all.findLast(({ holds, isUndo }) => holds && !isUndo);
  return last === undefined ? undefined : undoEdit(memory, log, last.number).undone;
}

/**
 * Takes this very edit back, and what was changed in one go with it. Refuses where something that
 * came since would be lost.
 */
export function undoEdit(
  memory: ProjectMemory,
  log: EditLog,
  number: number,
): { undone: EditEvent; edit: number } {
  let undone: EditEvent | undefined;
  const { edit } = recordEdits(memory, log, ({ facts, concepts, memoryMd }) => {
    const known = log.all[number];
    undone = log.event(number);
    if (known === undefined || undone === undefined)
      throw new ExpectedError(message('edit.missing'));
    if (!known.holds) throw new ExpectedError(message('edit.alreadyUndone'));
    const now = { facts, concepts, memoryMd };
    // The last first, as each stands on those before it.
    return log
      .together(number)
      .reverse()
      .map((each) => {
        const event = log.event(each) as EditEvent;
        const back = takenBack(now, event);
        if ('refusal' in back)
          throw new ExpectedError(message('edit.cannotUndo', { reason: back.refusal }));
        if (event.document === 'memory') now.memoryMd = applyMemoryEdit(now.memoryMd, back.edit);
        return { document: event.document, ...back.edit, isUndo: true, undoes: each };
      });
  });
  return { undone: undone as EditEvent, edit };
}

type Change = Omit<EditEvent, 'type' | 'at'>;

/** The number is that of the first edit. */
function recordEdits(
  memory: ProjectMemory,
  log: EditLog,
  decide: (documents: Documents) => object[],
): { documents: Documents; edit: number } {
  let edit = NO_EDIT;
  const documents = recordDecided(memory, (now, { outsideEdits }) => {
    const [at, deed] = [new Date().toISOString(), unlikelyName(8)];
    const decided = decide(now).map(
      (change) => ({ type: 'edit', at, deed, ...(change as Change) }) as EditEvent,
    );
    if (decided.length > 0) edit = log.all.length + outsideEdits;
    return decided;
  });
  return { documents, edit };
}

function itemEdits(
  document: 'facts' | 'concepts',
  part: string,
  item: Fact | Permanent | Concept,
  was: string,
  change: FieldChange,
): object[] {
  const before = structuredClone(item);
  const value = withChange(before, change);
  return canonical(before) === canonical(value)
    ? []
    : [{ document, part, id: item.id, was, value, before }];
}

function withChange(item: object, change: FieldChange): object {
  const changed: FieldChange = { ...item };
  for (const [field, value] of Object.entries(change)) {
    if (value === null) delete changed[field];
    else if (value !== undefined) changed[field] = value;
  }
  return changed;
}
