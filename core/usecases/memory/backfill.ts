/**
 * Past conversations (L1d) as hosts ask for them: what an import would bring, the import itself with
 * its progress, cancel and undo. Nothing of it happens by itself.
 */
import { SessionRegistry } from '../../claude/sessions/registry.ts';
import { addActivity } from '../../clear/activity.ts';
import {
  type BackfillChoice,
  hasInterruptedUndo,
  requestCancel,
  unfinishedBackfill,
} from '../../memory/backfill/backfill-record.ts';
import { type BackfillPreview, previewBackfill } from '../../memory/backfill/preview-backfill.ts';
import {
  type BackfillProgress,
  type BackfillResult,
  runBackfill,
} from '../../memory/backfill/run-backfill.ts';
import { type BackfillUndone, undoBackfill } from '../../memory/backfill/undo-backfill.ts';
import { compress } from '../../memory/tiers/compress.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { type MessageCode, message } from '../../messages/message.ts';
import { isAlive } from '../../platform/store/owner.ts';
import type { Places } from '../../platform/store/places.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { readSettings } from '../../settings/settings.ts';
import { noteRetention } from '../hooks/note-retention.ts';
import type { System } from './memory-context.ts';

/** There may be hundreds of sessions a second. */
const REPORT_INTERVAL_MS = 100;

export function preview(
  { places, env }: System,
  choice: BackfillChoice,
  live?: ReadonlySet<string>,
): BackfillPreview {
  return previewBackfill(places, env, checked(choice), live);
}

export async function importPast(
  { places, env }: System,
  choice: BackfillChoice,
  {
    onProgress,
    askedAt = Date.now(),
  }: { onProgress: (progress: BackfillProgress) => void; askedAt?: number | undefined },
): Promise<BackfillResult> {
  checked(choice);
  // What was half taken back would count as imported.
  if (hasInterruptedUndo(places)) undoImport(places);
  const result = await runBackfill({
    places,
    env,
    choice,
    askedAt,
    live: await liveSessions(places),
    onProgress: atIntervals(onProgress),
    afterProject: (memory) => tidy(places, memory),
  });
  for (const { root, sessions } of result.projects)
    note(places, 'backfill.imported', root, sessions);
  return result;
}

/** What an unfinished import was begun with, so that going on brings nothing that was left out. */
export function choiceToGoOn(places: Places, otherwise: BackfillChoice): BackfillChoice {
  return unfinishedBackfill(places)?.choice ?? otherwise;
}

/** Also of an import that was asked for and has not begun. */
export function cancelImport(places: Places): void {
  requestCancel(places);
}

export function undoImport(places: Places): BackfillUndone {
  const undone = undoBackfill(places);
  for (const { root, sessions } of undone.projects) note(places, 'backfill.undone', root, sessions);
  return undone;
}

function note(
  places: Places,
  code: Extract<MessageCode, 'backfill.imported' | 'backfill.undone'>,
  project: string,
  count: number,
): void {
  if (count > 0) addActivity(places, [{ what: 'note', note: message(code, { count }), project }]);
}

/** Session summaries and tiers at once, and L1 packed: the next session would wait for it. */
function tidy(places: Places, memory: ProjectMemory): void {
  const { settings } = readSettings(places, memory.root);
  const { retention } = compress(memory, settings);
  noteRetention({ places, memory, settings }, retention);
}

function checked(choice: BackfillChoice): BackfillChoice {
  const { since } = choice;
  if (since !== undefined && Number.isNaN(Date.parse(since)))
    throw new ExpectedError(message('backfill.badDate', { text: since }));
  return choice;
}

/** What runs now is not over; its hooks, or the next import, save the rest. */
export async function liveSessions({ claude }: Places): Promise<ReadonlySet<string>> {
  const { sessions } = await new SessionRegistry(claude).read();
  return new Set(sessions.filter(({ pid }) => isAlive(pid)).map(({ sessionId }) => sessionId));
}

function atIntervals(
  onProgress: (progress: BackfillProgress) => void,
): (progress: BackfillProgress) => void {
  let reportedAt = 0;
  return (progress) => {
    if (!progress.isOver && Date.now() - reportedAt < REPORT_INTERVAL_MS) return;
    reportedAt = Date.now();
    onProgress(progress);
  };
}
