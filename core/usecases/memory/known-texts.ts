/**
 * Remembers the texts of memory.md that windows recently got, by version (M19): merging a person's
 * changes needs the text they began with. An older one may still be in the file's history.
 */

import { asWeLeftIt, listVersions } from '../../platform/store/history.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { memoryMdPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { versionOf } from './version.ts';

const KEPT_TEXTS = 8;
const KEPT_CHARS = 8_000_000;
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

export class KnownTexts {
  readonly #path: string;
  readonly #texts = new Map<string, string>();

  constructor(memory: ProjectMemory) {
    this.#path = memoryMdPath(memory);
  }

  /** Remembers it, and gives back its version. */
  give(text: string): string {
    const version = versionOf(text);
    this.#texts.delete(version);
    this.#texts.set(version, text);
    let chars = [...this.#texts.values()].reduce((sum, { length }) => sum + length, 0);
    for (const [oldest, { length }] of this.#texts) {
      if (oldest === version || (chars <= KEPT_CHARS && this.#texts.size <= KEPT_TEXTS)) break;
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
