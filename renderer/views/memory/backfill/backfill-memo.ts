/**
 * What the window remembers of the import until the next time (L1d): that the offer was put away,
 * and which projects an import was begun with, so that one that goes on after a crash brings nothing
 * that the user had left out.
 */
import type { Arguments, BackfillPreview } from '../../../../core/usecases/contract.ts';
import type { Memo } from '../../../store/app-store.ts';

export type BackfillChoice = Pick<Arguments<'backfill.run'>, 'only' | 'except' | 'since'>;

const PUT_AWAY_KEY = 'memory-keeper-backfill-put-away';
const CHOICE_KEY = 'memory-keeper-backfill-choice';

export function isPutAway(memo: Memo): boolean {
  return memo.getItem(PUT_AWAY_KEY) !== null;
}

export function putAway(memo: Memo): void {
  memo.setItem(PUT_AWAY_KEY, new Date().toISOString());
}

export function keepChoice(memo: Memo, choice: BackfillChoice): void {
  memo.setItem(CHOICE_KEY, JSON.stringify(choice));
}

export function forgetChoice(memo: Memo): void {
  memo.removeItem(CHOICE_KEY);
}

/** Undefined: this window has begun none, or what it kept cannot be read. */
export function keptChoice(memo: Memo): BackfillChoice | undefined {
  try {
    const kept: unknown = JSON.parse(memo.getItem(CHOICE_KEY) ?? 'null');
    return isChoice(kept) ? kept : undefined;
  } catch {
    return undefined; // then the user is asked again
  }
}

/** What an unfinished import goes on with: whoever began it, its record says so. */
export function choiceToGoOn(
  preview: BackfillPreview | null,
  memo: Memo,
): BackfillChoice | undefined {
  const choice = preview?.unfinished?.choice;
  if (choice === undefined) return keptChoice(memo); // an earlier version began it
  return { ...choice, only: [...choice.only], except: [...choice.except] };
}

function isChoice(value: unknown): value is BackfillChoice {
  if (typeof value !== 'object' || value === null) return false;
  const { only = [], except = [], since = '' } = value as BackfillChoice;
  const isList = (roots: unknown) =>
    Array.isArray(roots) && roots.every((root) => typeof root === 'string');
  return isList(only) && isList(except) && typeof since === 'string';
}
