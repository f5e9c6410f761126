/** Caches what was made of files, and reads a file again only after it has changed. */
import { fileMark } from '../../platform/store/file-mark.ts';

/** At this size a cache starts over, so that it cannot grow for ever. */
const MAX_VALUES = 5000;

export class FileCache<T> {
  readonly #values = new Map<string, { mark: string; value: T }>();

  /** `paths`: every file that the value depends on. */
  get(paths: readonly string[], read: () => T): T {
    const key = paths.join();
    const mark = paths.map(fileMark).join();
    const cached = this.#values.get(key);
    if (cached?.mark === mark) return cached.value;
    const value = read();
    if (this.#values.size >= MAX_VALUES) this.#values.clear();
    this.#values.set(key, { mark, value });
    return value;
  }
}
