/**
 * Names texts and items by their content (M19), to tell which version a person has seen. Remembers
 * the texts of a file that windows recently got, because merging a person's changes needs the text
 * they began with.
 */
import { createHash } from 'node:crypto';
import { mergeTexts } from '../../memory/edits/merge-texts.ts';
import { MAINTAINED_FIELDS } from '../../memory/edits/undo-edit.ts';
import { contentAsWritten, listVersions } from '../../platform/store/history.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { canonicalJson } from '../../platform/text/canonical.ts';

export interface VersionedText {
  /** Empty if there is none yet. */
  text: string;
  version: string;
}

export type Saved =
  /** `edit`: its number in the history, for undo; -1 if nothing was different. */
  | { saved: true; version: string; edit?: number }
  /** Somebody else wrote meanwhile, so nothing was written. `merged`: null if both cannot be joined. */
  | { saved: false; theirs: string; version: string; merged: string | null };

const VERSION_CHARS = 32;
const MAX_TEXTS = 8;
const MAX_CHARS = 8_000_000;
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

export function versionOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, VERSION_CHARS);
}

/** Fields that we maintain ourselves, such as an automatic concept, make no other version. */
export function versionOfItem(item: object | null | undefined): string {
  if (item === null || item === undefined) return '';
  const fields = Object.entries(item).filter(([field]) => !MAINTAINED_FIELDS.includes(field));
  return versionOf(canonicalJson(Object.fromEntries(fields)));
}

/** Of one file. An older text may still be in the file's history. */
export class RecentTexts {
  readonly #path: string;
  readonly #texts = new Map<string, string>();

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns the text's version. */
  add(text: string): string {
    const version = versionOf(text);
    this.#texts.delete(version);
    this.#texts.set(version, text);
    let chars = [...this.#texts.values()].reduce((sum, { length }) => sum + length, 0);
    for (const [oldest, { length }] of this.#texts) {
      if (oldest === version || (chars <= MAX_CHARS && this.#texts.size <= MAX_TEXTS)) break;
      this.#texts.delete(oldest);
      chars -= length;
    }
    return version;
  }

  find(version: string): string | undefined {
    return (
      this.#texts.get(version) ?? this.#inHistory().find((text) => versionOf(text) === version)
    );
  }

  /** The answer to a save that was made from `base` while the file says `theirs` by now. */
  conflict(base: string, mine: string, theirs: string): Saved {
    const began = this.find(base);
    const merged = began === undefined ? undefined : mergeTexts(began, mine, theirs);
    return { saved: false, theirs, version: this.add(theirs), merged: merged ?? null };
  }

  #inHistory(): string[] {
    const last = contentAsWritten(this.#path);
    const files = listVersions(this.#path)
      .reverse()
      .map((path) => readSmallFile(path, MAX_TEXT_BYTES));
    const older = files.flatMap((file) => (file.state === 'ok' ? [file.text] : []));
    return last === undefined ? older : [last, ...older];
  }
}
