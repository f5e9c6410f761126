/**
 * Caches the records of all clears, of any process, and reads them again only after a change: the
 * folder's time shows whether there was one. Steps of this application's own clears take precedence
 * over the disk, which may be full.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ClearRecord, readRecord } from '../../clear/clear-record.ts';
import { recordsFolder } from '../../clear/clear-record-place.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { fileMark } from '../../platform/store/file-mark.ts';
import type { Places } from '../../platform/store/places.ts';
import { FileCache } from '../memory/file-cache.ts';

export class ClearRecordCache {
  readonly #places: Places;
  #folderMark = '';
  readonly #files = new FileCache<ClearRecord | undefined>();
  #stored: ClearRecord[] = [];
  readonly #own = new Map<string, ClearRecord>();
  #bySession = new Map<string, ClearRecord>();
  #byNewSession = new Map<string, ClearRecord>();

  constructor(places: Places) {
    this.#places = places;
  }

  /** A step of a clear by this application. */
  setOwn(record: ClearRecord): void {
    this.#own.set(record.sessionId, record);
    this.#combine();
  }

  refresh(): void {
    const folder = recordsFolder(this.#places);
    const mark = fileMark(folder);
    if (mark === this.#folderMark) return;
    this.#folderMark = mark;
    const names = attempt(() => readdirSync(folder), []);
    this.#stored = names
      .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
      .flatMap((name) => this.#read(folder, name) ?? []);
    this.#combine();
  }

  get all(): Iterable<ClearRecord> {
    return this.#bySession.values();
  }

  /** By the session that a clear began. */
  get byNewSession(): ReadonlyMap<string, ClearRecord> {
    return this.#byNewSession;
  }

  #read(folder: string, name: string): ClearRecord | undefined {
    return this.#files.get([join(folder, name)], () =>
      readRecord(this.#places, name.slice(0, -'.json'.length)),
    );
  }

  #combine(): void {
    this.#bySession = new Map(this.#stored.map((record) => [record.sessionId, record]));
    for (const [sessionId, own] of this.#own) {
      const stored = this.#bySession.get(sessionId);
      if (stored !== undefined && lastStepAt(stored) >= lastStepAt(own))
        this.#own.delete(sessionId);
      else this.#bySession.set(sessionId, own);
    }
    this.#byNewSession = new Map(
      [...this.#bySession.values()].flatMap((record) =>
        record.newSessionId === undefined ? [] : [[record.newSessionId, record]],
      ),
    );
  }
}

export function lastStepAt({ steps }: ClearRecord): string {
  return steps.at(-1)?.at ?? '';
}
