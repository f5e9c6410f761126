/**
 * Text that was typed and not saved (M19), kept in this browser until it is saved or discarded: a
 * page that is closed, reloaded, crashed or left by its host loses nothing. Drafts come in with the
 * version that they were made from, and are taken up again against it, so that what changed
 * meanwhile is a conflict as ever. Bounded in number and size; what finds no room is told, so that
 * it can be saved.
 */
export type DraftKind = 'memory.md' | 'form' | 'rules';

export type DraftStorage = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>;

interface Kept {
  at: number;
  value: unknown;
}

const PREFIX = 'memory-keeper-draft ';
const TOLD = 'memory-keeper-told-drafts';
/** A browser gives an origin about five million characters in all. */
const MOST_CHARACTERS = 1_000_000;
const MOST_DRAFTS = 50;
/** A key must never wait for the disk. */
const KEEP_AFTER_MS = 250;

export class KeptDrafts {
  readonly #storage: DraftStorage | undefined;
  readonly #now: () => number;
  /** What was typed in this page, by name, as it is to be kept; null is removed. */
  readonly #waiting = new Map<string, unknown>();
  readonly #dirty = new Set<string>();
  /** What found no room, and goes with the page. */
  readonly #unkept = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(storage: DraftStorage | undefined, now: () => number = Date.now) {
    this.#storage = storage;
    this.#now = now;
  }

  /** Something was typed in this page, and is neither saved nor discarded. */
  get isDirty(): boolean {
    return this.#dirty.size > 0;
  }

  /** Whether there is one from before that was not told of yet. From now on it was. */
  takeNews(): boolean {
    const newest = Math.max(0, ...this.#names().map((name) => this.#read(name)?.at ?? 0));
    try {
      if (newest <= Number(this.#storage?.getItem(TOLD) ?? 0)) return false;
      this.#storage?.setItem(TOLD, String(newest));
    } catch {
      // The browser has no room: then it is told once more.
    }
    return true;
  }

  /** False: it finds no room, and would go with the page. */
  isKept(kind: DraftKind, document: string): boolean {
    return !this.#unkept.has(nameOf(kind, document));
  }

  /** Whenever `isKept` may have changed. */
  onKept(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** `null`: it was saved or discarded. */
  keep(kind: DraftKind, document: string, value: unknown): void {
    const name = nameOf(kind, document);
    if (value === null) this.#dirty.delete(name);
    else this.#dirty.add(name);
    this.#waiting.set(name, value);
    this.#timer ??= setTimeout(() => this.flush(), KEEP_AFTER_MS);
  }

  /**
   * Those from before, by document; `isOne` looks at what another version of this program may have
   * kept.
   */
  take<T>(kind: DraftKind, isOne: (value: unknown) => value is T): Record<string, T> {
    const start = nameOf(kind, '');
    const found = this.#names().flatMap((name) => {
      const value = name.startsWith(start) ? this.#read(name)?.value : undefined;
      return isOne(value) ? [[name.slice(start.length), value] as const] : [];
    });
    return Object.fromEntries(found);
  }

  /** What waits is written now: the page is about to go. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [name, value] of this.#waiting) {
      if (this.#write(name, value)) this.#unkept.delete(name);
      else this.#unkept.add(name);
    }
    this.#waiting.clear();
    for (const listener of this.#listeners) listener();
  }

  /**
   * False if there is no room; then nothing is left of it, because an older state would be mistaken
   * for the last one.
   */
  #write(name: string, value: unknown): boolean {
    const kept: Kept = { at: this.#now(), value };
    const text = value === null ? '' : JSON.stringify(kept);
    try {
      if (value !== null && text.length <= MOST_CHARACTERS && this.#storage !== undefined) {
        this.#storage.setItem(name, text);
        this.#dropOldest();
        return true;
      }
    } catch {
      // The browser has no room: as one that is too long.
    }
    this.#storage?.removeItem(name);
    return value === null;
  }

  #dropOldest(): void {
    const names = this.#names();
    if (names.length <= MOST_DRAFTS) return;
    const oldestFirst = names
      .map((name) => ({ name, at: this.#read(name)?.at ?? 0 }))
      .sort((one, other) => one.at - other.at);
    for (const { name } of oldestFirst.slice(0, names.length - MOST_DRAFTS))
      this.#storage?.removeItem(name);
  }

  #names(): string[] {
    const storage = this.#storage;
    if (storage === undefined) return [];
    return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '').filter(
      (name) => name.startsWith(PREFIX),
    );
  }

  #read(name: string): Kept | undefined {
    try {
      return JSON.parse(this.#storage?.getItem(name) ?? 'null') ?? undefined;
    } catch {
      return undefined; // not ours, or torn
    }
  }
}

function nameOf(kind: DraftKind, document: string): string {
  return `${PREFIX}${kind} ${document}`;
}

/** A browser may be told to keep nothing; then asking for its storage throws. */
function browserStorage(): DraftStorage | undefined {
  try {
    return globalThis.window?.localStorage;
  } catch {
    return undefined;
  }
}

export const keptDrafts = new KeptDrafts(browserStorage());

/** From now on nothing that was typed is lost with the page. */
export function guardDrafts(drafts: KeptDrafts, page: Window, isAsked: boolean): void {
  page.addEventListener('pagehide', () => drafts.flush());
  page.document.addEventListener('visibilitychange', () => drafts.flush());
  // Not in Electron, where a no would keep the application from ending, without a word.
  if (isAsked)
    page.addEventListener('beforeunload', (event) => drafts.isDirty && event.preventDefault());
}
