/**
 * Finds what people changed in facts.json, concepts.json and memory.md (M2, M19), with an editor or
 * through the app. Compares two states item by item, so that the journal can hold each change and
 * apply it again.
 */

import { isRecord, type JsonRecord } from '../../platform/text/json.ts';
import { insertByAge } from '../log/insert-by-age.ts';
import { memoryParts, setMemoryPart } from '../memory-md/memory-md.ts';

export interface Edit {
  part: string;
  id: string;
  was?: string | undefined;
  /** Null: removed. */
  value: unknown;
  /** The value before; null: none. */
  before: unknown;
}

export type Json = JsonRecord;
export type Item = Json & { id: string };

/** Fields that people cannot change. */
const BOOKKEEPING = new Set(['_meta', 'version', 'nextId', 'forgotten', 'emptied']);

/** The part that stands for memory.md as a whole. */
export const WHOLE = '*';

export function jsonEdits(before: Json, after: Json): Edit[] {
  const isList = (part: string) =>
    [before, after].every((document) => isItems(valueAt(document, part) ?? []));
  const paths = new Set([...listPaths(before), ...listPaths(after)].filter(isList));
  const inLists = [...paths].flatMap((part) =>
    itemEdits(part, itemsAt(before, part), itemsAt(after, part)),
  );
  return [...inLists, ...fieldEdits(before, after, paths)];
}

/** The item is known by its uid, in older journals by its id and text. */
type ItemEdit = Omit<Edit, 'before'> & {
  item?: string | undefined;
  isUndo?: boolean | undefined;
};

/** `newUid`: for an item that the edit adds. */
export function applyJsonEdit(document: Json, edit: ItemEdit, newUid?: () => string): void {
  const { part, id, value } = edit;
  // These names reach into every object.
  if (/\b(?:__proto__|constructor|prototype)\b/.test(part)) return;
  const path = part.split('.');
  const field = path.pop() ?? '';
  const holder = path.reduce(objectAt, document);
  if (id !== '') holder[field] = withItem(holder[field], edit, newUid);
  else if (value === null) delete holder[field];
  else holder[field] = value;
}

function objectAt(holder: Json, field: string): Json {
  if (typeof holder[field] !== 'object' || holder[field] === null) holder[field] = {};
  return holder[field] as Json;
}

function withItem(list: unknown, edit: ItemEdit, newUid?: () => string): Item[] {
  const items = Array.isArray(list) ? (list as Item[]) : [];
  const value = edit.value as Item | null;
  const index = indexOfItem(items, edit, value);
  if (value === null) return items.filter((_, at) => at !== index);
  if (index >= 0) return items.map((item, at) => (at === index ? sameItem(item, value) : item));
  const uid = uidIn(value) ?? newUid?.();
  const added = { ...value, id: freeId(items, edit.id) };
  const item: Item = uid === undefined ? added : { ...added, uid };
  if (edit.isUndo !== true) return [...items, item];
  const all = [...items];
  insertByAge(all, item);
  return all;
}

/** An edit changes neither the id nor the uid. */
function sameItem({ id, uid }: Item, value: Item): Item {
  return { ...value, id, ...(uid !== undefined && { uid }) };
}

function uidIn(item: Item | null): string | undefined {
  return typeof item?.uid === 'string' ? item.uid : undefined;
}

/** The item that an event is about. */
export function findItem(items: readonly Item[], id: string, uid?: string): Item | undefined {
  const same = uid === undefined ? undefined : items.find((item) => item.uid === uid);
  return same ?? items.find((item) => item.id === id);
}

/** Another item may have got that id since. */
function freeId(items: readonly Item[], id: string): string {
  return items.some((item) => item.id === id) ? freeId(items, `${id}e`) : id;
}

/** Beyond this many changed pieces it is another text. Bounds the time that trying them takes. */
const MAX_PIECES = 50;

/** Piece by piece, so that each can be undone; as a whole if that does not give the exact text. */
export function memoryEdits(before: string, after: string): Edit[] {
  if (before === after) return [];
  const pieces = memoryPartEdits(before, after);
  const isExact = (edits: readonly Edit[], from: string, to: string) =>
    edits.length > 0 && edits.length <= MAX_PIECES && edits.reduce(applyMemoryEdit, from) === to;
  const isPieces =
    isExact(pieces, before, after) && isExact(memoryPartEdits(after, before), after, before);
  return isPieces ? pieces : [{ part: WHOLE, id: '', value: after, before }];
}

