/**
 * Whether the mod is at work in a Claude Code process (M16): then it asks models itself, and the session's own agents are left alone. The
 * mod leaves a mark by the process's id each time it runs.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { linuxStartTime } from '../../process/linux.ts';
import { writeFileAtomic } from '../../store/atomic-write.ts';
import type { Places } from '../../store/places.ts';
import { removeFilesOlderThan } from '../../store/prune.ts';
import { readSmallFile } from '../../store/read-file.ts';

/** It runs after each turn; a process that has been silent for longer may be another one with the same id. */
const PRESENT_MS = 24 * 60 * 60 * 1000;
const MAX_MARK_BYTES = 1024;

export function markModPresent(places: Places, claudePid: string): void {
  const folder = join(places.home, 'mods');
  writeFileAtomic(join(folder, claudePid), linuxStartTime(Number(claudePid)) ?? '', { durable: false });
  removeFilesOlderThan(folder, PRESENT_MS);
}

/** When the process in which the mod was seen started; empty where that is not known, undefined if none was seen. */
export function modMark(places: Places, claudePid: string): string | undefined {
  if (!isModPresent(places, claudePid)) return undefined;
  const file = readSmallFile(join(places.home, 'mods', claudePid), MAX_MARK_BYTES);
  return file.state === 'ok' ? file.text : undefined;
}

export function isModPresent(places: Places, claudePid: string): boolean {
  const mark = claudePid === '' ? undefined : statSync(join(places.home, 'mods', claudePid), { throwIfNoEntry: false });
  return mark !== undefined && Date.now() - mark.mtimeMs < PRESENT_MS;
}
