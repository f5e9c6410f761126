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

function clearHeadline(
  { outcome, savedEntries, way, seconds, given }: ClearEntry,
  project: string,
): string {
  const parts = savedEntries === null ? [] : [t('activity.saved', { count: savedEntries })];
  if (outcome === 'running') parts.push(t('activity.clearing', { project }));
  else if (outcome !== 'restored') parts.push(t(`activity.${outcome}`, { project }));
  else {
    const how = [
      way,
      seconds === null
        ? null
        : t('activity.seconds', { seconds: number(Math.round(seconds * 10) / 10) }),
    ];
    const known = how.filter((part) => part !== null).join(', ');
    parts.push(
      known === ''
        ? t('activity.cleared', { project })
        : t('activity.clearedHow', { project, how: known }),
    );
  }
  if (given !== null) parts.push(restoredText(given));
  return parts.join(' · ');
}

function restoredText({ figures }: ActivityRow): string {
  const { characters = 0, limit } = figures;
  if (characters === 0) return t('activity.restoredNothing');
  return limit === undefined
    ? t('activity.restoredPlain', { characters })
    : t('activity.restored', { characters, limit });
}

export function givenText({ figures }: ActivityRow): string {
  const { characters, limit } = figures;
  if (characters === undefined || limit === undefined) return t('activity.givenPlain');
  if (characters === 0) return t('activity.givenNothing');
  return t('activity.given', { characters, limit });
}

function singleHeadline(row: ActivityRow): string {
  const { what, figures } = row;
  switch (what) {
    case 'saved':
      return figures.entries === undefined
        ? t('activity.savedPlain')
        : t('activity.saved', { count: figures.entries });
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

export function stepName(what: string): string {
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
