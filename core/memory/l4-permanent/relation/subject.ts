/**
 * Decides whether two prepared statements are about the same thing (M11), leaving aside the words
 * that are their values: yes only if they share enough of the rest and nothing marks them as
 * parallel ("unit tests", "browser tests").
 */
import type { Category } from './lexicon.ts';
import type { Statement, Word } from './statement.ts';

export interface Values {
  /** The words whose conflict is in question. */
  isValue: (word: Word) => boolean;
  /** The category that they are members of. */
  category?: Category;
  /** Where the values stand, as token indexes. */
  at: readonly [a: number, b: number];
  /** The share of the shorter statement's words that the other one must have too. */
  share?: number;
}

const NOTHING: ReadonlySet<string> = new Set();
const SHARE = 0.5;
/** How much else may be said where a category tells the subject by itself. */
const MAX_REST = 2;

export function sharesSubject(a: Statement, b: Statement, values: Values): boolean {
  const about = values.category?.about ?? NOTHING;
  const isSubject = (word: Word) => !values.isValue(word) && !isAbout(word, about);
  const isOfValue = (word: Word, at: number) => word.preposition === 'of' && word.at > at;
  const ofA = subjectOf(a, b, (word) => isSubject(word) && !isOfValue(word, values.at[0]));
  const ofB = subjectOf(b, a, (word) => isSubject(word) && !isOfValue(word, values.at[1]));
  if (areParallel(a, b, values) || haveOtherModifiers(ofA, ofB, a, b)) return false;
  if (isPartOfOther(ofA, b) || isPartOfOther(ofB, a)) return false;
  if (ofA.length === 0 || ofB.length === 0) {
    const rest = [...ofA, ...ofB].filter(
      ({ isWeak, isPredicate }) => !isWeak && !isPredicate,
    ).length;
    const sharesAbout = a.words.some(
      (word) => isAbout(word, about) && b.words.some((other) => isSame(word, other)),
    );
    if (values.category?.isAlone === true) return rest <= MAX_REST;
    return (
      sharesAbout && rest === 0 && ![...ofA, ...ofB].some((word) => isNarrowing(word, a, b, about))
    );
  }
  const isOnlyDone =
    ofA.every(({ isPredicate }) => isPredicate) && ofB.every(({ isPredicate }) => isPredicate);
  if (isOnlyDone && values.category === undefined) return false;
  return isShared(ofA, ofB, a, b, values.share ?? SHARE);
}

/** "payments in Korea", "주문 데이터베이스": which of the things is meant. */
function isNarrowing(word: Word, a: Statement, b: Statement, about: ReadonlySet<string>): boolean {
  if (word.isWeak || word.isPredicate) return false;
  const { words } = a.words.includes(word) ? a : b;
  return (
    /^(?:in|for|of|at|on)$/.test(word.preposition) ||
    words.some((other) => other.phrase === word.phrase && isAbout(other, about))
  );
}

function isAbout(word: Word, about: ReadonlySet<string>): boolean {
  return (
    about.has(word.id) || (word.parts.length > 0 && word.parts.every((part) => about.has(part)))
  );
}

function isShared(
  ofA: readonly Word[],
  ofB: readonly Word[],
  a: Statement,
  b: Statement,
  least: number,
): boolean {
  const shared = ofA.filter((word) => isIn(word, b));
  const count = Math.min(shared.length, ofB.filter((word) => isIn(word, a)).length);
  const share = count / Math.min(ofA.length, ofB.length);
  if (count === 0 || share < least) return false;
  if (share === 1 || count >= 2) return true;
  return shared.some(
    (word) => isHead(word, ofA) && ofB.some((other) => isSame(word, other) && isHead(other, ofB)),
  );
}

/** Distinct words; what happens to the subject counts only where both say it. */
function subjectOf(
  statement: Statement,
  other: Statement,
  isSubject: (word: Word) => boolean,
): Word[] {
  const said = statement.full.filter(
    (word) => isSubject(word) && (!word.isPredicate || isIn(word, other)),
  );
  const strong = said.filter((word) => !word.isWeak || isIn(word, other));
  const words = strong.some(({ isPredicate }) => !isPredicate) ? strong : said;
  return words.filter((word, index) => words.findIndex(({ id }) => id === word.id) === index);
}

