/**
 * The trash of a project's memory for people (T8): what lies in it and until when, putting it back,
 * emptying it. Each change is noted in the activity log.
 */
import { addActivity } from '../../clear/activity.ts';
import {
  goneOn,
  listTrash,
  removeForGood,
  restoreFromTrash,
  sizeOf,
  type TrashFile,
  type TrashSize,
} from '../../memory/tiers/trash.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import type { Places } from '../../platform/store/places.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { readSettings } from '../../settings/settings.ts';

export interface TrashRow extends Omit<TrashFile, 'path'> {
  /** The day on which it may be removed for good, `YYYY-MM-DD`. */
  goneOn: string;
}

/** Oldest first. */
export function trashRows(places: Places, memory: ProjectMemory): TrashRow[] {
  return listTrash(memory).map((file) => rowOf(file, retentionOf(places, memory).trashDays));
}

/** `taken`: those that stay in the trash, because there is another file of that name by now. */
export function restoreTrash(
  places: Places,
  memory: ProjectMemory,
  names: readonly string[] | undefined,
): { restored: TrashRow[]; taken: TrashRow[] } {
  const all = listTrash(memory);
  const isNamed = (name: string) => (file: TrashFile) => file.name === name || file.stem === name;
  const missing = names?.find((name) => !all.some(isNamed(name)));
  if (missing !== undefined)
    throw new ExpectedError(message('memory.notInTrash', { name: missing }));
  const wanted = all.filter((file) => names === undefined || names.some((n) => isNamed(n)(file)));
  const { restored, taken } = restoreFromTrash(memory, wanted);
  const { l1Days: days, trashDays } = retentionOf(places, memory);
  const note = days > 0 && { note: message('memory.trashKeptAgain', { days }) };
  noteFiles(places, memory, 'trashRestored', restored, note || {});
  const rows = (files: readonly TrashFile[]) => files.map((file) => rowOf(file, trashDays));
  return { restored: rows(restored), taken: rows(taken) };
}

/** Nothing brings them back. */
export function emptyTrash(places: Places, memory: ProjectMemory): TrashSize {
  const removed = removeForGood(memory, listTrash(memory));
  const note = message('memory.trashEmptied');
  noteFiles(places, memory, 'trashRemoved', removed, { note });
  return sizeOf(removed);
}

function rowOf({ path: _, ...file }: TrashFile, trashDays: number): TrashRow {
  return { ...file, goneOn: goneOn(file, trashDays) };
}

function retentionOf(places: Places, memory: ProjectMemory) {
  return readSettings(places, memory.root).settings.retention;
}

function noteFiles(
  places: Places,
  { root: project }: ProjectMemory,
  what: string,
  files: readonly TrashFile[],
  more: Pick<Parameters<typeof addActivity>[1][number], 'note'>,
): void {
  if (files.length > 0)
    addActivity(places, [{ what, figures: { ...sizeOf(files) }, project, ...more }]);
}
