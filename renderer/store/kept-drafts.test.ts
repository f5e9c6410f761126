/** Text that was typed and not saved outlives its page (M19). */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepForm } from '../views/memory/data/memory-store.ts';
import { guardDrafts, KeptDrafts, keptDrafts } from './kept-drafts.ts';
import { memoryMdDrafts } from './text-drafts.ts';

/** As a browser's: `room` is how many characters it takes in all. */
function storage(room = Number.POSITIVE_INFINITY) {
  const kept = new Map<string, string>();
  return {
    kept,
    get length() {
      return kept.size;
    },
    key: (index: number) => [...kept.keys()][index] ?? null,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem(name: string, text: string) {
      if (text.length > room) throw new DOMException('full', 'QuotaExceededError');
      kept.set(name, text);
    },
    removeItem: (name: string) => void kept.delete(name),
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('text that was not saved', () => {
  it('M19 is there again in the next page, by project and kind, until it is saved or discarded', () => {
    const place = storage();
    const drafts = new KeptDrafts(place);
    drafts.keep('memory.md', '/home/me/a b', 'mine');
    drafts.keep('rules', '', 'rules');
    vi.runAllTimers();
    const next = new KeptDrafts(place);
    expect(next.take('memory.md', isText)).toEqual({ '/home/me/a b': 'mine' });
    expect(next.take('rules', isText)).toEqual({ '': 'rules' });
    expect(next.isDirty).toBe(false);
    next.keep('memory.md', '/home/me/a b', null);
    next.flush();
    expect(new KeptDrafts(place).take('memory.md', isText)).toEqual({});
  });

  it('M19 is told of once, and again only when there is more of it', () => {
    const place = storage();
    let now = 1;
    const started = () => new KeptDrafts(place, () => now++);
    const type = (text: string) => {
      const drafts = started();
      drafts.keep('rules', '', text);
      drafts.flush();
    };
    expect(started().takeNews()).toBe(false);
    type('mine');
    expect([started().takeNews(), started().takeNews()]).toEqual([true, false]);
    type('mine and more');
    expect([started().takeNews(), started().takeNews()]).toEqual([true, false]);
    const full = {
      ...storage(),
      length: 1,
      key: () => 'memory-keeper-draft rules ',
      getItem: () => '{"at":1}',
    };
    full.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    expect(
      new KeptDrafts({
        ...full,
        getItem: (name) => (name.includes('told') ? null : full.getItem()),
      }).takeNews(),
    ).toBe(true);
  });

  it('M19 is written when the page goes, even if the last key was only just pressed, and a browser asks before', () => {
    const place = storage();
    const drafts = new KeptDrafts(place);
    const page = Object.assign(new EventTarget(), {
      document: new EventTarget(),
    }) as unknown as Window;
    guardDrafts(drafts, page, true);
    const leave = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(leave()).toBe(false);
    drafts.keep('memory.md', 'p', 'mine');
    expect(leave()).toBe(true);
    page.dispatchEvent(new Event('pagehide'));
    expect(new KeptDrafts(place).take('memory.md', isText)).toEqual({ p: 'mine' });
    drafts.keep('memory.md', 'p', null);
    expect(leave()).toBe(false);
  });

  it('M19 does not keep an application from ending', () => {
    const drafts = new KeptDrafts(storage());
    const page = Object.assign(new EventTarget(), {
      document: new EventTarget(),
    }) as unknown as Window;
    guardDrafts(drafts, page, false);
    drafts.keep('memory.md', 'p', 'mine');
    expect(page.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true);
  });

  it('M19 is bounded: the oldest of very many go, and what is too long leaves no older state behind', () => {
    const place = storage();
    let now = 0;
    const drafts = new KeptDrafts(place, () => now++);
    for (let index = 0; index < 60; index++) drafts.keep('form', `f${index}`, 'x');
    drafts.flush();
    const left = Object.keys(drafts.take('form', isText));
    expect([left.length, left.includes('f9'), left.includes('f10')]).toEqual([50, false, true]);
    drafts.keep('form', 'f59', 'x'.repeat(1_000_001));
    drafts.flush();
    expect(Object.keys(drafts.take('form', isText))).not.toContain('f59');
    expect(drafts.isDirty).toBe(true);
  });

  it('M19 says of what finds no room that it would go with the page, until there is room again', () => {
    const drafts = new KeptDrafts(storage(200));
    const told = vi.fn();
    drafts.onKept(told);
    const keep = (text: string | null) => {
      drafts.keep('rules', '', text);
      vi.runAllTimers();
      return drafts.isKept('rules', '');
    };
    expect([
      keep('short'),
      keep('long'.repeat(100)),
      keep('short'),
      keep('x'.repeat(1_000_001)),
      keep(null),
    ]).toEqual([true, false, true, false, true]);
    expect(told).toHaveBeenCalledTimes(5);
    const none = new KeptDrafts(undefined);
    none.keep('rules', '', 'x');
    none.flush();
    expect(none.isKept('rules', '')).toBe(false);
  });

  it('M19 a full, a forbidden and a strange storage break nothing', () => {
    const full = storage(30);
    const drafts = new KeptDrafts(full);
    drafts.keep('memory.md', 'p', 'a text that is longer than the room that there is');
    drafts.flush();
    expect([full.kept.size, drafts.isDirty]).toEqual([0, true]);
    const none = new KeptDrafts(undefined);
    none.keep('rules', '', 'x');
    none.flush();
    expect(none.take('rules', isText)).toEqual({});
    const strange = storage();
    strange.kept
      .set('memory-keeper-draft rules ', '{torn')
      .set('memory-keeper-draft rules x', '{"at":1,"value":7}')
      .set('other', '"x"');
    expect(new KeptDrafts(strange).take('rules', isText)).toEqual({});
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
  const place = storage();
  /** The next page. */
  const drafts = async () => {
    vi.stubGlobal('window', { localStorage: place });
    vi.resetModules();
    return (await import('./text-drafts.ts')).memoryMdDrafts;
  };
  afterEach(() => vi.unstubAllGlobals());

  it.each(['a', 'a text of 700,000 characters'.repeat(25_000)])(
    'M19 goes on against the text that it was made from: what changed meanwhile is not overwritten',
    async (begun) => {
      const mine = `${begun} and mine`;
      const before = await drafts();
      before.tell('p', { kind: 'loaded', disk: { text: begun, version: 'v1' } });
      before.tell('p', { kind: 'typed', text: mine });
      vi.runAllTimers();
      const same = await drafts();
      expect(same.of('p')).toMatchObject({ text: mine, newer: null, base: { version: 'v1' } });
      same.tell('p', { kind: 'loaded', disk: { text: begun, version: 'v1' } });
      expect(same.of('p')).toMatchObject({
        text: mine,
        newer: null,
        base: { text: begun, version: 'v1' },
      });
      const changed = await drafts();
      changed.tell('p', { kind: 'loaded', disk: { text: 'theirs', version: 'v2' } });
      expect(changed.of('p')).toMatchObject({
        text: mine,
        newer: { version: 'v2' },
        base: { version: 'v1' },
      });
      const done = await drafts();
      done.tell('p', { kind: 'loaded', disk: { text: mine, version: 'v3' } });
      expect(done.of('p')).toMatchObject({ base: { version: 'v3' }, newer: null });
    },
  );
});
