/**
 * When the plugin was last seen at work, by what it leaves in our folder: each session that starts
 * is given something, each turn of a mod leaves a mark.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../platform/store/attempt.ts';
import type { Places } from '../platform/store/places.ts';

const SIGNS = ['given', 'mods'];

export function lastSeenAt(places: Places): string | null {
  const times = SIGNS.flatMap((name) => {
    const folder = join(places.home, name);
    const files = attempt(() => readdirSync(folder), []); // nothing has been left yet
    return files.map(
      (file) => statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    );
  });
  const newest = times.reduce((a, b) => Math.max(a, b), 0);
  return newest === 0 ? null : new Date(newest).toISOString();
}
