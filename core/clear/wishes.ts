/**
 * What the user wants of the application that watches, from wherever they say it (the command line, a notification): cancel, snooze or
 * clear now, by a small file per session; and whether it is paused altogether.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { writeFileAtomic } from '../store/atomic-write.ts';
import { attempt, parseJson } from '../store/attempt.ts';
import type { Places } from '../store/places.ts';
import { removeFile } from '../store/prune.ts';
import { readOwnFile } from '../store/read-file.ts';

const MAX_BYTES = 4096;

const Wish = v.object({
  sessionId: v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/)),
  wish: v.picklist(['cancel', 'snooze', 'now']),
  /** Of a snooze; the setting's if it is not given. */
  minutes: v.optional(v.pipe(v.number(), v.minValue(1))),
});

export type Wish = v.InferOutput<typeof Wish>;

export function wishesFolder(places: Places): string {
  return join(places.home, 'wishes');
}

export function makeWish(places: Places, wish: Wish): void {
  writeFileAtomic(join(wishesFolder(places), `${wish.sessionId}.json`), JSON.stringify(wish), { durable: false });
}

/** Each taken away as it is read; whose they are is for the caller to say. */
export function takeWishes(places: Places, isOurs: (sessionId: string) => boolean): Wish[] {
  const folder = wishesFolder(places);
  const names = attempt(() => readdirSync(folder), []).filter((name) => /^[\w-]+\.json$/.test(name));
  return names.flatMap((name) => {
    if (!isOurs(name.slice(0, -'.json'.length))) return [];
    const file = readOwnFile(join(folder, name), MAX_BYTES);
    attempt(() => removeFile(join(folder, name)), undefined);
    const parsed = v.safeParse(Wish, file.state === 'ok' ? parseJson(file.text) : undefined);
    return parsed.success && name === `${parsed.output.sessionId}.json` ? [parsed.output] : [];
  });
}

const Pause = v.object({ until: v.string() });

function pausePath(places: Places): string {
  return join(places.home, 'paused.json');
}

/** Without an end it lasts until it is taken back. */
export function pauseClears(places: Places, until?: Date): void {
  writeFileAtomic(pausePath(places), JSON.stringify({ until: until?.toISOString() ?? null }));
}

export function resumeClears(places: Places): void {
  removeFile(pausePath(places));
}

/** Until when, in milliseconds; undefined if nothing is paused. A file that cannot be understood pauses, to be safe. */
export function pausedUntil(places: Places): number | undefined {
  const file = readOwnFile(pausePath(places), MAX_BYTES);
  if (file.state === 'missing') return undefined;
  const parsed = v.safeParse(Pause, file.state === 'ok' ? parseJson(file.text) : undefined);
  const until = parsed.success ? Date.parse(parsed.output.until) : Number.NaN;
  if (Number.isNaN(until)) return Number.POSITIVE_INFINITY;
  return until > Date.now() ? until : undefined;
}
