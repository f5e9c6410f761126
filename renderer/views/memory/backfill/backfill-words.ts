/**
 * Figures of an import of past conversations in words (L1d), and what the window shows of it at the
 * moment. Plain data come in, texts go out.
 */
import type {
  BackfillPreview,
  BackfillProgress,
  BackfillProject,
  BackfillRecord,
  BackfillResult,
} from '../../../../core/usecases/contract.ts';
import { date, fileSize, t } from '../../../locale/locale.ts';
import type { BackfillChoice } from './backfill-memo.ts';
import type { BackfillState } from './backfill-store.ts';

/** Whoever has set more wants to keep them for good. */
const FOREVER_DAYS = 3650;

export interface Totals {
  sessions: number;
  projects: number;
  bytes: number;
  diskBytes: number;
}

export function totalsOf(
  projects: readonly BackfillProject[],
  leftOut: ReadonlySet<string>,
): Totals {
  const totals: Totals = { sessions: 0, projects: 0, bytes: 0, diskBytes: 0 };
  for (const { root, sessions, bytes, diskBytes } of projects) {
    if (leftOut.has(root)) continue;
    totals.sessions += sessions;
    totals.projects++;
    totals.bytes += bytes;
    totals.diskBytes += diskBytes;
  }
  return totals;
}

/** The projects are named that were seen and wanted: one that turns up later was not chosen. */
export function choiceOf(
  projects: readonly BackfillProject[],
  leftOut: ReadonlySet<string>,
  day: string,
): BackfillChoice {
  const chosen = projects.map(({ root }) => root).filter((root) => !leftOut.has(root));
  return {
    ...(chosen.length < projects.length && { only: chosen }),
    ...(day !== '' && { since: startOfDay(day) }),
  };
}

/** `2026-05-12` is a day of the user's, wherever that is. */
export function startOfDay(day: string): string {
  return new Date(`${day}T00:00:00`).toISOString();
}

/** The day of a `since`, as a field for dates has it. */
export function dayOf(since: string): string {
  const at = new Date(since);
  if (Number.isNaN(at.getTime())) return '';
  const two = (value: number) => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Those that no hook is keeping already. */
function waitingIn({ sessions, running }: BackfillPreview): number {
  return Math.max(0, sessions - running);
}

/** On the first page only until something was imported; in Memory whenever something waits. */
export function isOffered(
  { preview, progress, result, isUndoing, isPutAway }: BackfillState,
  place: 'first' | 'memory',
): boolean {
  if (preview === null || progress !== null || result !== null || isUndoing || isPutAway)
    return false;
  const { unfinished, undoable } = preview;
  if (unfinished?.state === 'running' || waitingIn(preview) === 0) return false;
  return place === 'memory' || undoable === null || unfinished !== null;
}

export type BannerKind = 'undoing' | 'running' | 'over' | 'elsewhere';

/** What stands at the foot of the window; undefined: nothing. */
export function bannerOf({
  preview,
  progress,
  result,
  isUndoing,
}: BackfillState): BannerKind | undefined {
  if (isUndoing) return 'undoing';
  if (progress !== null) return 'running';
  if (result !== null) return 'over';
  return preview?.unfinished?.state === 'running' ? 'elsewhere' : undefined;
}

export function offerTitle(preview: BackfillPreview): string {
  return isUnfinished(preview)
    ? t('backfill.resumeTitle')
    : t('backfill.offerTitle', { count: preview.sessions });
}

export function offerText(preview: BackfillPreview, now: Date): string {
  const { sessions, projects, oldest, newest } = preview;
  const limit = limitWords(preview);
  const key = isUnfinished(preview) ? 'resumeText' : 'offerText';
  const values = {
    conversations: conversations(sessions),
    projects: projectCount(projects.length),
    days: daysText(oldest ?? '', newest ?? '', now),
  };
  return limit === undefined
    ? t(`backfill.${key}Forever`, values)
    : t(`backfill.${key}`, { ...values, limit });
}

/** "30 days", after which Claude Code deletes transcripts; undefined if it never does. */
export function limitWords({
  transcriptDays: { days },
}: Pick<BackfillPreview, 'transcriptDays'>): string | undefined {
  return days > FOREVER_DAYS ? undefined : t('backfill.limit', { count: days });
}

/** Cancelled, or its process ended. */
export function isUnfinished({ unfinished }: BackfillPreview): boolean {
  return unfinished !== null && unfinished.state !== 'running';
}

/** Something was imported, and nobody has taken it back; one that was killed does not know how much. */
export function canUndo(preview: BackfillPreview | null): boolean {
  const undoable = preview?.undoable ?? null;
  return undoable !== null && undoable.state !== 'running';
}

/** What an undo would take back. One that did not end has noted more than it has imported. */
export function undoText(undoable: BackfillRecord | null): string {
  if (undoable?.state !== 'done') return t('backfill.undoTextUnfinished');
  return t('backfill.undoText', {
    conversations: conversations(undoable.sessions),
    projects: projectCount(undoable.projects),
  });
}

export function conversations(count: number): string {
  return t('backfill.conversations', { count });
}

export function projectCount(count: number): string {
  return t('backfill.projects', { count });
}

/** "May 12, 2026 to today"; one day alone is said once. */
export function daysText(oldest: string, newest: string, now: Date): string {
  const [from, to] = [oldest, newest].map((time) => dayText(time, now));
  if (from === undefined || to === undefined) return '';
  return from === to ? from : t('backfill.fromTo', { from, to });
}

/** The engine's times are from transcripts, where anything may stand. */
function dayText(time: string, now: Date): string | undefined {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return undefined;
  return at.toDateString() === now.toDateString() ? t('backfill.today') : date(at);
}

export function totalsText({ sessions, projects, bytes, diskBytes }: Totals): string {
  if (projects === 0) return t('backfill.nothingChosen');
  return t('backfill.totals', {
    conversations: conversations(sessions),
    projects: projectCount(projects),
    bytes: fileSize(bytes),
    disk: fileSize(diskBytes),
  });
}

export function progressText(progress: BackfillProgress): string {
  const { sessionsDone, sessionsTotal, bytesDone, bytesTotal } = progress;
  if (sessionsTotal === 0) return t('backfill.preparing');
  return [
    t('backfill.progress', { done: sessionsDone, count: sessionsTotal }),
    t('backfill.bytes', { done: fileSize(bytesDone), total: fileSize(bytesTotal) }),
  ].join(' · ');
}

export function resultText({ state, sessions, left, l1Bytes }: BackfillResult): string {
  if (state !== 'done') return t(`backfill.${state}`, { count: sessions, left });
  return sessions === 0
    ? t('backfill.doneNone')
    : t('backfill.done', { count: sessions, size: fileSize(l1Bytes) });
}

const NOT_LISTED = ['kept', 'programs', 'subagents', 'empty', 'unreadable', 'tooOld'] as const;

/** Empty if everything is in the list. */
export function notListedText({ passedOver }: BackfillPreview): string {
  const parts = NOT_LISTED.filter((why) => passedOver[why] > 0).map((why) =>
    t(`backfill.notListed_${why}`, { count: passedOver[why] }),
  );
  return parts.length === 0 ? '' : t('backfill.notListed', { parts: parts.join(', ') });
}
