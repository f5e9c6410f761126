/**
 * Remembers the texts of one file that windows recently got, by version (M19): merging a person's
 * changes needs the text they began with. An older one may still be in the file's history.
 */

import { joinTexts } from '../../memory/edits/join-texts.ts';
import { asWeLeftIt, listVersions } from '../../platform/store/history.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { type Saved, versionOf } from './version.ts';

const MAX_TEXTS = 8;
const MAX_CHARS = 8_000_000;
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

export class RecentTexts {
  readonly #path: string;
  readonly #texts = new Map<string, string>();

  constructor(path: string) {
    this.#path = path;
  }

  /** Remembers it, and returns its version. */
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
    const merged = began === undefined ? undefined : joinTexts(began, mine, theirs);
    return { saved: false, theirs, version: this.add(theirs), merged: merged ?? null };
  }

  #inHistory(): string[] {
    const left = asWeLeftIt(this.#path);
    const kept = listVersions(this.#path)
      .reverse()
      .flatMap((path) => {
        const file = readSmallFile(path, MAX_TEXT_BYTES);
        return file.state === 'ok' ? [file.text] : [];
      });
    return left === undefined ? kept : [left, ...kept];
  }
}
