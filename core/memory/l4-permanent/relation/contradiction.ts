/**
 * Finds why two statements cannot both hold (M11). A wrong conflict would hide a rule that still
 * holds, so all that is said besides the two values must agree.
 */
import type { Choice } from './lexicon.ts';
import { clash } from './quantities.ts';
import type { Statement, Word } from './statement.ts';
import { isIn, isTopic, partOf, sharesSubject } from './subject.ts';

/** "3000 → 8080", "required → optional", or undefined. */
export function contradiction(older: Statement, newer: Statement): string | undefined {
  const isAdded = older.isAdditive || newer.isAdditive;
  return (
    otherQuantity(older, newer) ??
    (isAdded ? undefined : (otherChoice(older, newer) ?? otherValue(older, newer))) ??
    denied(newer, older, older.isExclusive ? 1 : WITHDRAWN_SHARE, (words) => `${words} → not`) ??
    denied(older, newer, 1, (words) => `not → ${words}`)
  );
}

/** Port 3000 against port 8080. */
function otherQuantity(older: Statement, newer: Statement): string | undefined {
  const ofKind = ({ quantities }: Statement, kind: string) =>
    quantities.filter(({ dimension }) => dimension === kind);
  for (const before of older.quantities) {
    const [after, ...more] = ofKind(newer, before.dimension);
    const isOnly = more.length === 0 && ofKind(older, before.dimension).length === 1;
    if (after !== undefined && isOnly && clash(before, after) && sharesSubject(older, newer))
      return `${before.text} → ${after.text}`;
  }
  return undefined;
}

/** npm against pnpm, required against optional. */
function otherChoice(older: Statement, newer: Statement): string | undefined {
  for (const kind of new Set(older.words.flatMap(({ choices }) => choices.map(({ of }) => of)))) {
    const [before, after] = [chosenIn(older, kind), chosenIn(newer, kind)];
    if (before === undefined || after === undefined) continue;
    if (before.member === after.member || before.word.id === after.word.id) continue;
    const isValue = (word: Word) => word.choices.some(({ of }) => of === kind);
    if (sharesSubject(older, newer, isValue, before))
      return `${before.word.text} → ${after.word.text}`;
  }
  return undefined;
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
function otherValue(older: Statement, newer: Statement): string | undefined {
  const [before, after] = [valueIn(older, newer), valueIn(newer, older)];
  const [first, second] = [before[0], after[0]];
  if (first === undefined || second === undefined) return undefined;
  const [part, otherPart] = [partOf(first, older), partOf(second, newer)];
  // "The mail server is X", "We use Y as the mail server".
  const isNamed = first.isName && second.isName && /^(?:is by|by is)$/.test(`${part} ${otherPart}`);
  const isAlternative = isNamed || (part === otherPart && SLOT.test(part));
  // Two known choices of different kinds can both be made.
  if (!isAlternative || (first.choices.length > 0 && second.choices.length > 0)) return undefined;
  return sharesSubject(older, newer, (word) => before.includes(word) || after.includes(word))
    ? `${textOf(before)} → ${textOf(after)}`
    : undefined;
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

function textOf(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(' ');
}

/** "no longer allowed": what is denied is the rest of the sentence. */
const MODAL = /^(?:allow|permit|accept|support|possibl|abl|availabl|허용|가능|지원|수)$/;
/**
 * The share of what was affirmed that its denial must speak of. Lifting a prohibition takes all of
 * it: what to do in its stead is said in the same words.
 */
const WITHDRAWN_SHARE = 0.5;

/** One denies what the other affirms. */
function denied(
  denying: Statement,
  affirming: Statement,
  least: number,
  reason: (words: string) => string,
): string | undefined {
  if (affirming.words.some(({ sign }) => sign !== 1)) return undefined;
  const words = denying.words.filter(({ sign, id }) => sign === -1 && !MODAL.test(id));
  const isSaidBothWays = (word: Word) =>
    denying.words.some(({ id, sign }) => id === word.id && sign !== -1);
  if (words.every(({ weight }) => weight === 'light')) return undefined;
  if (!words.every((word) => isIn(word, affirming) && !isSaidBothWays(word))) return undefined;
  const affirmed = affirming.words.filter(({ weight }) => weight !== 'light');
  const covered = affirmed.filter((word) => isIn(word, denying));
  return covered.length >= least * affirmed.length ? reason(textOf(words)) : undefined;
}
