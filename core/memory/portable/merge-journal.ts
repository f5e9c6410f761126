/**
 * Finds the events of another memory's journal that ours does not have (M20), and rewrites them so
 * that they mean the same in ours: under new file names, numbers and ids. Leaves out edits of whole
 * sections of memory.md, which would replace ours.
 */

import { readDocument } from '../../platform/store/document.ts';
import { conceptsPath, factsPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { idNumber } from '../edits/assign-ids.ts';
import {
  type Item,
  itemsAt,
  type Json,
  memoryPartEdits,
  textIn,
  WHOLE,
} from '../edits/document-edits.ts';
import { factsFile, ID_LETTERS } from '../l2-facts/facts-file.ts';
import { conceptsFile } from '../l3-concepts/concepts-file.ts';
import { type EditEvent, type JournalEvent, readJournal, uidOf } from '../log/journal.ts';

type Files = ReadonlyMap<string, string>;

export function missingEvents(
  ours: ProjectMemory,
  theirs: ProjectMemory,
  files: Files,
): JournalEvent[] {
  const { events } = readJournal(ours, 0);
  const known = new Set(events.map(uidOf));
  const places = placesOfEdits(events);
  let count = events.filter(({ type }) => type === 'edit').length;
  const items = new TheirItems(ours, theirs);
  const missing: JournalEvent[] = [];
  /** By number of their edit: where it is in the merged journal, if it is in there. */
  const merged: (PlacedEdit | undefined)[] = [];
  for (const event of readJournal(theirs, 0).events) {
    const uid = uidOf(event);
    if (event.type !== 'edit') {
      const moved = withFiles(event, files);
      // 0.1.0 has merged events under new file names without a uid.
      if (!known.has(uid) && !known.has(uidOf(moved))) missing.push({ ...moved, uid });
      known.add(uid);
    } else if (places.has(uid)) merged.push(places.get(uid));
    else {
      const added = rewritten({ ...withUndone(event, merged), uid }, items);
      const [first] = added;
      const place = first && { number: count, uid: uidOf(first) };
      if (place !== undefined) places.set(uid, place);
      merged.push(place);
      count += added.length;
      missing.push(...added);
    }
  }
  return missing;
}

/** An edit in the merged journal. */
interface PlacedEdit {
  number: number;
  uid: string;
}

/** By uid. A change of the whole text that came over in pieces is where the first of them is. */
function placesOfEdits(events: readonly JournalEvent[]): Map<string, PlacedEdit> {
  const places = new Map<string, PlacedEdit>();
  const edits = events.filter(({ type }) => type === 'edit');
  for (const [number, edit] of edits.entries()) {
    const uid = uidOf(edit);
    places.set(uid, { number, uid });
    if (!places.has(wholeUid(uid))) places.set(wholeUid(uid), { number, uid });
  }
  return places;
}

function withFiles(event: JournalEvent, files: Files): JournalEvent {
  if (event.type === 'facts') return { ...event, file: files.get(event.file) ?? event.file };
  if (event.type !== 'delta' && event.type !== 'takeBack') return event;
  if (event.files === undefined) return event;
  const renamed = Object.entries(event.files).map(([id, file]) => [id, files.get(file) ?? file]);
  return { ...event, files: Object.fromEntries(renamed) };
}

/** The edit that an undo reverts has a new number. If that edit is missing, it is no undo. */
function withUndone(edit: EditEvent, merged: readonly (PlacedEdit | undefined)[]): EditEvent {
  if (edit.isUndo !== true) return edit;
  const { isUndo: _, undoes = merged.length - 1, undoesEvent: _event, ...rest } = edit;
  const undone = merged[undoes];
  if (undone === undefined) return rest;
  return { ...rest, isUndo: true, undoes: undone.number, undoesEvent: undone.uid };
}

/** In memory.md only entries of Recent Context, which are known by their time. */
function rewritten(edit: EditEvent, items: TheirItems): EditEvent[] {
  if (edit.document !== 'memory') return items.asOurs(edit);
  if (edit.id !== '') return [edit];
  if (edit.part !== WHOLE || typeof edit.value !== 'string') return [];
  const before = typeof edit.before === 'string' ? edit.before : '';
  const { at, type, document, machine, clock } = edit;
  return memoryPartEdits(before, edit.value)
    .filter(({ id }) => id !== '')
    .map((part, number) => {
      const uid = `${uidOf(edit)}${PIECE}${number}`;
      return { type, at, document, ...part, uid, machine, clock };
    });
}

/** Marks the uid of a piece of an edit. */
const PIECE = '-w';

function wholeUid(uid: string): string {
  return uid.replace(/-w\d+$/, '');
}

/** All earlier texts of the sections of memory.md, by the journal. */
export function earlierSections(memory: ProjectMemory): Set<string> {
  const earlier = readJournal(memory, 0).events.flatMap((event) => {
    if (event.type !== 'edit' || event.document !== 'memory' || event.id !== '') return [];
    const { part, before } = event;
    if (typeof before !== 'string') return [];
    if (part !== WHOLE) return [sectionKey(part, before)];
    return memoryPartEdits('', before).map((edit) => sectionKey(edit.part, String(edit.value)));
  });
  return new Set(earlier);
}

export function sectionKey(part: string, text: string): string {
  return `${part}\n${text.trim()}`;
}

type Both = Record<'facts' | 'concepts', Json>;

/** An item that ours has in the same words is not added; one whose id is taken gets another. */
class TheirItems {
  readonly #ours: Both;
  readonly #theirs: Both;
  /** Of theirs, by id. */
  readonly #conceptNames: Map<string, string>;
  /** By part and id. */
  readonly #newIds = new Map<string, string>();
  readonly #takenIds = new Set<string>();
  readonly #last = new Map<string, number>();

  constructor(ours: ProjectMemory, theirs: ProjectMemory) {
    this.#ours = documentsOf(ours);
    this.#theirs = documentsOf(theirs);
    const concepts = itemsAt(this.#theirs.concepts, 'concepts');
    this.#conceptNames = new Map(concepts.map((concept) => [concept.id, textIn(concept) ?? '']));
  }

  /** Empty if ours has it. */
  asOurs(edit: EditEvent): EditEvent[] {
    const { document, part, id, before } = edit;
    if (document === 'memory' || id === '') return [edit];
    const value = edit.value as Item | null;
    const isAdded = before === null && typeof value === 'object' && value !== null;
    const words = isAdded ? textIn(value) : undefined;
    if (isAdded && itemsAt(this.#ours[document], part).some((item) => textIn(item) === words))
      return [];
    if (isAdded) this.#giveId(edit);
    const newId = this.#newIds.get(`${part} ${id}`) ?? id;
    const renamed = { ...edit, id: newId, value: value === null ? null : { ...value, id: newId } };
    return [this.#withConceptName(renamed)];
  }

  /** Keeps its own id unless one of ours, or an earlier one of theirs, has it. */
  #giveId({ document, part, id }: EditEvent): void {
    const list = part.replace('permanent.', '') as keyof typeof ID_LETTERS;
    const letter = document === 'concepts' ? 'c' : (ID_LETTERS[list] ?? '');
    const number = idNumber(id, letter);
    if (letter === '' || number === 0) return;
    const ours = lastNumber(this.#ours, letter);
    const isFree = number > ours && !this.#takenIds.has(`${letter}${number}`);
    // Leaves room for the facts that models found over there.
    const next = Math.max(this.#last.get(letter) ?? 0, ours + lastNumber(this.#theirs, letter)) + 1;
    this.#takenIds.add(`${letter}${isFree ? number : next}`);
    if (isFree) return;
    this.#last.set(letter, next);
    this.#newIds.set(`${part} ${id}`, `${letter}${String(next).padStart(3, '0')}`);
  }

  /** Ids of concepts differ: if a person has chosen a concept, its name says which. */
  #withConceptName(edit: EditEvent): EditEvent {
    const value = edit.value as { conceptId?: string } | null;
    const before = edit.before as { conceptId?: string } | null | undefined;
    if (edit.document !== 'facts' || typeof value !== 'object' || value?.conceptId === undefined)
      return edit;
    const { conceptId, ...rest } = value;
    const name = conceptId === before?.conceptId ? undefined : this.#conceptNames.get(conceptId);
    return { ...edit, value: name === undefined ? rest : { ...rest, suggestedConcept: name } };
  }
}

function lastNumber({ facts, concepts }: Both, letter: string): number {
  if (letter === 'c') return Number(concepts.nextId ?? 1) - 1;
  const { counter = {} } = (facts._meta ?? {}) as { counter?: Record<string, number> };
  return counter[letter] ?? 0;
}

function documentsOf(memory: ProjectMemory): Both {
  return {
    facts: documentIn(factsPath(memory), factsFile),
    concepts: documentIn(conceptsPath(memory), conceptsFile),
  };
}

function documentIn(path: string, kind: typeof factsFile | typeof conceptsFile): Json {
  const reading = readDocument<object>(path, kind);
  return (reading.state === 'ok' ? reading.value : kind.empty()) as Json;
}
