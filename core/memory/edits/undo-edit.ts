/**
 * Makes the edit that undoes an edit (M19), or says why that would lose something. Restores only
 * what the edit changed; later changes, such as new evidence of a fact, stay.
 */
import { type Message, message } from '../../messages/message.ts';
import { canonicalJson } from '../../platform/text/canonical.ts';
import type { EditEvent } from '../log/journal.ts';
import { type MemoryPart, memoryParts } from '../memory-md/memory-md.ts';
import {
  type Edit,
  findItem,
  type Item,
  itemsAt,
  type Json,
  textIn,
  valueAt,
  WHOLE,
} from './document-edits.ts';
import { mergeTexts } from './merge-texts.ts';

export interface CurrentDocuments {
  facts: object;
  concepts: object;
  memoryMd: string;
}

export type Undo = { edit: Edit } | { refusal: Message };

/** Fields that only we maintain. */
export const MAINTAINED_FIELDS: readonly string[] = [
  'conceptId',
  'conceptBy',
  'editedAt',
  'isEdited',
  'uid',
];

/** Fields that an undo leaves as they are. */
const STAYS: readonly string[] = ['conceptId', 'uid'];

const CHANGED = { refusal: message('edit.changedSince') };
const REMOVED = { refusal: message('edit.removedSince') };
const UNKNOWN = { refusal: message('edit.unknownBefore') };

export function undoOf(now: CurrentDocuments, event: EditEvent): Undo {
  if (event.before === undefined) return UNKNOWN;
  if (event.document === 'memory') return undoneText(now.memoryMd, event);
  const document = (event.document === 'facts' ? now.facts : now.concepts) as Json;
  return event.id === '' ? undoneField(document, event) : undoneItem(document, event);
}

function undoneText(text: string, { part, id, value, before }: EditEvent): Undo {
  const isPart = (piece: MemoryPart) => piece.part === part && piece.id === id;
  const now = part === WHOLE ? text : memoryParts(text).find(isPart)?.text;
  if (now === undefined)
    return value === null ? { edit: { part, id, value: before, before: null } } : CHANGED;
  const edit = { part, id, was: now, before: now };
  if (before === null) return now === value ? { edit: { ...edit, value: null } } : CHANGED;
  const joined = value === null ? undefined : mergeTexts(String(value), now, String(before));
  return joined === undefined ? CHANGED : { edit: { ...edit, value: joined } };
}

function undoneField(document: Json, { part, id, value, before }: EditEvent): Undo {
  const isAsWritten =
    canonicalJson(valueAt(document, part) ?? null) === canonicalJson(value ?? null);
  return isAsWritten ? { edit: { part, id, value: before, before: value } } : CHANGED;
}

function undoneItem(document: Json, event: EditEvent): Undo {
  const { part, id } = event;
  const [value, before] = [event.value, event.before] as (Item | null)[];
  const now = findItem(itemsAt(document, part), id, event.item);
  // Another item may have got the id since.
  const isAnother = event.item !== undefined && now?.uid !== undefined && now.uid !== event.item;
  if (!value)
    return (now === undefined || isAnother) && before
      ? { edit: { part, id, value: before, before: null } }
      : CHANGED;
  if (now === undefined) return REMOVED;
  const changed = changedFields(before ?? null, value);
  if (changed.some((field) => canonicalJson(now[field]) !== canonicalJson(value[field])))
    return CHANGED;
  const restored = before ? withFieldsOf(before, now, changed) : null;
  return { edit: { part, id: now.id, was: textIn(now), before: now, value: restored } };
}

/** What the edit wrote, including a manual move to another concept, not an automatic one. */
function changedFields(before: Item | null, value: Item): string[] {
  const isMoved =
    value.conceptId !== undefined && before !== null && before.conceptId !== value.conceptId;
  return Object.keys({ ...before, ...value }).filter(
    (field) =>
      (!MAINTAINED_FIELDS.includes(field) || (field === 'conceptId' && isMoved)) &&
      canonicalJson(before?.[field]) !== canonicalJson(value[field]),
  );
}

function withFieldsOf(before: Item, now: Item, fields: readonly string[]): Item {
  const item = { ...now };
  for (const field of fields) put(item, field, before[field]);
  // The marks of a later edit stay.
  const isAsBefore = Object.keys({ ...before, ...item }).every(
    (field) =>
      MAINTAINED_FIELDS.includes(field) ||
      field === 'evidence' ||
      canonicalJson(before[field]) === canonicalJson(item[field]),
  );
  if (isAsBefore)
    for (const mark of MAINTAINED_FIELDS) if (!STAYS.includes(mark)) put(item, mark, before[mark]);
  return item;
}

function put(item: Json, field: string, value: unknown): void {
  if (value === undefined) delete item[field];
  else item[field] = value;
}
