/**
 * Decides how a newer statement relates to an older one, in English, Korean or both (M11): the
 * same, a contradiction with the reason, or neither. It is a guard: where numbers, names, negation
 * and the words around them leave a doubt, both statements stay.
 */
import { contradiction } from './contradiction.ts';
import { isEqual } from './quantities.ts';
import { prepare, type Statement, type Word } from './statement.ts';
import { isIn, partOf } from './subject.ts';

export interface Relation {
  kind: 'same' | 'contradicts' | 'other';
  /** "port 3000 → port 8080"; only for a contradiction. */
  reason?: string;
}

export function relation(older: string, newer: string): Relation {
  return relationOf(prepare(older), prepare(newer));
}

export function relationOf(older: Statement, newer: Statement): Relation {
  if (![...newer.touches].some((id) => older.touches.has(id))) return { kind: 'other' };
  const reason = contradiction(older, newer);
  if (reason !== undefined) return { kind: 'contradicts', reason };
  return { kind: isSame(older, newer) ? 'same' : 'other' };
}

/** All that either says, the other says too, with the same numbers, names and denials. */
function isSame(a: Statement, b: Statement): boolean {
  if (a.words.length + a.quantities.length < 2 || a.isExclusive !== b.isExclusive) return false;
  const haveEqualNumbers =
    a.quantities.length === b.quantities.length &&
    a.quantities.every((quantity, at) => isEqual(quantity, b.quantities[at]));
  return haveEqualNumbers && saysAll(a, b) && saysAll(b, a) && !haveChangedPlaces(a, b);
}

function saysAll(a: Statement, b: Statement): boolean {
  const isSaid = (word: Word) => {
    // What is done has too many names in two languages.
    if (word.weight === 'light' && a.isKorean !== b.isKorean) return true;
    const others = b.words.filter(({ id }) => id === word.id);
    return isIn(word, b) && (others.length === 0 || others.some(({ sign }) => sign === word.sign));
  };
  return [...a.literals].every((literal) => b.literals.has(literal)) && a.words.every(isSaid);
}

/** "the queue sends it to the worker": the same words, but two of them have each other's part. */
function haveChangedPlaces(a: Statement, b: Statement): boolean {
  const parts = b.words.flatMap((inB) => {
    const inA = a.words.find(({ id }) => id === inB.id);
    return inA === undefined ? [] : [[partOf(inA, a), partOf(inB, b)] as const];
  });
  // "X uses Y" and "Y is used by X" say the same.
  const moved = parts.filter(([was, is]) => was !== is && was !== 'by' && is !== 'by');
  return moved.some(([was, is]) => moved.some(([from, to]) => from === is && to === was));
}
