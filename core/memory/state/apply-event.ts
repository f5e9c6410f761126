/** Applies journal events to the documents (M2): in order, and always with the same result. */
import { contentFingerprint } from '../../platform/text/fingerprint.ts';
import { minuteStamp } from '../../platform/text/stamp.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { idNumber } from '../edits/assign-ids.ts';
import { applyJsonEdit, applyMemoryEdit } from '../edits/document-edits.ts';
import { FACT_LISTS, type Fact, ID_LETTERS } from '../l2-facts/facts-file.ts';
import type { Concept } from '../l3-concepts/concepts-file.ts';
import { assignConcepts, conceptForAdded, refreshConcepts } from '../l3-concepts/l3-concepts.ts';
import { promoteAndRetire } from '../l4-permanent/l4-permanent.ts';
import { usableSummary } from '../log/delta-text.ts';
import { mainPoints } from '../log/hand-over-parts.ts';
import { type EditEvent, itemUid, type JournalEvent, uidOf } from '../log/journal.ts';
import {
  addRecentContext,
  type RotatedEntries,
  replaceEarlier,
  rotateRecentContext,
} from '../memory-md/memory-md.ts';
import { addSessionEntry, withoutSessionEntries } from '../memory-md/session-entries.ts';
import { acceptFacts } from './accept-facts.ts';
import type { Documents } from './documents.ts';
import { takeBackFacts } from './take-back.ts';

/** Past this, the oldest entries of Recent Context are rotated out. */
const MAX_MEMORY_MD_TOKENS = 12_000;

/** `hasRotated`: entries have left memory.md, and no model has summarised them since. */
export function applyEvents(
  memory: ProjectMemory,
  documents: Documents,
  events: readonly JournalEvent[],
): { hasRotated: boolean } {
  // People named concepts by the ids of that time. Up to there facts are regrouped step by step, as
  // they were then.
  const lastNamed = events.findLastIndex(
    (event) => event.type === 'edit' && (event.document === 'concepts' || isMoved(event)),
  );
  let isRegroupingDue = false;
  let hasRotated = false;
  const changed = new Set<string>();
  const refresh = () => {
    refreshConcepts(documents.concepts, documents.facts, changed);
    changed.clear();
  };
  const regroup = () => {
    if (!isRegroupingDue) return;
    refresh();
    assignConcepts(documents.concepts, documents.facts);
    isRegroupingDue = false;
  };
  for (const [at, event] of events.entries()) {
    const rotatedBefore = documents.rotated.length;
    // People edit what they see, and that is regrouped.
    if (isItemEdit(event)) regroup();
    apply(memory, documents, event, changed);
    if (event.type === 'rotation') hasRotated = false;
    // The summaries of a backfill keep their line; no model is asked to sum them up.
    const isBackfill = event.type === 'delta' && event.backfill !== undefined;
    if (documents.rotated.length > rotatedBefore && !isBackfill) hasRotated = true;
    isRegroupingDue ||= event.type === 'facts' || event.type === 'takeBack';
    if (at < lastNamed || at === events.length - 1) regroup();
  }
  refresh();
  return { hasRotated };
}

function isItemEdit(event: JournalEvent): boolean {
  return event.type === 'edit' && event.document !== 'memory';
}

/** `changed` gets the ids of the concepts that an edit touches. */
function apply(
  memory: ProjectMemory,
  documents: Documents,
  event: JournalEvent,
  changed: Set<string>,
): void {
  const { text, rotated } = applyToMemoryMd(documents.memoryMd, event);
  documents.memoryMd = text;
  documents.rotated.push(...rotated);
  if (event.type === 'facts') acceptFacts(memory, documents, event);
  else if (event.type === 'takeBack') takeBackFacts(documents, Object.keys(event.files));
  else if (event.type === 'compress') {
    const run = { now: event.at, eventUid: () => uidOf(event) };
    promoteAndRetire(documents.facts, run, (content) => documents.isForgotten(content));
    documents.forgetStatements();
  } else if (event.type === 'edit') {
    if (event.document === 'facts') editFact(documents, event, changed);
    if (event.document === 'concepts') editConcept(documents, event, changed);
  }
}

