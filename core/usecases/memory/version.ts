/**
 * Gives a text or item a short name by its content (M19), to tell which version a person has seen.
 */
import { createHash } from 'node:crypto';
import { MARKS } from '../../memory/edits/take-back.ts';
import { canonical } from '../../platform/text/canonical.ts';

export interface VersionedText {
  /** Empty if there is none yet. */
  text: string;
  version: string;
}

export type Saved =
  /** `edit`: its number in the history, for undo; -1 if nothing was different. */
  | { saved: true; version: string; edit?: number }
  /**
   * Somebody else wrote meanwhile: both are there to be joined, and nothing was written. `merged`:
   * both, where they do not touch.
   */
  | { saved: false; theirs: string; version: string; merged: string | null };

const VERSION_CHARS = 32;

export function versionOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, VERSION_CHARS);
}

/**
 * What we note on an item ourselves, such as the concept that likeness put it into, makes no other
 * version of it.
 */
export function versionOfItem(item: object | null | undefined): string {
  if (item === null || item === undefined) return '';
  return versionOf(
    canonical(Object.fromEntries(Object.entries(item).filter(([field]) => !MARKS.includes(field)))),
  );
}
