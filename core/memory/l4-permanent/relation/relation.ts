/**
 * How a newer statement relates to an older one (M11): two rules, decisions or facts come in, in English, Korean or both; out goes whether
 * they say the same, contradict each other, or neither, with the reason for a contradiction. Pure, and fast on prepared statements.
 */
import { contradiction } from './contradiction.ts';
import { isComparable, isEqual } from './quantities.ts';
import { prepare, type Statement, type Word } from './statement.ts';
import { isSame, membersOf } from './subject.ts';

export interface Relation {
  kind: 'same' | 'contradicts' | 'other';
  /** "port 3000 → port 8080"; only for a contradiction. */
  reason?: string;
}

const OTHER: Relation = { kind: 'other' };
const SAME: Relation = { kind: 'same' };

export function relation(older: string, newer: string): Relation {
  return relationOf(prepare(older), prepare(newer));
}

export function relationOf(older: Statement, newer: Statement): Relation {
  if (!touch(older.touches, newer.touches)) return OTHER;
  const reason = contradiction(older, newer);
  if (reason !== undefined) return { kind: 'contradicts', reason };
  return isSameStatement(older, newer) ? SAME : OTHER;
}

function touch(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  for (const id of b) if (a.has(id)) return true;
  return false;
}

const SHORTER_SHARE = 0.75;
const LONGER_SHARE = 0.5;

function isSameStatement(a: Statement, b: Statement): boolean {
  const [ofA, ofB] = [a.content, b.content];
  const equal = a.quantities.filter((quantity) =>
    b.quantities.some((other) => other.dimension === quantity.dimension && isEqual(quantity, other)),
  );
  const count = Math.min(countIn(ofA, ofB), countIn(ofB, ofA));
  const [shorter, longer] = [Math.min(ofA.length, ofB.length), Math.max(ofA.length, ofB.length)];
  if (count === 0 || count + equal.length < 2 || count / shorter < SHORTER_SHARE || count / longer < LONGER_SHARE) return false;
  if (deniesMore(a, b) || deniesMore(b, a)) return false;
  if (a.isExclusive !== b.isExclusive || (hasMore(a, b) && hasMore(b, a))) return false;
  return haveSameSigns(ofA, ofB) && haveSameQuantities(a, b) && haveSameMembers(ofA, ofB);
}

function deniesMore(a: Statement, b: Statement): boolean {
  return a.full.some((word) => word.sign !== 1 && !b.full.some((other) => isSame(word, other)));
}

/** Whether it says something in particular that the other one does not: a name, a choice, a number. */
function hasMore(a: Statement, b: Statement): boolean {
  const isSaid = (word: Word) =>
    b.words.some((other) => other.id === word.id || (word.members.length === 0 && isSame(word, other)));
  const hasWord = a.words.some(
    (word) => (word.isFull || word.isName) && (word.poles.length > 0 || word.members.length > 0 || word.isName) && !isSaid(word),
  );
  const hasQuantity = a.quantities.some(
    (quantity) => !b.quantities.some(({ dimension }) => isComparable(dimension, quantity.dimension)),
  );
  return hasWord || hasQuantity || a.full.some((word) => !isSaid(word));
}

function countIn(a: readonly Word[], b: readonly Word[]): number {
  return a.filter((word) => b.some((other) => isSame(word, other))).length;
}

function haveSameSigns(a: readonly Word[], b: readonly Word[]): boolean {
  return a.every((word) => {
    const others = b.filter((other) => isSame(word, other));
    return others.length === 0 || others.some(({ sign }) => sign === word.sign);
  });
}

/** "squash" and "merge commit" in otherwise equal statements. */
function haveSameMembers(a: readonly Word[], b: readonly Word[]): boolean {
  return a.every(({ members }) =>
    members.every(({ category }) => {
      const [inA, inB] = [membersOf(a, category), membersOf(b, category)];
      return inB.size === 0 || [...inA].some((member) => inB.has(member));
    }),
  );
}

/** Of one dimension the same numbers in the same order: "from 3 to 5" is not "from 5 to 3". What only one of them counts is no difference. */
function haveSameQuantities(a: Statement, b: Statement): boolean {
  return a.quantities.every(({ dimension }) => {
    const [own, others] = [a, b].map(({ quantities }) => quantities.filter((other) => isComparable(other.dimension, dimension)));
    if (own === undefined || others === undefined || others.length === 0) return true;
    return own.length === others.length && own.every((quantity, at) => isEqual(quantity, others[at] ?? quantity));
  });
}
