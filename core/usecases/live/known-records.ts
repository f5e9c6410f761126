/**
 * Caches the records of all clears, of any process, and reads a file again only after a change: the
 * folder's time shows whether there was one. Steps of this application's own clears take precedence
 * over the disk, which may be full.
 */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ClearRecord, readRecord, recordsFolder } from '../../clear/clear-record.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { fileMark } from '../../platform/store/file-mark.ts';
import type { Places } from '../../platform/store/places.ts';

export class KnownRecords {
  readonly #places: Places;
  #folderMark = '';
  #files = new Map<string, { mark: string; record: ClearRecord | undefined }>();
  readonly #own = new Map<string, ClearRecord>();
  #bySession = new Map<string, ClearRecord>();
  #byNext = new Map<string, ClearRecord>();

  constructor(places: Places) {
    this.#places = places;
  }

  /** A step of this application's own. */
  told(record: ClearRecord): void {
    this.#own.set(record.sessionId, record);
    this.#arrange();
  }

  /** True if something has changed. */
  look(): boolean {
    const folder = recordsFolder(this.#places);
    const mark = fileMark(folder);
    if (mark === this.#folderMark) return false;
    this.#folderMark = mark;
    const names = attempt(() => readdirSync(folder), []).filter(
      (name) => name.endsWith('.json') && !name.startsWith('.'),
    );
    this.#files = new Map(names.map((name) => [name, this.#read(folder, name)]));
    this.#arrange();
    return true;
  }

  get all(): Iterable<ClearRecord> {
    return this.#bySession.values();
  }

  /** By the session that a clear began. */
  get byNext(): ReadonlyMap<string, ClearRecord> {
    return this.#byNext;
  }

  /** Of a clear of this session, or one that began it. */
  about(sessionId: string): ClearRecord | undefined {
    return this.#bySession.get(sessionId) ?? this.#byNext.get(sessionId);
  }

  #read(folder: string, name: string) {
    const mark = fileMark(join(folder, name));
    const known = this.#files.get(name);
    if (known?.mark === mark) return known;
    return { mark, record: readRecord(this.#places, name.slice(0, -'.json'.length)) };
  }

  #arrange(): void {
    const stored = [...this.#files.values()].flatMap(({ record }) => record ?? []);
    this.#bySession = new Map(stored.map((record) => [record.sessionId, record]));
    for (const [sessionId, own] of this.#own) {
      const other = this.#bySession.get(sessionId);
      if (other !== undefined && lastStepAt(other) >= lastStepAt(own)) this.#own.delete(sessionId);
      else this.#bySession.set(sessionId, own);
    }
    const ended = [...this.#bySession.values()].filter(
      ({ newSessionId }) => newSessionId !== undefined,
    );
    this.#byNext = new Map(ended.map((record) => [record.newSessionId ?? '', record]));
  }
}

export function lastStepAt({ steps }: ClearRecord): string {
  return steps.at(-1)?.at ?? '';
}
