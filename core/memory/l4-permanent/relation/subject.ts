/**
 * Decides whether two statements speak of the same subject and attribute (M11, V3), leaving aside
 * the values that differ.
 */
import type { Choice } from './lexicon.ts';
import { isEqual, isLabel } from './quantities.ts';
import type { Statement, Word } from './statement.ts';

export function isIn({ id, parts }: Word, { ids }: Statement): boolean {
  return ids.has(id) || (parts.length > 0 && parts.every((part) => ids.has(part)));
}

const SAME_PARTS = '는 은, 가 이, 를 을, 로 으로 이다, by with via through, is are be'
  .split(', ')
  .map((parts) => parts.split(' '));

/** What a word's phrase is to its sentence: the particle at its end or the preposition before it. */
export function partOf({ phrase }: Word, { words }: Statement): string {
  const part = words.findLast((word) => word.phrase === phrase)?.part ?? '';
  return SAME_PARTS.find((parts) => parts.includes(part))?.[0] ?? part;
}

/** "Python code …", "비밀번호는 …": says what is spoken of, not what was chosen. */
export function isTopic(word: Word, { words }: Statement): boolean {
  if (/^(?:에?는|은|도|에서는)$/.test(word.part)) return true;
  const next = words[words.indexOf(word) + 1];
  const isFirst = word.phrase === words[0]?.phrase;
  return isFirst && next?.phrase === word.phrase && next.weight !== 'light';
}

/** Without a choice, numbers or names are compared. */
export function sharesSubject(
  a: Statement,
  b: Statement,
  isValue: (word: Word) => boolean = () => false,
  choice?: Choice,
): boolean {
  const unsharedIn = (statement: Statement, other: Statement) =>
    statement.words.filter(
      (word) => !isValue(word) && !isIn(word, other) && !isImplied(word, statement, choice),
    );
  const [onlyA, onlyB] = [unsharedIn(a, b), unsharedIn(b, a)];
  // "compressed after a week" and "kept for a month" speak of other things, if both say when.
  const isTimed = choice === undefined && (a.isTimed || b.isTimed);
  const isMore = ({ weight, isPredicate }: Word) => weight === 'full' && (isTimed || !isPredicate);
  const [moreA, moreB] = [onlyA.filter(isMore), onlyB.filter(isMore)];
  if (isTimed && moreA.length + moreB.length > 0) return false;
  if (choice === undefined && moreA.length > 0 && moreB.length > 0) return false;
  if (moreA.some((word) => narrows(word, a)) || moreB.some((word) => narrows(word, b)))
    return false;
  const isVerb = ({ weight, isPredicate }: Word) => weight === 'full' && isPredicate;
  if (onlyA.some(isVerb) && onlyB.some(isVerb)) return false;
  if (haveOtherScopes(a, b) || haveOtherLabels(a, b)) return false;
  const isShared = (word: Word) => word.weight !== 'light' && !isValue(word) && isIn(word, b);
  return choice?.isAlone === true || a.words.some(isShared);
}

/** "install" says nothing more where package managers are compared, unless as "install script". */
function isImplied(word: Word, { words }: Statement, choice: Choice | undefined): boolean {
  if (choice?.about.has(word.id) !== true) return false;
  const at = words.indexOf(word);
  const [before, next] = [words[at - 1], words[at + 1]];
  const isHead = next?.phrase !== word.phrase && before?.phrase === word.phrase;
  return !isHead || choice.about.has(before?.id ?? '');
}

/** "the test database", "payments in Korea": which of the things is meant. */
function narrows(word: Word, { words }: Statement): boolean {
  return (
    word.choices.some(({ isScope }) => isScope) ||
    /^(?:for|of|in|on|at|per|after|before|during|에서?[는도만]?|은|는|의|으?로[는만]?)$/.test(
      word.part,
    ) ||
    words.some(
      ({ phrase, weight, id }) => phrase === word.phrase && weight !== 'light' && id !== word.id,
    )
  );
}

/** Stored or shown, production or staging: each speaks of another side of the subject. */
function haveOtherScopes(a: Statement, b: Statement): boolean {
  const scopesOf = ({ words }: Statement) =>
    words.flatMap(({ choices }) => choices.filter(({ isScope }) => isScope));
  const [ofA, ofB] = [scopesOf(a), scopesOf(b)];
  return ofA.some(({ of }) => {
    const others = ofB.filter((scope) => scope.of === of).map(({ member }) => member);
    return (
      others.length > 0 && !ofA.some((scope) => scope.of === of && others.includes(scope.member))
    );
  });
}

/** Phase 1 and phase 2. */
function haveOtherLabels(a: Statement, b: Statement): boolean {
  const [ofA, ofB] = [a.quantities.filter(isLabel), b.quantities.filter(isLabel)];
  return ofA.some(
    (label) =>
      ofB.some(({ dimension }) => dimension === label.dimension) &&
      !ofB.some((other) => isEqual(label, other)),
  );
}