export function isSame(a: Word, b: Word): boolean {
  if (a.id === b.id || a.parts.includes(b.id) || b.parts.includes(a.id)) return true;
  return (
    a.parts.length > 1 &&
    a.parts.length === b.parts.length &&
    a.parts.every((part) => b.parts.includes(part))
  );
}

export function isIn(word: Word, statement: Statement): boolean {
  return (
    statement.ids.has(word.id) ||
    word.parts.some((part) => statement.full.some(({ id }) => id === part))
  );
}

/** The last word of the first phrase: what the statement begins with is mostly its topic. */
function isHead(word: Word, words: readonly Word[]): boolean {
  const first = words[0]?.phrase;
  return word.phrase === first && words.filter(({ phrase }) => phrase === first).at(-1) === word;
}

/** "환불 요청" is not "환불": all that is shared only tells which request is meant. */
function isPartOfOther(words: readonly Word[], other: Statement): boolean {
  const head = words.filter((word) => isHead(word, words))[0];
  if (head === undefined || isIn(head, other) || !/[가-힣]/.test(head.text)) return false;
  return words.every((word) => word.phrase === head.phrase || !isIn(word, other));
}

/**
 * Both name another member of one category beside their values: other languages, sides,
 * environments.
 */
function areParallel(a: Statement, b: Statement, { isValue, category, at }: Values): boolean {
  for (const word of a.words) {
    if (isValue(word)) continue;
    for (const membership of word.members) {
      if (membership.category === category) continue;
      if (!(membership.category.isScope || isSaidOf(word, at[0]))) continue;
      if (differsIn(membership.category, a, b, isValue, at[1])) return true;
    }
  }
  return false;
}

/** Before the value, or "tabs in Go": what it holds for. */
function isSaidOf({ at, preposition }: Word, valueAt: number): boolean {
  return at < valueAt || /^(?:in|for)$/.test(preposition);
}

function differsIn(
  category: Category,
  a: Statement,
  b: Statement,
  isValue: (word: Word) => boolean,
  before: number,
): boolean {
  const inA = membersOf(a.words, category);
  const inB = membersOf(
    b.words.filter((word) => !isValue(word) && (category.isScope || isSaidOf(word, before))),
    category,
  );
  return inB.size > 0 && ![...inB].some((member) => inA.has(member));
}

export function membersOf(words: readonly Word[], category: Category): Set<number> {
  return new Set(
    words.flatMap(({ members }) =>
      members.filter((m) => m.category === category).map(({ member }) => member),
    ),
  );
}

/** The same noun with other words before it on both sides: "admin screen", "customer screen". */
function haveOtherModifiers(
  ofA: readonly Word[],
  ofB: readonly Word[],
  a: Statement,
  b: Statement,
): boolean {
  return ofA.some((word) =>
    ofB.some((other) => {
      if (word.id === other.id ? word.parts.length > 0 : headOf(word) !== headOf(other))
        return false;
      const [before, otherBefore] = [modifierIds(word, a.words), modifierIds(other, b.words)];
      if (before.length === 0 || otherBefore.length === 0) return false;
      return !before.some((id) => isWord(id, b)) && !otherBefore.some((id) => isWord(id, a));
    }),
  );
}

function isWord(id: string, { ids, words }: Statement): boolean {
  return ids.has(id) || words.some((word) => word.id === id);
}

function headOf(word: Word): string {
  return word.parts.at(-1) ?? word.id;
}

function modifierIds(word: Word, words: readonly Word[]): string[] {
  return [...modifiers(word, words).map(({ id }) => id), ...word.parts.slice(0, -1)];
}

export function modifiers(word: Word, words: readonly Word[]): Word[] {
  return words.filter(
    ({ phrase, at, isFull, isWeak }) =>
      phrase === word.phrase && at < word.at && (isFull || isWeak),
  );
}
