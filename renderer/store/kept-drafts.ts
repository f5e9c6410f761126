/**
 * Text that was typed and not saved (M19), given to the engine until it is saved or discarded: a
 * page that is closed, reloaded, crashed or left by its host loses nothing, whatever its address
 * is next time. Drafts come in with the version that they were made from, and are taken up again
 * against it, so that what changed meanwhile is a conflict as ever. What cannot be kept is told, so
 * that it can be saved.
 */
import { MOST_DRAFT_CHARACTERS } from '../../core/usecases/live/draft-limits.ts';
import type { Draft, KeptDraft } from '../../core/usecases/live/drafts.ts';
import type { Bridge } from '../bridge/bridge.ts';

export type DraftKind = 'memory.md' | 'form' | 'rules';

/** Where drafts outlive the page. */
export interface DraftPlace {
  open(): Promise<{ drafts: KeptDraft[]; isNews: boolean }>;
  keep(drafts: Draft[]): Promise<{ unkept: string[] }>;
}

export type OlderStorage = Pick<Storage, 'length' | 'key' | 'getItem' | 'removeItem'>;

/** A key must never wait for the disk. */
const KEEP_AFTER_MS = 250;

export class KeptDrafts {
  #place: DraftPlace | undefined;
  /** Those from before, by name. */
  #taken: ReadonlyMap<string, unknown> | undefined;
  /** What was typed in this page, by name, as it is to be kept; null is removed. */
  readonly #waiting = new Map<string, unknown>();
  readonly #dirty = new Set<string>();
  /** What could not be kept, and goes with the page. */
  readonly #unkept = new Set<string>();
  readonly #listeners = new Set<() => void>();
  readonly #takers = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | undefined;

  /** Something was typed in this page, and is neither saved nor discarded. */
  get isDirty(): boolean {
    return this.#dirty.size > 0;
  }

  /**
   * Takes up those from before, of the page's own storage too, where an older version kept them.
   * True if there is one that was not told of yet; it rejects while the place cannot be reached.
   */
  async open(place: DraftPlace, older?: OlderStorage): Promise<boolean> {
    this.#place = place;
    const { drafts, isNews } = await place.open();
    const known = new Map(drafts.map((draft) => [draft.name, draft]));
    const added = olderDrafts(older).filter(({ name, at }) => at > (known.get(name)?.at ?? 0));
    const all = [...drafts, ...added].map(({ name, value }) => [name, value] as const);
    // First, so that what is done with them from now on comes after it.
    if (older !== undefined) await this.#moveOver(place, older, added);
    this.#taken = new Map(all);
    for (const taker of this.#takers) taker();
    await this.flush();
    return isNews || added.length > 0;
  }

  /** What is kept at its new place leaves the old one. */
  async #moveOver(place: DraftPlace, older: OlderStorage, added: KeptDraft[]): Promise<void> {
    const drafts = added.map(({ name, value }) => ({ name, value }));
    const { unkept } = drafts.length === 0 ? { unkept: [] } : await place.keep(drafts);
    if (drafts.length > 0) await place.open(); // they are told of now, and not again
    for (const name of olderNames(older))
      if (!unkept.includes(name.slice(OLDER_PREFIX.length))) older.removeItem(name);
    older.removeItem(OLDER_TOLD);
  }

  /** Called when those from before are there, or at once if they are. */
  onTakenUp(taker: () => void): void {
    this.#takers.add(taker);
    if (this.#taken !== undefined) taker();
  }

  /** False: it could not be kept, and would go with the page. */
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
    this.#timer ??= setTimeout(() => void this.flush(), KEEP_AFTER_MS);
  }

  /**
   * Those from before, by document; `isOne` looks at what another version of this program may have
   * kept.
   */
  take<T>(kind: DraftKind, isOne: (value: unknown) => value is T): Record<string, T> {
    const start = nameOf(kind, '');
    const found = [...(this.#taken ?? [])].flatMap(([name, value]) =>
      name.startsWith(start) && isOne(value) ? [[name.slice(start.length), value] as const] : [],
    );
    return Object.fromEntries(found);
  }

  /** What waits is sent, one after the other so that the last word wins. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#sending !== undefined) await this.#sending;
    await this.#send();
  }

  /** The same at once: the page is about to go. */
  flushNow(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    void this.#send();
  }

  #send(): Promise<void> {
    if (this.#waiting.size === 0) return Promise.resolve();
    const sent = new Map(this.#waiting);
    this.#waiting.clear();
    const sending = this.#deliver(sent).finally(() => {
      if (this.#sending === sending) this.#sending = undefined;
      for (const listener of this.#listeners) listener();
    });
    this.#sending = sending;
    return sending;
  }

  async #deliver(sent: ReadonlyMap<string, unknown>): Promise<void> {
    // An older state would be mistaken for the last one, so nothing is left of one that is too long.
    const drafts = [...sent].map(([name, value]) => ({
      name,
      value: isTooLong(value) ? null : value,
    }));
    const answer = await this.#place?.keep(drafts).catch(() => undefined);
    for (const [name, value] of sent) {
      const isKept = answer !== undefined && !answer.unkept.includes(name) && !isTooLong(value);
      if (isKept || value === null) this.#unkept.delete(name);
      else this.#unkept.add(name);
      // Sent again when the host is back, unless something newer is to be sent by then.
      if (answer === undefined && !this.#waiting.has(name)) this.#waiting.set(name, value);
    }
  }
}

function isTooLong(value: unknown): boolean {
  return value !== null && JSON.stringify(value).length > MOST_DRAFT_CHARACTERS;
}

function nameOf(kind: DraftKind, document: string): string {
  return `${kind} ${document}`;
}

const OLDER_PREFIX = 'memory-keeper-draft ';
const OLDER_TOLD = 'memory-keeper-told-drafts';

/** Version 0.1.0 kept drafts in the storage of the page. */
function olderDrafts(storage: OlderStorage | undefined): KeptDraft[] {
  return olderNames(storage).flatMap((name) => {
    const { at, value } = parsed(storage?.getItem(name) ?? 'null');
    if (typeof at !== 'number' || value === undefined) return []; // not ours, or torn
    return [{ name: name.slice(OLDER_PREFIX.length), at, value }];
  });
}

function olderNames(storage: OlderStorage | undefined): string[] {
  const names = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index));
  return names.flatMap((name) => (name?.startsWith(OLDER_PREFIX) ? [name] : []));
}

function parsed(text: string): Partial<KeptDraft> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** A browser may be told to keep nothing; then asking for its storage throws. */
export function olderStorage(page: Pick<Window, 'localStorage'>): OlderStorage | undefined {
  try {
    return page.localStorage;
  } catch {
    return undefined;
  }
}

export const keptDrafts = new KeptDrafts();

/** Each host keeps its own. */
export function draftPlace(bridge: Pick<Bridge, 'kind' | 'call'>): DraftPlace {
  const { kind: host } = bridge;
  return {
    open: () => bridge.call('drafts.open', { host }),
    keep: (drafts) => bridge.call('drafts.keep', { host, drafts }),
  };
}

/** From now on nothing that was typed is lost with the page. */
export function guardDrafts(drafts: KeptDrafts, page: Window, isAsked: boolean): void {
  page.addEventListener('pagehide', () => drafts.flushNow());
  page.document.addEventListener('visibilitychange', () => drafts.flushNow());
  page.addEventListener('beforeunload', (event) => {
    drafts.flushNow();
    // Not in Electron, where a no would keep the application from ending, without a word.
    if (isAsked && drafts.isDirty) event.preventDefault();
  });
}
