/**
 * The trash of a project's memory (T8): what retention takes out of `sessions/` lies for a grace
 * period in `trash/<the day it went>/` beside it, where nothing else looks, and can be put back.
 * Each file goes by one rename, so a kill at any step loses nothing. Only files that have the names
 * of ours are ever listed, put back or removed.
 */
import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { type DocumentKind, readDocument, updateDocument } from '../../platform/store/document.ts';
import { moveFile, removeEmptyFolder, removeFile } from '../../platform/store/file-changes.ts';
import { sweepLeftovers, withLock } from '../../platform/store/lock.ts';
import { dayStamp } from '../../platform/text/stamp.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import type { Settings } from '../../settings/settings.ts';

export interface TrashFile {
  /** As it was in `sessions/`: `2026-11-02_0900.l1.jsonl.gz`, `raw/2026-11-02_0900.jsonl.gz`. */
  name: string;
  /** The session that it belongs to: `2026-11-02_0900`. */
  stem: string;
  isRawCopy: boolean;
  bytes: number;
  /** The day it went, `YYYY-MM-DD`. */
  wentOn: string;
  path: string;
}

export interface TrashSize {
  files: number;
  bytes: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const NAME = /^(?:raw\/)?([\w-]+)\.(?:l1\.jsonl(?:\.gz)?|jsonl\.gz)$/;
/** `2026-12-01-2` if a file of the same name went on the same day. */
const DAY_FOLDER = /^(\d{4}-\d{2}-\d{2})(?:-\d+)?$/;
const GITIGNORE = '# Memory Keeper: what was said in this project stays on this machine.\n*\n';

/** When each session was put back: it is kept as if it had been spoken in then. */
const Restored = v.looseObject({ sessions: v.fallback(v.record(v.string(), v.string()), {}) });
const restoredFile: DocumentKind<v.InferOutput<typeof Restored>> = {
  version: 1,
  schema: Restored,
  empty: () => ({ sessions: {} }),
};

/** Neither search nor export nor tiers look here. In the same file system as `sessions/`. */
export function trashFolder({ sessions }: Pick<ProjectMemory, 'sessions'>): string {
  return join(dirname(sessions), 'trash');
}

/** Oldest first. */
export function listTrash(memory: ProjectMemory): TrashFile[] {
  const trash = trashFolder(memory);
  return foldersIn(trash)
    .flatMap(({ name }) => filesIn(join(trash, name), DAY_FOLDER.exec(name)?.[1]))
    .sort((one, other) => (one.wentOn + one.name < other.wentOn + other.name ? -1 : 1));
}

/** The first day on which a file may be removed for good: it was there for all of its days. */
export function goneOn({ wentOn }: Pick<TrashFile, 'wentOn'>, trashDays: number): string {
  const noon = new Date(`${wentOn}T12:00:00`); // far from midnight, whatever the clocks do
  return dayStamp(new Date(noon.getTime() + (trashDays + 1) * DAY_MS));
}

/** `name`: of a file in `sessions/`, with `raw/` for a raw copy. */
export function moveToTrash(memory: ProjectMemory, name: string, now: Date): TrashFile {
  const trash = trashFolder(memory);
  const ignored = join(trash, '.gitignore');
  if (!existsSync(ignored)) writeFileAtomic(ignored, GITIGNORE);
  const wentOn = dayStamp(now);
  let path = join(trash, wentOn, name);
  for (let n = 2; existsSync(path); n++) path = join(trash, `${wentOn}-${n}`, name);
  moveFile(join(memory.sessions, name), path);
  return trashFile(path, name, wentOn);
}

/** Puts files back under their names. One whose name was taken meanwhile stays in the trash. */
export function restoreFromTrash(
  memory: ProjectMemory,
  files: readonly TrashFile[],
  now = new Date(),
): { restored: TrashFile[]; taken: TrashFile[] } {
  const isTaken = ({ name }: TrashFile) => existsSync(join(memory.sessions, name));
  const [restored, taken]: [TrashFile[], TrashFile[]] = [[], []];
  // Marked first: a file that came back without its mark would be trashed again the next day.
  markRestored(memory, files, now);
  for (const file of files)
    withLock(memory.index, () => {
      if (isTaken(file)) return taken.push(file);
      moveFile(file.path, join(memory.sessions, file.name));
      return restored.push(file);
    });
  removeEmptyFolders(memory);
  return { restored, taken };
}

/** By session. */
export function restoredAt(memory: ProjectMemory): Readonly<Record<string, string>> {
  const reading = readDocument(restoredPath(memory), restoredFile);
  return reading.state === 'ok' ? reading.value.sessions : {};
}

/** Removes what has been in the trash for long enough, and marks that keep nothing any more. */
export function sweepTrash(
  memory: ProjectMemory,
  now: Date,
  { l1Days, trashDays }: Settings['retention'],
): TrashFile[] {
  if (!existsSync(trashFolder(memory))) return [];
  const today = dayStamp(now);
  const removed = removeForGood(
    memory,
    listTrash(memory).filter((file) => goneOn(file, trashDays) <= today),
  );
  const isSpent = (at: string) => now.getTime() - Date.parse(at) > l1Days * DAY_MS;
  if (l1Days > 0) dropMarks(memory, isSpent);
  sweepLeftovers(trashFolder(memory));
  return removed;
}

export function removeForGood(memory: ProjectMemory, files: readonly TrashFile[]): TrashFile[] {
  for (const { path } of files) removeFile(path);
  removeEmptyFolders(memory);
  return [...files];
}

export function sizeOf(files: readonly TrashFile[]): TrashSize {
  return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
}

function filesIn(folder: string, wentOn: string | undefined): TrashFile[] {
  if (wentOn === undefined) return [];
  const named = (prefix: string) =>
    entriesIn(join(folder, prefix))
      .filter((entry) => entry.isFile() && NAME.test(prefix + entry.name))
      .map((entry) => prefix + entry.name);
  const names = [...named(''), ...named('raw/')];
  return names.map((name) => trashFile(join(folder, name), name, wentOn));
}

function trashFile(path: string, name: string, wentOn: string): TrashFile {
  const [, stem = ''] = NAME.exec(name) ?? [];
  const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0; // restored just now
  return { name, stem, isRawCopy: name.startsWith('raw/'), bytes, wentOn, path };
}

function foldersIn(trash: string): Dirent[] {
  return entriesIn(trash).filter((entry) => entry.isDirectory() && DAY_FOLDER.test(entry.name));
}

function entriesIn(folder: string): Dirent[] {
  return attempt(() => readdirSync(folder, { withFileTypes: true }), []);
}

function removeEmptyFolders(memory: ProjectMemory): void {
  const trash = trashFolder(memory);
  for (const { name } of foldersIn(trash))
    for (const folder of [join(trash, name, 'raw'), join(trash, name)]) removeEmptyFolder(folder);
}

function restoredPath(memory: ProjectMemory): string {
  return join(trashFolder(memory), 'restored.json');
}

function markRestored(memory: ProjectMemory, files: readonly TrashFile[], now: Date): void {
  if (files.length === 0) return;
  const marks = Object.fromEntries(files.map(({ stem }) => [stem, now.toISOString()]));
  updateDocument(restoredPath(memory), restoredFile, (file) => ({
    ...file,
    sessions: { ...file.sessions, ...marks },
  }));
}

function dropMarks(memory: ProjectMemory, isSpent: (at: string) => boolean): void {
  const isKept = ([, at]: [string, string]) => !isSpent(at);
  if (Object.entries(restoredAt(memory)).every(isKept)) return;
  updateDocument(restoredPath(memory), restoredFile, (file) => ({
    ...file,
    sessions: Object.fromEntries(Object.entries(file.sessions).filter(isKept)),
  }));
}
