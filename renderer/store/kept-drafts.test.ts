/** Text that was typed and not saved outlives its page (M19). */
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { System } from '../../core/usecases/memory/memory-context.ts';
import { draftMethods } from '../../core/usecases/methods/drafts.ts';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { keepForm } from '../views/memory/data/memory-store.ts';
import { type DraftPlace, draftPlace, guardDrafts, KeptDrafts, keptDrafts } from './kept-drafts.ts';
import { memoryMdDrafts } from './text-drafts.ts';

/** The engine's own methods, on a disk of their own; `isReached` false is a lost connection. */
function place() {
  const home = tempFolder();
  const system = { places: { claude: home, home } } as unknown as System;
  const call = async (method: keyof typeof draftMethods, args: unknown) => {
    if (!made.isReached) throw new Error('lost');
    const { arguments: schema, handler } = draftMethods[method];
    return handler(system, v.parse(schema as v.GenericSchema, args) as never);
  };
  const made = {
    isReached: true,
    ...draftPlace({ kind: 'browser', call: call as Bridge['call'] }),
  };
  return made;
}

/** The next page. */
async function opened(kept: DraftPlace, older?: ReturnType<typeof storage>) {
  const drafts = new KeptDrafts();
  const isNews = await drafts.open(kept, older);
  return Object.assign(drafts, { isNews });
}

