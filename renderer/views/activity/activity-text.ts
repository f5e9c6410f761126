/**
 * Activity in words: the headline of an entry, the name of a step. Figures come from the rows;
 * reasons are the engine's.
 */
import type { ActivityRow } from '../../../core/usecases/contract.ts';
import { number, t } from '../../locale/locale.ts';
import { messageText } from '../../locale/message-text.ts';
import type { ClearEntry, Entry } from './clear-groups.ts';

export function headline(entry: Entry, project: string): string {
  return entry.kind === 'clear' ? clearHeadline(entry, project) : singleHeadline(entry.row);
}

const CLEAR_WORDS = {
  running: 'activity.clearing',
  cancelled: 'activity.cancelled',
  failed: 'activity.failed',
  restored: 'activity.cleared',
} as const;

const COMPACTION_WORDS = {
  running: 'activity.compacting',
  cancelled: 'activity.compactCancelled',
  failed: 'activity.compactFailed',
  restored: 'activity.wasCompacted',
} as const;

/** What came of it stands in the engine's words, which are the same everywhere (K9). */
function clearHeadline(
  { outcome, isSaved, way, seconds, note, isCompaction }: ClearEntry,
  project: string,
): string {
  const what = isCompaction ? COMPACTION_WORDS : CLEAR_WORDS;
  if (outcome === 'restored') {
    const words = note === null ? t(what.restored) : messageText(note);
    const took =
      seconds === null
        ? null
        : t('activity.seconds', { seconds: number(Math.round(seconds * 10) / 10) });
    const how = [way, took].filter((part) => part !== null).join(', ');
    const parts = [t('activity.ofProject', { project, outcome: words }), how];
    return parts.filter((part) => part !== '').join(' · ');
  }
  const saved = isSaved ? [t('activity.savedPlain')] : [];
  return [...saved, t(what[outcome], { project })].join(' · ');
}

export function givenText({ figures }: ActivityRow): string {
  const { characters } = figures;
  if (characters === undefined) return t('activity.givenPlain');
  return characters === 0 ? t('activity.givenNothing') : t('activity.given', { characters });
}

/** Where every reply was saved as it came, nothing is left to save. */
export function savedText({ figures }: ActivityRow): string {
  const { entries } = figures;
  if (entries === undefined) return t('activity.savedPlain');
  return entries === 0 ? t('activity.savedAlready') : t('activity.saved', { count: entries });
}

function singleHeadline(row: ActivityRow): string {
  const { what, figures } = row;
  switch (what) {
    case 'saved':
      return savedText(row);
    case 'given':
      return givenText(row);
    case 'facts':
      return t('activity.facts', { count: figures.facts ?? 0 });
    case 'compacted':
      return t('activity.compacted', { characters: figures.characters ?? 0 });
    case 'trashed':
    case 'trashRemoved':
    case 'trashRestored':
      return t(`activity.${what}`, { count: figures.files ?? 0 });
    case 'refused':
    case 'delta':
    case 'compress':
    case 'rotation':
    case 'edit':
    case 'note':
      return t(`activity.${what}`);
    default:
      return what;
  }
}

const STEP_NAMES = [
  'detected',
  'countdown',
  'waiting',
  'saving',
  'saved',
  'rechecking',
  'delivering',
  'verifying',
  'restored',
  'cancelled',
  'failed',
  'given',
] as const;

export function stepName({ what, method }: Pick<ActivityRow, 'what' | 'method'>): string {
  if (what === 'delivering' && method === 'compact') return t('activity.step_compacting');
  const known = STEP_NAMES.find((name) => name === what);
  return known === undefined ? what : t(`activity.step_${known}`);
}

/**
 * What the engine says is put into the user's language; what a model or the user wrote stays as it
 * is.
 */
export function noteOf({ what, note }: ActivityRow): string | null {
  if (typeof note === 'string' && (what === 'delta' || what === 'rotation')) return note;
  return note === null ? null : messageText(note);
}
