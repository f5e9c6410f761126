/** Gives ids to items that people add to facts.json and concepts.json by hand (M2). */

import { ID_LETTERS } from '../l2-facts/facts-file.ts';
import { type Item, itemsAt, type Json } from './document-edits.ts';

const LETTERS = new Map<string, string>([
  ...Object.entries(ID_LETTERS).map(([list, letter]): [string, string] => [
    ['rules', 'solutions', 'core_logic'].includes(list) ? `permanent.${list}` : list,
    letter,
  ]),
  ['concepts', 'c'],
]);

/**
 * Gives an id to items that people copied or wrote without one. An item with the text of a removed
 * item gets that item's id back.
 */
export function withIds(before: Json, after: Json): Json {
  for (const [part, letter] of LETTERS) {
    const [old, items] = [itemsAt(before, part), itemsAt(after, part)];
    const owners = ownersOfIds(old, items);
    let last = Math.max(
      lastNumber(before, letter),
      ...[...items, ...old].map(({ id }) => numberIn(id, letter)),
    );
    for (const item of items) {
      if (owners.get(item.id) === item) continue;
      const known = old.find(
        ({ id, content, name }) =>
          !owners.has(id) && (content ?? name) === (item.content ?? item.name),
      );
      item.id = known?.id ?? `${letter}${String(++last).padStart(3, '0')}`;
      owners.set(item.id, item);
    }
  }
  return after;
}

/** Of several items with one id, the one that is as it was has it, else the first. */
function ownersOfIds(old: readonly Item[], items: readonly Item[]): Map<string, Item> {
  const known = new Map(old.map((item) => [item.id, JSON.stringify(item)]));
  const owners = new Map<string, Item>();
  for (const item of items) {
    const isOwner = !owners.has(item.id) || known.get(item.id) === JSON.stringify(item);
    if (item.id !== '' && isOwner) owners.set(item.id, item);
  }
  return owners;
}

function lastNumber(document: Json, letter: string): number {
  if (letter === 'c') return Number(document.nextId ?? 1) - 1;
  const { counter = {} } = (document._meta ?? {}) as { counter?: Record<string, number> };
  return counter[letter] ?? 0;
}

/** Of `d012` 12; 0 if it is none of ours. */
export function numberIn(id: string, letter: string): number {
  return id.startsWith(letter) && /^\d{1,9}$/.test(id.slice(1)) ? Number(id.slice(1)) : 0;
}
