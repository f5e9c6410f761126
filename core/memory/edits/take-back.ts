/**
 * Makes the edit that undoes an edit (M19), or says why that would lose something. It restores only
 * what the edit changed; what came since, such as new evidence of a fact, stays.
 */
import { type Message, message } from '../../messages/message.ts';
import { canonical } from '../../platform/text/canonical.ts';
import type { EditEvent } from '../log/journal.ts';
import { memoryParts } from '../memory-md/memory-md.ts';
import {
  type Edit,
  type Item,
  itemsAt,
  type Json,
  valueAt,
  WHOLE,
  wordsIn,
} from './document-edits.ts';
import { joinTexts } from './join-texts.ts';

export interface CurrentDocuments {
  facts: object;
  concepts: object;
  memoryMd: string;
}

export type TakenBack = { edit: Edit } | { refusal: Message };

/** Ours to say, and not part of what a person writes into an item. */
export const MARKS: readonly string[] = ['conceptId', 'conceptBy', 'editedAt', 'isEdited'];

const CHANGED = message('edit.changedSince');
const UNKNOWN = message('edit.unknownBefore');

export function takenBack(now: CurrentDocuments, event: EditEvent): TakenBack {
  if (event.before === undefined) return { refusal: UNKNOWN };
  if (event.document === 'memory') return textTakenBack(now.memoryMd, event);
  const document = (event.document === 'facts' ? now.facts : now.concepts) as Json;
  return event.id === '' ? fieldTakenBack(document, event) : itemTakenBack(document, event);
}

function textTakenBack(text: string, { part, id, value, before }: EditEvent): TakenBack {
  const isWhole = part === WHOLE;
  const found = isWhole
    ? text
    : memoryParts(text).find((known) => known.part === part && known.id === id)?.text;
  if (value === null)
    return found === undefined
      ? { edit: { part, id, value: before, before: null } }
      : { refusal: CHANGED };
  if (found === undefined) return { refusal: CHANGED };
  const edit = { part, id, was: found, before: found };
  if (before === null)
    return found === value ? { edit: { ...edit, value: null } } : { refusal: CHANGED };
  const joined = joinTexts(String(value), found, String(before));
  return joined === undefined ? { refusal: CHANGED } : { edit: { ...edit, value: joined } };
}

function fieldTakenBack(document: Json, { part, id, value, before }: EditEvent): TakenBack {
  const isAsWritten = canonical(valueAt(document, part) ?? null) === canonical(value ?? null);
  return isAsWritten ? { edit: { part, id, value: before, before: value } } : { refusal: CHANGED };
}

function itemTakenBack(document: Json, { part, id, value, before }: EditEvent): TakenBack {
  const now = itemsAt(document, part).find((item) => item.id === id);
  if (value === null) {
    const isAway = now === undefined && before !== null;
    return isAway ? { edit: { part, id, value: before, before: null } } : { refusal: CHANGED };
  }
  if (now === undefined) return { refusal: message('edit.removedSince') };
  const edit = { part, id, was: wordsIn(now), before: now };
  const changed = changedFields(before as Item | null, value as Item);
  if (changed.some((field) => canonical(now[field]) !== canonical((value as Item)[field])))
    return { refusal: CHANGED };
  return {
    edit: { ...edit, value: before === null ? null : withFieldsOf(before as Item, now, changed) },
  };
}

/** What the edit wrote; where the fact was moved to is part of it, where likeness put it is not. */
function changedFields(before: Item | null, value: Item): string[] {
  const isMoved =
    value.conceptId !== undefined && before !== null && before.conceptId !== value.conceptId;
  return Object.keys({ ...before, ...value }).filter(
    (field) =>
      (!MARKS.includes(field) || (field === 'conceptId' && isMoved)) &&
      canonical(before?.[field]) !== canonical(value[field]),
  );
}

function withFieldsOf(before: Item, now: Item, fields: readonly string[]): Item {
  const item = { ...now };
  for (const field of fields) put(item, field, before[field]);
  // Marks tell of this edit and of later ones: they go back only if no later one is left.
  const isAsBefore = Object.keys({ ...before, ...item }).every(
    (field) =>
      MARKS.includes(field) ||
      field === 'evidence' ||
      canonical(before[field]) === canonical(item[field]),
  );
  if (isAsBefore) for (const mark of MARKS) if (mark !== 'conceptId') put(item, mark, before[mark]);
  return item;
}

function put(item: Json, field: string, value: unknown): void {
  if (value === undefined) delete item[field];
  else item[field] = value;
}
