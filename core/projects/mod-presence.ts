/**
 * Tells whether the mod runs in a Claude Code process (M16): then it asks models itself, and the
 * session's own agents do not. Each time the mod runs, it leaves a mark named after the process id.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { linuxStartTime } from '../platform/process/linux.ts';
import { writeFileAtomic } from '../platform/store/atomic-write.ts';
import { removeFilesOlderThan } from '../platform/store/file-changes.ts';
import type { Places } from '../platform/store/places.ts';
import { readSmallFile } from '../platform/store/read-file.ts';

/** For a mark without a start time: a longer silence may mean another process with the same id. */
const PRESENT_MS = 24 * 60 * 60 * 1000;
const KEEP_MS = 30 * 24 * 60 * 60 * 1000;
const MAX_MARK_BYTES = 1024;

export const modsFolder = (places: Places): string => join(places.home, 'mods');
export const modMarkPath = (places: Places, claudePid: string): string =>
  join(modsFolder(places), claudePid);

export function markModPresent(places: Places, claudePid: string): void {
  const folder = modsFolder(places);
  const mark = linuxStartTime(Number(claudePid)) ?? '';
  writeFileAtomic(join(folder, claudePid), mark, { durable: false });
  removeFilesOlderThan(folder, KEEP_MS, (name) => !isModPresent(places, name));
}

/**
 * The start time of the process in which the mod runs; empty where it is not known, undefined if
 * the mod was not seen. Once seen in a process, the mod listens for as long as the process lives.
 */
export function modMark(places: Places, claudePid: string): string | undefined {
  if (claudePid === '') return undefined;
  const path = modMarkPath(places, claudePid);
  const file = readSmallFile(path, MAX_MARK_BYTES);
  if (file.state !== 'ok') return undefined;
  const isPresent =
    file.text === '' ? isRecent(path) : file.text === linuxStartTime(Number(claudePid));
  return isPresent ? file.text : undefined;
}

export function isModPresent(places: Places, claudePid: string): boolean {
  return modMark(places, claudePid) !== undefined;
}

function isRecent(path: string): boolean {
  const mark = statSync(path, { throwIfNoEntry: false });
  return mark !== undefined && Date.now() - mark.mtimeMs < PRESENT_MS;
}
