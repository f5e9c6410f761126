/**
 * Decides whether two statements cannot both hold (M11), with a reason that a person can read. A
 * wrong conflict would hide a rule that still holds, so each kind requires the same subject first.
 */
import { denial } from './denial.ts';
import type { Category } from './lexicon.ts';
import { clash, isComparable, isEqual } from './quantities.ts';
import type { Statement, Word } from './statement.ts';
import { isIn, isSame, membersOf, sharesSubject } from './subject.ts';

/** "3000 → 8080", "required → optional", or undefined. */
export function contradiction(older: Statement, newer: Statement): string | undefined {
  return (
    denial(older, newer) ??
    otherMember(older, newer) ??
    otherPole(older, newer) ??
    otherQuantity(older, newer) ??
    otherName(older, newer) ??
    otherInSlot(older, newer)
  );
}

/** npm against pnpm. */
function otherMember(older: Statement, newer: Statement): string | undefined {
  if ((older.isAdditive || newer.isAdditive) && !older.isExclusive) return undefined;
  for (const category of categoriesOf(older)) {
    if (category.isScope) continue;
    const [before, after] = [affirmedIn(older, category), affirmedIn(newer, category)];
    const first = before[0];
    const second = after[0];
    if (first === undefined || second === undefined) continue;
    if (
      !isOneChoice(before, after, category) ||
      isAttribute(first, older) ||
      isAttribute(second, newer) ||
      (isTopic(first) && isTopic(second))
    )
      continue;
    const isValue = (word: Word) => word.members.some((m) => m.category === category);
    if (sharesSubject(older, newer, { isValue, category, at: [first.at, second.at] }))
      return `${first.text} → ${second.text}`;
  }
  return undefined;
}

/** "비밀번호는 …": what is spoken of, not what was chosen. */
function isTopic({ tail }: Word): boolean {
  return /^(?:은|는|에는|에서는)$/.test(tail);
}

/** "deleted after a month", "kept for 30 days". */
function haveSameQuantity(a: Statement, b: Statement): boolean {
  return a.quantities.some((quantity) =>
    b.quantities.some(
      (other) => other.dimension === quantity.dimension && isEqual(quantity, other),
    ),
  );
}

/** "Python code …" says which code is meant, "the code is in Python" what was chosen. */
function isAttribute(word: Word, { words }: Statement): boolean {
  const isFollower = (other: Word) =>
    other.phrase === word.phrase &&
    other.at > word.at &&
    (other.isFull || other.isWeak) &&
    !other.isPredicate;
  const isImplied = ({ id }: Word) => word.members.some(({ category }) => category.about.has(id));
  return (
    word.phrase === words[0]?.phrase &&
    words.some((other) => isFollower(other) && !isImplied(other))
  );
}

function categoriesOf(statement: Statement): Set<Category> {
  return new Set(statement.words.flatMap(({ members }) => members.map(({ category }) => category)));
}

function affirmedIn(statement: Statement, category: Category): Word[] {
  return statement.words.filter(
    ({ sign, members }) => sign === 1 && members.some((m) => m.category === category),
  );
}

function isOneChoice(before: readonly Word[], after: readonly Word[], category: Category): boolean {
  const [a, b] = [
    spanOf(membersOf(before, category), category),
    spanOf(membersOf(after, category), category),
  ];
  if (!category.isSeveral && (a.size > 1 || b.size > 1)) return false;
  const isAdded = [...before, ...after].some(({ tail }) => tail.endsWith('도'));
  return (
    !isAdded &&
    ![...a].some((member) => b.has(member)) &&
    !before.some((word) => after.some((other) => isSame(word, other)))
  );
}

/** Monday and Thursday are taken as Monday to Thursday. */
function spanOf(members: Set<number>, { isSeveral }: Category): Set<number> {
  if (!isSeveral || members.size < 2) return members;
  const [first, last] = [Math.min(...members), Math.max(...members)];
  return new Set(Array.from({ length: last - first + 1 }, (_, index) => first + index));
}

const POLE_SHARE = 0.6;
/** "before" and "keep" stand in too many statements to mean much. */
const LIGHT_POLE_SHARE = 0.8;

/** Required against optional. A denied pole is the other one. */
function otherPole(older: Statement, newer: Statement): string | undefined {
  const axes = new Set(older.words.flatMap(({ poles }) => poles.map(({ axis }) => axis)));
  for (const axis of axes) {
    const [before, after] = [sideOn(axis, older), sideOn(axis, newer)];
    if (before === undefined || after === undefined || before.side === after.side) continue;
    if (isOpposed(older, before.word, newer, after.word, axis))
      return `${before.word.text} → ${after.word.text}`;
  }
  return undefined;
}

function isOpposed(
  older: Statement,
  before: Word,
  newer: Statement,
  after: Word,
  axis: number,
): boolean {
  // The same word, once denied: that is not for poles to say.
  if (before.sign !== after.sign && (before.id === after.id || !before.isFull || !after.isFull))
    return false;
  if (isAttribute(before, older) || isAttribute(after, newer) || haveSameQuantity(older, newer))
    return false;
  const isValue = (word: Word) => word.poles.some((pole) => pole.axis === axis);
  return sharesSubject(older, newer, {
    isValue,
    at: [before.at, after.at],
    share: before.isFull || after.isFull ? POLE_SHARE : LIGHT_POLE_SHARE,
  });
}

/** Undefined also where a statement has both poles: "dark text on a light background". */
function sideOn(axis: number, statement: Statement): { side: number; word: Word } | undefined {
  let found: { side: number; word: Word } | undefined;
  for (const word of statement.words) {
    for (const pole of word.poles) {
      if (pole.axis !== axis || word.sign === 0) continue;
      const side = word.sign === 1 ? pole.side : 1 - pole.side;
      if (found !== undefined && found.side !== side) return undefined;
      found = { side, word };
    }
  }
  return found;
}

