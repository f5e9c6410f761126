/**
 * The settings of projects for those who ask every second: they are read again only when a file has
 * changed, and a project's place in the home is looked up again only now and then.
 */
import { fileMark, NO_FILE } from '../platform/store/file-mark.ts';
import type { Places } from '../platform/store/places.ts';
import {
  findProjectSettingsPath,
  readSettings,
  type SettingsReading,
  userSettingsPath,
} from './settings.ts';

/** A project may get a place, or be linked to another one. */
const PLACE_KEEP_MS = 3000;

interface Kept {
  path: string | undefined;
  foundAt: number;
  mark: string;
  reading: SettingsReading;
}

export class SettingsCache {
  readonly #places: Places;
  readonly #now: () => number;
  #kept = new Map<string | undefined, Kept>();

  constructor(places: Places, now = () => performance.now()) {
    this.#places = places;
    this.#now = now;
  }

  /** Without a root: the user's own. Forgets the projects that are not asked for. */
  readAll<Root extends string | undefined>(roots: readonly Root[]): Map<Root, SettingsReading> {
    const userMark = fileMark(userSettingsPath(this.#places));
    const kept = new Map(roots.map((root) => [root, this.#read(root, userMark)]));
    this.#kept = kept;
    return new Map([...kept].map(([root, { reading }]) => [root, reading]));
  }

  #read(root: string | undefined, userMark: string): Kept {
    const before = this.#kept.get(root);
    const isFresh = before !== undefined && this.#now() - before.foundAt < PLACE_KEEP_MS;
    const foundAt = isFresh ? before.foundAt : this.#now();
    const path =
      isFresh || root === undefined ? before?.path : findProjectSettingsPath(this.#places, root);
    const mark = `${userMark} ${path} ${path === undefined ? NO_FILE : fileMark(path)}`;
    const reading = mark === before?.mark ? before.reading : readSettings(this.#places, root);
    return { path, foundAt, mark, reading };
  }
}
