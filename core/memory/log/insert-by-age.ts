/**
 * Puts an item back where it stood in a list that grows at its end, such as the facts d001, d002, …:
 * before the first item that is younger, or at the end.
 */
import { timeOfUid } from './journal.ts';

interface Aged {
  id: string;
  uid?: unknown;
}

export function insertByAge<T extends Aged>(items: T[], item: T): void {
  const at = items.findIndex((other) => isYounger(other, item));
  items.splice(at < 0 ? items.length : at, 0, item);
}

/** By the uid's time, which is the same on every machine; within one moment by the id. */
function isYounger(a: Aged, b: Aged): boolean {
  const [timeA, timeB] = [a, b].map(({ uid }) => (typeof uid === 'string' ? timeOfUid(uid) : ''));
  if (timeA && timeB && timeA !== timeB) return timeA > timeB;
  return numberIn(a.id) > numberIn(b.id);
}

/** 12 of `d012`. */
function numberIn(id: string): number {
  return Number(/\d+/.exec(id)?.[0] ?? Number.POSITIVE_INFINITY);
}
