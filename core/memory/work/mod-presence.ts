/**
 * Whether the mod is at work in a Claude Code process (M16): then it asks models itself, and the session's own agents are left alone. The
 * mod leaves a mark by the process's id each time it runs.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../store/atomic-write.ts';
import type { Places } from '../../store/places.ts';
import { removeFilesOlderThan } from '../../store/prune.ts';

/** It runs after each turn; a process that has been silent for longer may be another one with the same id. */
const PRESENT_MS = 24 * 60 * 60 * 1000;

export function markModPresent(places: Places, claudePid: string): void {
  const folder = join(places.home, 'mods');
  writeFileAtomic(join(folder, claudePid), '', { durable: false });
  removeFilesOlderThan(folder, PRESENT_MS);
}

export function isModPresent(places: Places, claudePid: string): boolean {
  const mark = claudePid === '' ? undefined : statSync(join(places.home, 'mods', claudePid), { throwIfNoEntry: false });
  return mark !== undefined && Date.now() - mark.mtimeMs < PRESENT_MS;
}