/** Does not see the order of sections, nor blank lines. */
export function memoryPartEdits(before: string, after: string): Edit[] {
  const partsOf = (text: string) =>
    new Map(memoryParts(text).map((part) => [`${part.part}\n${part.id}`, part]));
  const [old, now] = [partsOf(before), partsOf(after)];
  const changed = [...now].flatMap(([key, { part, id, text }]) => {
    const was = old.get(key)?.text;
    if (was === text) return [];
    return [{ part, id, ...(was !== undefined && { was }), value: text, before: was ?? null }];
  });
  const removed = [...old].flatMap(([key, { part, id, text }]) =>
    now.has(key) ? [] : [{ part, id, was: text, value: null, before: text }],
  );
  // The last first: then the numbers of the others still hold.
  return [...changed, ...removed.reverse()];
}

export function applyMemoryEdit(text: string, { part, id, value }: Omit<Edit, 'before'>): string {
  const now = typeof value === 'string' ? value : null;
  return part === WHOLE && now !== null ? now : setMemoryPart(text, { part, id }, now);
}

function itemEdits(part: string, before: readonly Item[], after: readonly Item[]): Edit[] {
  const old = new Map(before.map((item) => [item.id, item]));
  const now = new Set(after.map(({ id }) => id));
  const changed = after.flatMap((item) => {
    const was = old.get(item.id);
    if (was !== undefined && JSON.stringify(was) === JSON.stringify(item)) return [];
    return [{ part, id: item.id, was: textIn(was), value: item, before: was ?? null }];
  });
  const removed = before.flatMap((item) =>
    now.has(item.id) ? [] : [{ part, id: item.id, was: textIn(item), value: null, before: item }],
  );
  return [...changed, ...removed];
}

function fieldEdits(before: Json, after: Json, lists: ReadonlySet<string>): Edit[] {
  const parts = new Set([...fieldPaths(before, lists), ...fieldPaths(after, lists)]);
  return [...parts].flatMap((part) => {
    const [was, now] = [valueAt(before, part), valueAt(after, part)];
    return JSON.stringify(was) === JSON.stringify(now)
      ? []
      : [{ part, id: '', value: now ?? null, before: was ?? null }];
  });
}

/** Every field except lists of items; for an object that holds such lists, its other fields. */
function fieldPaths(document: Json, lists: ReadonlySet<string>): string[] {
  const holders = new Set(
    [...lists].flatMap((list) => (list.includes('.') ? [list.split('.')[0]] : [])),
  );
  return Object.keys(document).flatMap((key) => {
    if (BOOKKEEPING.has(key) || lists.has(key)) return [];
    const value = document[key];
    if (!holders.has(key) || !isRecord(value)) return [key];
    return Object.keys(value).flatMap((inner) =>
      lists.has(`${key}.${inner}`) ? [] : [`${key}.${inner}`],
    );
  });
}

/** `decisions`, `permanent.rules`, …: every list of items with an id. */
function listPaths(document: Json): string[] {
  return Object.entries(document).flatMap(([key, value]) => {
    if (BOOKKEEPING.has(key)) return [];
    if (!isRecord(value)) return isItems(value) ? [key] : [];
    return Object.keys(value).flatMap((inner) =>
      isItems(value[inner]) ? [`${key}.${inner}`] : [],
    );
  });
}

export function itemsAt(document: Json, path: string): Item[] {
  const value = valueAt(document, path);
  return isItems(value) ? value : [];
}

export function valueAt(document: Json, path: string): unknown {
  const step = (at: unknown, field: string) => (isRecord(at) ? at[field] : undefined);
  return path.split('.').reduce(step, document);
}

function isItems(list: unknown): list is Item[] {
  return Array.isArray(list) && list.every((item) => isRecord(item) && typeof item.id === 'string');
}

/** By uid, by id, or by its text if ids have changed since: an edit must never hit another item. */
function indexOfItem(
  items: readonly Item[],
  { id, was, item: uid }: ItemEdit,
  value: Item | null,
): number {
  const same = uid === undefined ? -1 : items.findIndex((item) => item.uid === uid);
  if (same >= 0) return same;
  const sameId = items.findIndex((item) => item.id === id);
  const text = was ?? (value === null ? undefined : textIn(value));
  if (text === undefined || (sameId >= 0 && textIn(items[sameId]) === text)) return sameId;
  return was === undefined ? -1 : items.findIndex((item) => textIn(item) === was);
}

export function textIn(item: Item | undefined): string | undefined {
  const text = item?.content ?? item?.name;
  return typeof text === 'string' ? text : undefined;
}
