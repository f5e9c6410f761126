/**
 * Reads and writes the few files of the hosts themselves: the place of the window, the log of
 * crashes, the entry that starts the application at login.
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

export { writeFileAtomic } from '../platform/store/atomic-write.ts';
export { removeFile } from '../platform/store/file-changes.ts';
export { placesFrom } from '../platform/store/places.ts';
export { attempt };

const number = v.pipe(v.number(), v.integer());
const Bounds = v.object({ x: number, y: number, width: number, height: number });
const WindowPlace = v.looseObject({
  bounds: v.fallback(v.optional(Bounds), undefined),
  isMaximized: v.fallback(v.optional(v.boolean()), undefined),
});
export type WindowPlace = Partial<v.InferOutput<typeof WindowPlace>>;

const windowPlaceFile: DocumentKind<WindowPlace> = {
  version: 1,
  schema: WindowPlace,
  empty: () => ({}),
};
const windowPlacePath = ({ home }: Places) => join(home, 'window.json');

export function readWindowPlace(places: Places): WindowPlace {
  const reading = readDocument(windowPlacePath(places), windowPlaceFile);
  return reading.state === 'ok' ? reading.value : {};
}

/** A failure is not worth a message. */
export function saveWindowPlace(places: Places, place: WindowPlace): void {
  const save = () =>
    updateDocument(windowPlacePath(places), windowPlaceFile, (old) => ({ ...old, ...place }));
  attempt(save, undefined);
}

/** Without secrets (M18). With a full disk there is nothing left to do. */
export function logCrash(path: string, text: string): void {
  attempt(() => appendLog(path, redact(text)), undefined);
}

/** The user's language, also where settings cannot be read. Crashes are reported in it. */
export function languageOf(places: Places, env: NodeJS.ProcessEnv): Language {
  return attempt(() => appLanguage(places, env), languageFrom(env));
}
