/**
 * Decides how a newer statement relates to an older one, in English, Korean or both (M11). A wrong
 * conflict would hide a rule that still holds: where numbers, names, negation and the words around
 * them leave a doubt, both statements stay.
 */
import type { Choice } from './lexicon.ts';
import { clash, isEqual } from './quantities.ts';
import type { Statement, Word } from './statement.ts';
import { isIn, isTopic, partOf, sharesSubject } from './subject.ts';

export type Relation = 'same' | 'contradicts' | 'other';

export function relationOf(older: Statement, newer: Statement): Relation {
  if (![...newer.touches].some((id) => older.touches.has(id))) return 'other';
  if (contradicts(older, newer)) return 'contradicts';
  return isSame(older, newer) ? 'same' : 'other';
}

/** All that is said besides the two values must agree. */
function contradicts(older: Statement, newer: Statement): boolean {
  const isAdded = older.isAdditive || newer.isAdditive;
  return (
    haveOtherQuantities(older, newer) ||
    (!isAdded && (haveOtherChoices(older, newer) || haveOtherValues(older, newer))) ||
    denies(newer, older, older.isExclusive ? 1 : WITHDRAWN_SHARE) ||
    denies(older, newer, 1)
  );
}

/** Port 3000 against port 8080. */
function haveOtherQuantities(older: Statement, newer: Statement): boolean {
  const ofKind = ({ quantities }: Statement, kind: string) =>
    quantities.filter(({ dimension }) => dimension === kind);
  return older.quantities.some((before) => {
    const [after, ...more] = ofKind(newer, before.dimension);
    const isOnly = more.length === 0 && ofKind(older, before.dimension).length === 1;
    return after !== undefined && isOnly && clash(before, after) && sharesSubject(older, newer);
  });
}

/** npm against pnpm, required against optional. */
function haveOtherChoices(older: Statement, newer: Statement): boolean {
  const kinds = new Set(older.words.flatMap(({ choices }) => choices.map(({ of }) => of)));
  return [...kinds].some((kind) => {
    const [before, after] = [chosenIn(older, kind), chosenIn(newer, kind)];
    if (before === undefined || after === undefined) return false;
    if (before.member === after.member || before.word.id === after.word.id) return false;
    const isValue = (word: Word) => word.choices.some(({ of }) => of === kind);
    return sharesSubject(older, newer, isValue, before);
  });
}

/** The one thing of this kind that the statement chooses. */
function chosenIn(statement: Statement, kind: string): (Choice & { word: Word }) | undefined {
  const chosen = statement.words.flatMap((word) =>
    word.choices
      .filter(({ of, isScope }) => of === kind && !isScope)
      .map((choice) => ({ ...choice, word })),
  );
  const [first] = chosen;
  const isOne = chosen.every(({ member }) => member === first?.member);
  return isOne && first?.word.sign === 1 && !isTopic(first.word, statement) ? first : undefined;
}

/** Parts of a sentence that hold one value, as `partOf` writes them. */
const SLOT = /^(?:in|on|at|by|as|is|over|로|에|에서)$/;

/** MailHog against Mailpit: the same is said of the same, but for one phrase. */
function haveOtherValues(older: Statement, newer: Statement): boolean {
  const [before, after] = [valueIn(older, newer), valueIn(newer, older)];
  const [first, second] = [before[0], after[0]];
  if (first === undefined || second === undefined) return false;
  const [part, otherPart] = [partOf(first, older), partOf(second, newer)];
  // "The mail server is X", "We use Y as the mail server".
  const isNamed = first.isName && second.isName && /^(?:is by|by is)$/.test(`${part} ${otherPart}`);
  const isAlternative = isNamed || (part === otherPart && SLOT.test(part));
  // Two known choices of different kinds can both be made.
  if (!isAlternative || (first.choices.length > 0 && second.choices.length > 0)) return false;
  return sharesSubject(older, newer, (word) => before.includes(word) || after.includes(word));
}

/** All that the other one does not say, if it is one phrase and can be what was chosen. */
function valueIn(statement: Statement, other: Statement): Word[] {
  const unsaid = statement.words.filter((word) => word.weight !== 'light' && !isIn(word, other));
  const isValue = (word: Word) =>
    word.sign === 1 &&
    !word.isPredicate &&
    word.phrase === unsaid[0]?.phrase &&
    word.phrase !== statement.words[0]?.phrase &&
    !isTopic(word, statement) &&
    !word.choices.some(({ isScope }) => isScope);
  return unsaid.every(isValue) ? unsaid : [];
}

/** "no longer allowed": what is denied is the rest of the sentence. */
const MODAL = /^(?:allow|permit|accept|support|possibl|abl|availabl|허용|가능|지원|수)$/;
/**
 * The share of what was affirmed that its denial must speak of. Lifting a prohibition takes all of
 * it: what to do in its stead is said in the same words.
 */
const WITHDRAWN_SHARE = 0.5;

/** One denies what the other affirms. */
function denies(denying: Statement, affirming: Statement, least: number): boolean {
  if (affirming.words.some(({ sign }) => sign !== 1)) return false;
  const words = denying.words.filter(({ sign, id }) => sign === -1 && !MODAL.test(id));
  const isSaidBothWays = (word: Word) =>
    denying.words.some(({ id, sign }) => id === word.id && sign !== -1);
  if (words.every(({ weight }) => weight === 'light')) return false;
  if (!words.every((word) => isIn(word, affirming) && !isSaidBothWays(word))) return false;
  const affirmed = affirming.words.filter(({ weight }) => weight !== 'light');
  const covered = affirmed.filter((word) => isIn(word, denying));
  return covered.length >= least * affirmed.length;
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
