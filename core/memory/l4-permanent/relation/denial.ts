/**
 * Decides whether one statement denies what the other affirms (M11), with the reason: "class
 * components → not". Denying a part, a manner or a detail of it does not count, nor does saying the
 * same the other way round.
 */
import type { Statement, Word } from './statement.ts';
import { isIn, isSame, membersOf, modifiers } from './subject.ts';

export function denial(older: Statement, newer: Statement): string | undefined {
  return deniedIn(older, newer, WITHDRAWN) ?? deniedIn(newer, older, PERMITTED);
}

interface Denial {
  /**
   * The share of what is denied that the other one must affirm, and of what is affirmed that must
   * be spoken of.
   */
  denied: number;
  affirmed: number;
  reason: (words: string) => string;
}

const WITHDRAWN: Denial = { denied: 0.6, affirmed: 0.5, reason: (words) => `${words} → not` };
/**
 * A prohibition is mostly followed by what to do in its stead, in the same words: it takes more to
 * lift it.
 */
const PERMITTED: Denial = { denied: 0.75, affirmed: 0.67, reason: (words) => `not → ${words}` };
/** Verbs that say no more than that there is such a thing. */
const GENERIC =
  /^(?:use|default|must|allow|may|belong|liv|stor|sav|keep|kept|put|go|plac|쓰|사용|허용|두|넣|하)$/;
const MANNER = /^(?:direct|함부로|무단|임의|마음대로|멋대로|blind|silent|careless)/;
/** A long statement may say more than what is denied. */
const MAX_WEIGHT = 6;

/** What one affirms, the other denies. */
function deniedIn(affirming: Statement, denying: Statement, denial: Denial): string | undefined {
  const affirmed = affirming.content.filter(
    ({ sign, isSubordinate }) => sign === 1 && !isSubordinate,
  );
  for (const run of deniedRuns(denying)) {
    const shared = run.filter((word) => isAffirmed(word, affirmed));
    if (shared.length === 0 || shared.length / run.length < denial.denied) continue;
    if (!isSpokenOf(shared, run, affirmed, affirming, denying, denial.affirmed)) continue;
    if (!affirming.isUniversal && (isNarrower(run, shared, affirmed) || isOfOther(run, shared)))
      continue;
    if (
      isLimited(run, shared) ||
      isOtherWayRound(affirming, denying) ||
      isSaidBothWays(shared, affirming, denying)
    )
      continue;
    if (!areOfOtherScope(affirming, denying, shared))
      return denial.reason(shared.map(({ text }) => text).join(' '));
  }
  return undefined;
}

/** Whether the denial is about what is affirmed, and not about some detail of it. */
function isSpokenOf(
  shared: readonly Word[],
  run: readonly Word[],
  affirmed: readonly Word[],
  affirming: Statement,
  denying: Statement,
  least: number,
): boolean {
  const context = denying.full.filter((word) => !run.includes(word) && isIn(word, affirming));
  const weight = weightOf(shared) + weightOf(context);
  const isEnough =
    shared.length > 1 ||
    context.length > 0 ||
    isReplaced(shared, denying) ||
    isInstead(shared, affirming);
  if (!isEnough && !isBlanket(denying, shared, affirming)) return false;
  return weight / Math.min(weightOf(affirmed), MAX_WEIGHT) >= least;
}

/** "X instead of Y" where Y was not what the other is about, but what it chose. */
function isInstead(shared: readonly Word[], affirming: Statement): boolean {
  const first = affirming.full[0]?.phrase;
  const [word] = shared;
  return (
    word !== undefined &&
    !word.isInClause &&
    affirming.full.some((other) => isSame(word, other) && other.phrase !== first)
  );
}

/** "영구 삭제 대신 휴지통": what stands in its stead is told. */
function isReplaced(shared: readonly Word[], denying: Statement): boolean {
  const categories = shared.flatMap(({ members }) => members.map(({ category }) => category));
  const isOpposed = ({ poles }: Word) =>
    poles.some(({ axis, side }) =>
      denying.words.some((word) => isOn(word, axis, side === 0 ? 1 : 0)),
    );
  return (
    shared.some(isOpposed) ||
    categories.some((category) => !category.isScope && membersOf(denying.words, category).size > 1)
  );
}