/** As a browser's. */
function storage(entries: Record<string, string>) {
  const kept = new Map(Object.entries(entries));
  return {
    kept,
    get length() {
      return kept.size;
    },
    key: (index: number) => [...kept.keys()][index] ?? null,
    getItem: (name: string) => kept.get(name) ?? null,
    removeItem: (name: string) => void kept.delete(name),
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('text that was not saved', () => {
  it('M19 is there again in the next page, by project and kind, until it is saved or discarded', async () => {
    const kept = place();
    const drafts = await opened(kept);
    drafts.keep('memory.md', '/home/me/a b', 'mine');
    drafts.keep('rules', '', 'rules');
    await vi.runAllTimersAsync();
    const next = await opened(kept);
    expect(next.take('memory.md', isText)).toEqual({ '/home/me/a b': 'mine' });
    expect(next.take('rules', isText)).toEqual({ '': 'rules' });
    expect(next.isDirty).toBe(false);
    next.keep('memory.md', '/home/me/a b', null);
    await next.flush();
    expect((await opened(kept)).take('memory.md', isText)).toEqual({});
  });

  it('M19 is told of once, and again only when there is more of it', async () => {
    const kept = place();
    const type = async (text: string) => {
      vi.advanceTimersByTime(1000);
      const drafts = await opened(kept);
      drafts.keep('rules', '', text);
      await drafts.flush();
    };
    const news = async () => (await opened(kept)).isNews;
    expect(await news()).toBe(false);
    await type('mine');
    expect([await news(), await news()]).toEqual([true, false]);
    await type('mine and more');
    expect([await news(), await news()]).toEqual([true, false]);
  });

  it('M19 is sent when the page goes, even if the last key was only just pressed, and a browser asks before', async () => {
    const kept = place();
    const drafts = await opened(kept);
    const page = Object.assign(new EventTarget(), {
      document: new EventTarget(),
    }) as unknown as Window;
    guardDrafts(drafts, page, true);
    const leave = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(leave()).toBe(false);
    drafts.keep('memory.md', 'p', 'mine');
    expect(leave()).toBe(true);
    expect((await opened(kept)).take('memory.md', isText)).toEqual({ p: 'mine' });
    drafts.keep('memory.md', 'p', 'mine and more');
    page.dispatchEvent(new Event('pagehide'));
    expect((await opened(kept)).take('memory.md', isText)).toEqual({ p: 'mine and more' });
    drafts.keep('memory.md', 'p', null);
    expect(leave()).toBe(false);
  });

  it('M19 does not keep an application from ending', async () => {
    const drafts = await opened(place());
    const page = Object.assign(new EventTarget(), {
      document: new EventTarget(),
    }) as unknown as Window;
    guardDrafts(drafts, page, false);
    drafts.keep('memory.md', 'p', 'mine');
    expect(page.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true);
  });

  it('M19 says of what is too long that it would go with the page, and leaves no older state behind', async () => {
    const kept = place();
    const drafts = await opened(kept);
    const told = vi.fn();
    drafts.onKept(told);
    const keep = async (text: string | null) => {
      drafts.keep('rules', '', text);
      await vi.runAllTimersAsync();
      return drafts.isKept('rules', '');
    };
    expect([
      await keep('short'),
      await keep('x'.repeat(1_000_001)),
      Object.keys((await opened(kept)).take('rules', isText)).length,
      drafts.isDirty,
      await keep('short'),
      await keep('x'.repeat(1_000_001)),
      await keep(null),
    ]).toEqual([true, false, 0, true, true, false, true]);
    expect(told).toHaveBeenCalledTimes(5);
  });

  it('M19 what is typed while the connection is lost is told of, and kept as soon as it is back', async () => {
    const kept = place();
    const drafts = await opened(kept);
    kept.isReached = false;
    drafts.keep('rules', '', 'first');
    drafts.keep('memory.md', 'p', 'mine');
    await vi.runAllTimersAsync();
    drafts.keep('rules', '', 'second');
    expect(drafts.isKept('memory.md', 'p')).toBe(false);
    kept.isReached = true;
    await drafts.flush();
    expect([drafts.isKept('memory.md', 'p'), drafts.isKept('rules', '')]).toEqual([true, true]);
    const next = await opened(kept);
    expect([next.take('rules', isText), next.take('memory.md', isText)]).toEqual([
      { '': 'second' },
      { p: 'mine' },
    ]);
  });

  it('M19 the last word wins, however long the ones before are on their way', async () => {
    const kept = place();
    const waits: (() => void)[] = [];
    const slow: DraftPlace = {
      ...kept,
      async keep(drafts) {
        await new Promise<void>((resolve) => waits.push(resolve));
        return kept.keep(drafts);
      },
    };
    const drafts = await opened(slow);
    for (const text of ['first', 'second', null]) {
      drafts.keep('rules', '', text);
      void drafts.flush();
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(waits).toHaveLength(1);
    while (waits.length > 0) {
      waits.pop()?.();
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect((await opened(kept)).take('rules', isText)).toEqual({});
  });

  it('M19 what version 0.1.0 kept in the page is taken over once, and leaves the page', async () => {
    const kept = place();
    const older = storage({
      'memory-keeper-draft memory.md /p': '{"at":1,"value":"mine"}',
      'memory-keeper-draft rules ': '{torn',
      'memory-keeper-told-drafts': '1',
      other: '"x"',
    });
    const drafts = await opened(kept, older);
    expect([drafts.isNews, drafts.take('memory.md', isText)]).toEqual([true, { '/p': 'mine' }]);
    expect([...older.kept.keys()]).toEqual(['other']);
    const next = await opened(kept, older);
    expect([next.isNews, next.take('memory.md', isText)]).toEqual([false, { '/p': 'mine' }]);
    const stale = storage({ 'memory-keeper-draft memory.md /p': '{"at":1,"value":"older"}' });
    expect((await opened(kept, stale)).take('memory.md', isText)).toEqual({ '/p': 'mine' });
  });

  it('M19 what cannot be taken over stays in the page until it can', async () => {
    const kept = place();
    kept.isReached = false;
    const older = storage({ 'memory-keeper-draft rules ': '{"at":1,"value":"mine"}' });
    await expect(opened(kept, older)).rejects.toThrow();
    expect(older.kept.size).toBe(1);
    kept.isReached = true;
    expect((await opened(kept, older)).take('rules', isText)).toEqual({ '': 'mine' });
  });
});

describe('memory.md and forms', () => {
  const typed = (text: string) => memoryMdDrafts.tell('p', { kind: 'typed', text });
  const base = { text: 'one', version: 'v1' };

  it('M19 count as not saved from the first key to the save or the discard, and what is typed meanwhile still does', () => {
    memoryMdDrafts.tell('p', { kind: 'loaded', disk: base });
    expect(keptDrafts.isDirty).toBe(false);
    typed('mine');
    expect(keptDrafts.isDirty).toBe(true);
    memoryMdDrafts.tell('p', { kind: 'saving' });
    typed('mine and more');
    memoryMdDrafts.tell('p', {
      kind: 'saved',
      sent: 'mine',
      outcome: { saved: true, version: 'v2' },
    });
    expect(keptDrafts.isDirty).toBe(true);
    memoryMdDrafts.tell('p', { kind: 'discarded' });
    expect(keptDrafts.isDirty).toBe(false);
    const form = { initial: { content: 'a' }, version: 'v1' };
    keepForm('p\nd001', { ...form, values: { content: 'b' } });
    expect(keptDrafts.isDirty).toBe(true);
    keepForm('p\nd001', { ...form, values: { content: 'a' } });
    expect(keptDrafts.isDirty).toBe(false);
  });
});

describe('a draft of memory.md that was kept', () => {
  /** The next page. */
  const page = async (kept: DraftPlace) => {
    vi.resetModules();
    const { keptDrafts: own } = await import('./kept-drafts.ts');
    const { memoryMdDrafts: made } = await import('./text-drafts.ts');
    return Object.assign(made, { open: () => own.open(kept) });
  };

  it.each(['a', 'a text of 700,000 characters'.repeat(25_000)])(
    'M19 goes on against the text that it was made from: what changed meanwhile is not overwritten',
    async (begun) => {
      const mine = `${begun} and mine`;
      const kept = place();
      const drafts = () => page(kept);
      const before = await drafts();
      await before.open();
      before.tell('p', { kind: 'loaded', disk: { text: begun, version: 'v1' } });
      before.tell('p', { kind: 'typed', text: mine });
      await vi.runAllTimersAsync();
      const same = await drafts();
      await same.open();
      expect(same.of('p')).toMatchObject({ text: mine, newer: null, base: { version: 'v1' } });
      same.tell('p', { kind: 'loaded', disk: { text: begun, version: 'v1' } });
      expect(same.of('p')).toMatchObject({
        text: mine,
        newer: null,
        base: { text: begun, version: 'v1' },
      });
      const changed = await drafts();
      changed.tell('p', { kind: 'loaded', disk: { text: 'theirs', version: 'v2' } });
      await changed.open(); // after the text, which may be read sooner
      expect(changed.of('p')).toMatchObject({
        text: mine,
        newer: { version: 'v2' },
        base: { version: 'v1' },
      });
      const done = await drafts();
      await done.open();
      done.tell('p', { kind: 'loaded', disk: { text: mine, version: 'v3' } });
      expect(done.of('p')).toMatchObject({ base: { version: 'v3' }, newer: null });
      await vi.runAllTimersAsync();
      expect((await kept.open()).drafts).toEqual([]);
    },
  );
});