/** Port 3000 against port 8080. */
function otherQuantity(older: Statement, newer: Statement): string | undefined {
  for (const before of older.quantities) {
    const after = onlyComparable(newer, before.dimension);
    if (after === undefined || onlyComparable(older, before.dimension) !== before) continue;
    if (before.sign !== 1 || after.sign !== 1 || !clash(before, after)) continue;
    const isValue = (word: Word) => `of ${word.id}` === before.dimension;
    const isOfOne = before.dimension.startsWith('of ');
    if (isOfOne && before.bound === 'exact' && (older.isAdditive || newer.isAdditive)) continue;
    const values = { isValue: isOfOne ? () => false : isValue, at: [before.at, after.at] as const };
    if (sharesSubject(older, newer, values)) return `${before.text} → ${after.text}`;
  }
  return undefined;
}

function onlyComparable(statement: Statement, dimension: string) {
  const found = statement.quantities.filter((quantity) =>
    isComparable(quantity.dimension, dimension),
  );
  return found.length === 1 ? found[0] : undefined;
}

/**
 * Two names that the lists do not know, in statements that are alike but for them: MailHog against
 * Mailpit.
 */
function otherName(older: Statement, newer: Statement): string | undefined {
  if (older.isAdditive || newer.isAdditive) return undefined;
  const [before, after] = [
    older.full.filter((word) => !isIn(word, newer)),
    newer.full.filter((word) => !isIn(word, older)),
  ];
  const [first, second] = [before[0], after[0]];
  if (before.length !== 1 || after.length !== 1 || first === undefined || second === undefined)
    return undefined;
  if (!first.isName || !second.isName || first.sign !== 1 || second.sign !== 1) return undefined;
  if (first.members.length > 0 && second.members.length > 0) return undefined;
  // "src/a.ts exports …": a place of the code that something is said of, not what was chosen.
  if (isPlaceInCode(first, older) && isPlaceInCode(second, newer)) return undefined;
  const isValue = (word: Word) => word === first || word === second;
  return sharesSubject(older, newer, { isValue, at: [first.at, second.at], share: 1 })
    ? `${first.text} → ${second.text}`
    : undefined;
}

function isPlaceInCode(word: Word, { full }: Statement): boolean {
  return word.phrase === full[0]?.phrase && /[._]/.test(word.text);
}

const SLOT = /^(?:by|on|in|at|from|to|as|per)$/;
const SLOT_TAIL = /^(?:으로|로|에|에서|이다)$/;

/**
 * The same is done to the same thing in the same way but for one phrase: "stored in national
 * format", "stored in E.164".
 */
function otherInSlot(older: Statement, newer: Statement): string | undefined {
  if (older.isAdditive || newer.isAdditive || older.quantities.length + newer.quantities.length > 0)
    return undefined;
  const [before, after] = [slotOf(older, newer), slotOf(newer, older)];
  const [first, second] = [before[0], after[0]];
  if (first === undefined || second === undefined || !isSameSlot(before, after)) return undefined;
  if (!isDoneAlike(older, first.at, newer, second.at) || areOfOtherKind(before, after))
    return undefined;
  const isValue = (word: Word) => before.includes(word) || after.includes(word);
  if (!sharesSubject(older, newer, { isValue, at: [first.at, second.at], share: 1 }))
    return undefined;
  return `${before.map(({ text }) => text).join(' ')} → ${after.map(({ text }) => text).join(' ')}`;
}

/** All that the other one does not say, if it is one phrase and no more. */
function slotOf(statement: Statement, other: Statement): Word[] {
  const unsaid = statement.full.filter((word) => !isIn(word, other));
  const isOnePhrase = unsaid.every(
    ({ phrase, sign, isSubordinate }) =>
      phrase === unsaid[0]?.phrase && sign === 1 && !isSubordinate,
  );
  const isFirst = unsaid[0]?.phrase === statement.full[0]?.phrase;
  return isOnePhrase && !isFirst ? unsaid : [];
}

function isSameSlot(before: readonly Word[], after: readonly Word[]): boolean {
  const [a, b] = [before.at(-1), after.at(-1)];
  if (a === undefined || b === undefined) return false;
  const isHangul = /[가-힣]/.test(a.text + a.tail);
  return isHangul
    ? SLOT_TAIL.test(a.tail) && slotName(a) === slotName(b)
    : SLOT.test(a.preposition) && a.preposition === b.preposition && b.tail === '';
}

function slotName({ tail }: Word): string {
  return tail === '으로' ? '로' : tail;
}

/** Both have the same verb, as far as they have one. */
function isDoneAlike(
  older: Statement,
  valueAt: number,
  newer: Statement,
  newerValueAt: number,
): boolean {
  const verbsOf = ({ words }: Statement, value: number) =>
    words
      .filter(({ isFull, isWeak, at, tail }) => !isFull && !isWeak && (at < value || tail !== ''))
      .map(({ id }) => id);
  const [before, after] = [verbsOf(older, valueAt), verbsOf(newer, newerValueAt)];
  return before.length === after.length && before.every((id) => after.includes(id));
}

/** A place and a language can both be told of one thing. */
function areOfOtherKind(before: readonly Word[], after: readonly Word[]): boolean {
  const categories = (words: readonly Word[]) =>
    words.flatMap(({ members }) => members.map(({ category }) => category));
  const [a, b] = [categories(before), categories(after)];
  return (a.length > 0 || b.length > 0) && !a.some((category) => b.includes(category));
}
