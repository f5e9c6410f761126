/**
 * Copies a made project with its home. In the copy the project is another folder, which leads to no
 * memory by itself: it is linked, as a user would link it.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { linkPlace } from '../../core/platform/project/link-place.ts';
import { allProjectPlaces } from '../../core/platform/project/project-place.ts';
import { placesBeside } from './recorded-work.ts';

/** Both are folders with `app`, `claude` and `home` in them. Gives back the copy of `app`. */
export function copyMadeProject(from: string, to: string): string {
  cpSync(from, to, { recursive: true, preserveTimestamps: true });
  const app = join(to, 'app');
  const places = placesBeside(app);
  for (const place of allProjectPlaces(places)) linkPlace(places, app, place);
  return app;
}