export function applyToMemoryMd(text: string, event: JournalEvent): RotatedEntries {
  if (event.type === 'rotation')
    return { text: replaceEarlier(text, event.stamp, event.text), rotated: [] };
  if (event.type === 'edit' && event.document === 'memory')
    return { text: applyMemoryEdit(text, event), rotated: [] };
  if (event.type === 'takeBack') return { text: withoutSessionEntries(text, event), rotated: [] };
  // Empty if another process has written it into memory.md.
  if (event.type !== 'delta' || event.text === '') return { text, rotated: [] };
  const stamp = event.stamp ?? minuteStamp(new Date(event.at));
  if (event.backfill !== undefined) {
    const { name } = event.backfill;
    const added = addSessionEntry(text, { stamp, name, story: event.text });
    const fitted = rotateRecentContext(added.text, MAX_MEMORY_MD_TOKENS);
    return { text: fitted.text, rotated: [...added.rotated, ...fitted.rotated] };
  }
  const summary = event.isHandOver
    ? mainPoints(event.text)
    : (usableSummary(event.text) ?? event.text);
  const added = addRecentContext(text, stamp, summary);
  return rotateRecentContext(added, MAX_MEMORY_MD_TOKENS);
}

function editFact(documents: Documents, edit: EditEvent, changed: Set<string>): void {
  const { value } = edit;
  const isItem = edit.id !== '' && typeof value === 'object' && value !== null;
  const newUid = () => itemUid(uidOf(edit), 0);
  const now = factOf(documents, edit);
  const marked = isItem ? markedFact(edit, value as Fact, now) : undefined;
  if (marked !== undefined && now === undefined && isGrouped(edit) && edit.undoes === undefined)
    marked.conceptId ??= conceptForAdded(documents.facts, marked);
  for (const id of [now?.conceptId, marked?.conceptId]) if (id !== undefined) changed.add(id);
  applyJsonEdit(documents.facts, marked === undefined ? edit : { ...edit, value: marked }, newUid);
  documents.forgetStatements();
  raiseCounters(documents, edit);
  if (isItem) documents.recall((value as Fact).content);
  else if (value === null && edit.was !== undefined && isForgetting(edit))
    documents.forget(edit.was);
}

/**
 * Sets the edit time if the text changed, and the concept: the user's choice if they moved the
 * fact, else the current one. An undo keeps the times of the old value.
 */
function markedFact(edit: EditEvent, { conceptId, ...fact }: Fact, now: Fact | undefined): Fact {
  const old = edit.before as Fact | null | undefined;
  if (edit.undoes !== undefined)
    return { ...fact, conceptId: old?.conceptId === conceptId ? now?.conceptId : conceptId };
  return {
    ...fact,
    ...(old?.content !== fact.content && { editedAt: edit.at }),
    ...(isMoved(edit) ? { conceptId, conceptBy: 'person' } : { conceptId: now?.conceptId }),
  };
}

function isForgetting({ part, undoesAddition }: EditEvent): boolean {
  return part !== 'retired' && undoesAddition !== true;
}

/** The fact that an edit is about, as it is now. */
function factOf({ facts }: Documents, edit: EditEvent): Fact | undefined {
  const all = FACT_LISTS.flatMap((list) => facts[list]);
  return (
    all.find(({ uid }) => uid !== undefined && uid === edit.item) ??
    all.find(({ id }) => id === edit.id)
  );
}

/** Permanent facts have no concept. */
function isGrouped({ part }: EditEvent): boolean {
  return FACT_LISTS.some((list) => list === part);
}

/** Whether a person moved a fact to another concept. */
function isMoved({ document, value, before }: EditEvent): boolean {
  const [now, old] = [value, before] as (Partial<Fact> | null | undefined)[];
  return document === 'facts' && now?.conceptId !== undefined && now.conceptId !== old?.conceptId;
}

/** The facts of a removed concept keep its id until they are regrouped: an undo needs it. */
function editConcept(documents: Documents, edit: EditEvent, changed: Set<string>): void {
  const { concepts } = documents;
  const { value, was = '' } = edit;
  const isItem = edit.id !== '' && typeof value === 'object' && value !== null;
  const isMarked = isItem && edit.undoes === undefined;
  const marked = isMarked ? { ...edit, value: { ...value, isEdited: true } } : edit;
  applyJsonEdit(concepts, marked, () => itemUid(uidOf(edit), 0));
  raiseCounters(documents, edit);
  changed.add(edit.id);
  const marks = [edit.id, contentFingerprint(isItem ? (value as Concept).name : was)];
  concepts.forgotten = concepts.forgotten.filter((mark) => !marks.includes(mark));
  if (value === null && was !== '' && isForgetting(edit)) concepts.forgotten.push(...marks);
}

/** Never assigns an id again that a person used. */
function raiseCounters({ facts, concepts }: Documents, { document, part, id }: EditEvent): void {
  const list = part.replace('permanent.', '') as keyof typeof ID_LETTERS;
  if (document === 'concepts') concepts.nextId = Math.max(concepts.nextId, idNumber(id, 'c') + 1);
  else if (Object.hasOwn(ID_LETTERS, list)) {
    const letter = ID_LETTERS[list];
    facts._meta.counter[letter] = Math.max(facts._meta.counter[letter] ?? 0, idNumber(id, letter));
  }
}
