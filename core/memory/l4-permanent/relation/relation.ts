/**
 * Decides how a newer statement relates to an older one, in English, Korean or both (M11): the
 * same, a contradiction (with the reason), or neither. Pure, and fast on prepared statements.
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
    b.quantities.some(
      (other) => other.dimension === quantity.dimension && isEqual(quantity, other),
    ),
  );
  const count = Math.min(countIn(ofA, ofB), countIn(ofB, ofA));
  const [shorter, longer] = [Math.min(ofA.length, ofB.length), Math.max(ofA.length, ofB.length)];
  if (
    count === 0 ||
    count + equal.length < 2 ||
    count / shorter < SHORTER_SHARE ||
    count / longer < LONGER_SHARE
  )
    return false;
  if (deniesMore(a, b) || deniesMore(b, a)) return false;
  if (
    a.isExclusive !== b.isExclusive ||
    (hasMore(a, b) && hasMore(b, a)) ||
    haveChangedPlaces(a, b)
  )
    return false;
  return haveSameSigns(ofA, ofB) && haveSameQuantities(a, b) && haveSameMembers(ofA, ofB);
}

function deniesMore(a: Statement, b: Statement): boolean {
  return a.full.some((word) => word.sign !== 1 && !b.full.some((other) => isSame(word, other)));
}

/**
 * Whether it says something that the other one does not: a detail, any word of weight in one
 * language, a full word in two.
 */
function hasMore(a: Statement, b: Statement): boolean {
  if (hasDetail(a, b) || a.full.some((word) => !isSaid(word, b))) return true;
  return isKorean(a) === isKorean(b) && a.words.some((word) => word.isWeak && !isSaid(word, b));
}

/**
 * Whether it has something in particular that the other one lacks: a name, a choice, a number. Who
 * takes the two for one loses it.
 */
export function hasDetail(a: Statement, b: Statement): boolean {
  if ([...a.literals].some((literal) => !b.literals.has(literal))) return true;
  const isParticular = ({ isFull, isName, poles, members }: Word) =>
    isName || (isFull && (poles.length > 0 || members.length > 0));
  const isCounted = (dimension: string) =>
    b.quantities.some((quantity) => isComparable(quantity.dimension, dimension));
  return (
    a.words.some((word) => isParticular(word) && !isSaid(word, b)) ||
    a.quantities.some(({ dimension }) => !isCounted(dimension))
  );
}

function isSaid({ id, parts, members }: Word, { words }: Statement): boolean {
  const isPartSaid = (part: string) =>
    words.some((other) => other.id === part || other.parts.includes(part));
  if (words.some((other) => other.id === id)) return true;
  return parts.length > 0 ? parts.every(isPartSaid) : members.length === 0 && isPartSaid(id);
}

function isKorean({ words }: Statement): boolean {
  return words.some(({ text }) => /[가-힣]/.test(text));
}

/**
 * "the queue sends it to the worker", "백엔드는 프론트엔드를 …": the same words, but two of them have each
 * other's part.
 */
function haveChangedPlaces(a: Statement, b: Statement): boolean {
  const parts = b.full.flatMap((inB) => {
    const inA = a.full.find(({ id }) => id === inB.id);
    return inA === undefined ? [] : [[partOf(inA, a), partOf(inB, b)] as const];
  });
  return parts.some(
    ([was, is]) =>
      was !== is && parts.some(([otherWas, otherIs]) => otherWas === is && otherIs === was),
  );
}

/**
 * What a word's phrase is to its sentence: by the particle at its end, or by the preposition before
 * it.
 */
function partOf({ phrase, preposition }: Word, { words }: Statement): string {
  const tail = words.findLast((word) => word.phrase === phrase)?.tail ?? '';
  return tail === ''
    ? preposition
    : tail
        .replace(/^은$/, '는')
        .replace(/^이$/, '가')
        .replace(/^을$/, '를')
        .replace(/^으로$/, '로');
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

/**
 * Of one dimension the same numbers in the same order: "from 3 to 5" is not "from 5 to 3". What
 * only one of them counts is no difference.
 */
function haveSameQuantities(a: Statement, b: Statement): boolean {
  return a.quantities.every(({ dimension }) => {
    const [own, others] = [a, b].map(({ quantities }) =>
      quantities.filter((other) => isComparable(other.dimension, dimension)),
    );
    if (own === undefined || others === undefined || others.length === 0) return true;
    return (
      own.length === others.length &&
      own.every((quantity, at) => isEqual(quantity, others[at] ?? quantity))
    );
  });
}
