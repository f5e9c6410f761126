/**
 * The few files that hosts keep for themselves, written by the store as all others are: the place
 * of the window, the log of crashes, an entry for the start at login.
 */
import { join } from 'node:path';
import * as v from 'valibot';
import { redact } from '../memory/redact/redact.ts';
import { languageFrom } from '../messages/language.ts';
import type { Language } from '../messages/render.ts';
import { appendLog } from '../platform/store/append-log.ts';
import { attempt } from '../platform/store/attempt.ts';
import { type DocumentKind, readDocument, updateDocument } from '../platform/store/document.ts';
import type { Places } from '../platform/store/places.ts';
import { appLanguage } from '../settings/settings.ts';

export { archiveName } from '../memory/portable/manifest.ts';
export { writeFileAtomic } from '../platform/store/atomic-write.ts';
export { placesFrom } from '../platform/store/places.ts';
export { removeFile } from '../platform/store/prune.ts';
export { attempt };

export interface WindowPlace {
  bounds?: { x: number; y: number; width: number; height: number } | undefined;
  isMaximized?: boolean | undefined;
}

const number = v.pipe(v.number(), v.integer());
const windowPlaceFile: DocumentKind<WindowPlace> = {
  version: 1,
  schema: v.looseObject({
    bounds: v.fallback(
      v.optional(v.object({ x: number, y: number, width: number, height: number })),
      undefined,
    ),
    isMaximized: v.fallback(v.optional(v.boolean()), undefined),
  }) as v.GenericSchema<unknown, WindowPlace>,
  empty: () => ({}),
};
const windowPlacePath = ({ home }: Places) => join(home, 'window.json');

export function readWindowPlace(places: Places): WindowPlace {
  const reading = readDocument(windowPlacePath(places), windowPlaceFile);
  return reading.state === 'ok' ? reading.value : {};
}

/** A place that cannot be saved is not worth a word. */
export function saveWindowPlace(places: Places, place: WindowPlace): void {
  const path = windowPlacePath(places);
  attempt(
    () => updateDocument(path, windowPlaceFile, (known) => ({ ...known, ...place })),
    undefined,
  );
}

/** Freed of secrets (M18); with a full disk there is nothing left to do. */
export function logCrash(path: string, text: string): void {
  attempt(() => appendLog(path, redact(text)), undefined);
}

/** The user's language, also where settings cannot be read: crashes are reported in it. */
export function languageOf(places: Places, env: NodeJS.ProcessEnv): Language {
  return attempt(() => appLanguage(places, env), languageFrom(env));
}