/** "not directly", "not by hand": only this manner is denied. */
function isLimited(run: readonly Word[], shared: readonly Word[]): boolean {
  return run.some(
    (word) => (word.poles.length > 0 || MANNER.test(word.id)) && !shared.includes(word),
  );
}

function isSaidBothWays(
  shared: readonly Word[],
  affirming: Statement,
  denying: Statement,
): boolean {
  const has = (statement: Statement, isWanted: (sign: number) => boolean) =>
    statement.full.some(({ sign, id }) => isWanted(sign) && shared.some((word) => word.id === id));
  return has(affirming, (sign) => sign !== 1) || has(denying, (sign) => sign === 1);
}

/** "No retries." against "Failed calls are retried." */
function isBlanket(denying: Statement, shared: readonly Word[], affirming: Statement): boolean {
  if (!shared.every(({ isWeak, isInClause }) => isInClause && !isWeak)) return false;
  const affirmed = affirming.full.filter(({ sign }) => sign === 1);
  const isDone = affirmed.some(
    (word) => word.isPredicate && shared.some((denied) => isSame(denied, word)),
  );
  const isSaid = (id: string) => GENERIC.test(id) || affirming.words.some((word) => word.id === id);
  const isUse = denying.words.every(({ sign, isFull, id }) => isFull || sign !== -1 || isSaid(id));
  return isDone || (isUse && affirmed.length <= 2);
}

/** A phrase is affirmed where all of it is. */
function isAffirmed(word: Word, affirmed: readonly Word[]): boolean {
  const ids = (id: string) => affirmed.some((other) => other.id === id || other.parts.includes(id));
  return ids(word.id) || (word.parts.length > 1 && word.parts.every(ids));
}

/** "not shown" and "hidden" say the same. */
function isOtherWayRound(affirming: Statement, denying: Statement): boolean {
  return denying.words.some(
    (word) =>
      word.sign === -1 &&
      word.poles.some(({ axis, side }) =>
        affirming.words.some((other) => isOn(other, axis, side === 0 ? 1 : 0)),
      ),
  );
}

function isOn(word: Word, axis: number, side: 0 | 1): boolean {
  return word.sign === 1 && word.poles.some((pole) => pole.axis === axis && pole.side === side);
}

/** A phrase counts as the words that it consists of. */
function weightOf(words: readonly Word[]): number {
  return words.reduce((sum, { parts }) => sum + Math.max(1, parts.length), 0);
}

function deniedRuns(statement: Statement): Word[][] {
  const runs: Word[][] = [];
  let last: Word | undefined;
  for (const word of statement.content) {
    if (word.sign === -1) {
      if (last?.sign !== -1) runs.push([]);
      runs.at(-1)?.push(word);
    }
    last = word;
  }
  return runs;
}

/** The denial begins with something that is not spoken of: "결제가 실패하면 …". */
function isOfOther(run: readonly Word[], shared: readonly Word[]): boolean {
  const [first] = run;
  return first !== undefined && first.tail !== '' && !shared.includes(first);
}

/** "no POST requests" leaves "requests" as they are. */
function isNarrower(
  run: readonly Word[],
  shared: readonly Word[],
  affirmed: readonly Word[],
): boolean {
  return shared.some((word) => {
    const before = modifiers(word, run).filter((modifier) => !shared.includes(modifier));
    const other = affirmed.find((candidate) => isSame(candidate, word));
    return (
      before.length > 0 &&
      other !== undefined &&
      !before.every((modifier) => modifiers(other, affirmed).some((m) => isSame(m, modifier)))
    );
  });
}

function areOfOtherScope(a: Statement, b: Statement, shared: readonly Word[]): boolean {
  return a.full.some((word) =>
    word.members.some(({ category, member }) => {
      if (!category.isScope || shared.some(({ id }) => id === word.id)) return false;
      const others = membersOf(b.full, category);
      return others.size > 0 && !others.has(member);
    }),
  );
}
