/** Assigns ids to items that people add to facts.json and concepts.json by hand (M2). */
import { FACT_LISTS, ID_LETTERS, PERMANENT_LISTS } from '../l2-facts/facts-file.ts';
import { type Item, itemsAt, type Json } from './document-edits.ts';

const LETTERS: readonly [part: string, letter: string][] = [
  ...FACT_LISTS.map((list): [string, string] => [list, ID_LETTERS[list]]),
  ...PERMANENT_LISTS.map((list): [string, string] => [`permanent.${list}`, ID_LETTERS[list]]),
  ['concepts', 'c'],
];

const WITH_UIDS: readonly string[] = [...LETTERS.map(([part]) => part), 'retired'];

/**
 * For items copied or written without an id. The text of a removed item gets its id back. People
 * cannot change uids: an item keeps its own, and a copy gets another when it is recorded.
 */
export function assignIds(before: Json, after: Json): Json {
  for (const [part, letter] of LETTERS) {
    const [old, items] = [itemsAt(before, part), itemsAt(after, part)];
    const owners = ownersOfIds(old, items);
    let last = Math.max(
      lastNumber(before, letter),
      ...[...items, ...old].map(({ id }) => idNumber(id, letter)),
    );
    for (const item of items) {
      if (owners.get(item.id) === item) continue;
      const removed = old.find(
        (each) =>
          !owners.has(each.id) && (each.content ?? each.name) === (item.content ?? item.name),
      );
      item.id = removed?.id ?? `${letter}${String(++last).padStart(3, '0')}`;
      owners.set(item.id, item);
    }
  }
  keepUids(before, after);
  return after;
}

function keepUids(before: Json, after: Json): void {
  const old = WITH_UIDS.map(
    (part) => new Map(itemsAt(before, part).map((item) => [item.id, item])),
  );
  const taken = new Set(old.flatMap((items) => [...items.values()].map(({ uid }) => uid)));
  for (const [at, part] of WITH_UIDS.entries())
    for (const item of itemsAt(after, part)) {
      const known = old[at]?.get(item.id);
      const uid = known === undefined ? freeUid(item.uid, taken) : known.uid;
      if (item.uid !== uid) setUid(item, uid);
    }
}

/** Where the schema has it: items are compared field by field, in their order. */
function setUid(item: Item, uid: unknown): void {
  const { id, uid: _, ...rest } = item;
  for (const field of Object.keys(item)) delete item[field];
  Object.assign(item, { id, ...(uid !== undefined && { uid }), ...rest });
}

/** An item that was restored from an earlier version is the same item. */
function freeUid(uid: unknown, taken: Set<unknown>): unknown {
  if (typeof uid !== 'string' || taken.has(uid)) return undefined;
  taken.add(uid);
  return uid;
}

/** Of several items with one id, the unchanged one keeps it, else the first. */
function ownersOfIds(old: readonly Item[], items: readonly Item[]): Map<string, Item> {
  const before = new Map(old.map((item) => [item.id, JSON.stringify(item)]));
  const owners = new Map<string, Item>();
  for (const item of items) {
    const isOwner = !owners.has(item.id) || before.get(item.id) === JSON.stringify(item);
    if (item.id !== '' && isOwner) owners.set(item.id, item);
  }
  return owners;
}

function lastNumber(document: Json, letter: string): number {
  if (letter === 'c') return Number(document.nextId ?? 1) - 1;
  const { counter = {} } = (document._meta ?? {}) as { counter?: Record<string, number> };
  return counter[letter] ?? 0;
}

/** 12 of `d012`; 0 if the id is not ours. */
export function idNumber(id: string, letter: string): number {
  return id.startsWith(letter) && /^\d{1,9}$/.test(id.slice(1)) ? Number(id.slice(1)) : 0;
}
