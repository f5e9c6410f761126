/** What was typed and not saved can be found, read and discarded, wherever it was typed (M19). */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { keptDrafts } from '../store/kept-drafts.ts';
import { memoryMdDrafts } from '../store/text-drafts.ts';
import { keepForm, useMemoryStore } from '../views/memory/data/memory-store.ts';
import { discardText, formOf } from './unsaved-texts.ts';

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

describe('text that was not saved', () => {
  const draft = (values: Record<string, string>) => ({
    values,
    initial: { content: 'a', reason: '' },
    version: 'v1',
  });

  it.each([
    ['/p\nd001', { content: 'mine', reason: 'why' }, { tab: 'facts', item: 'd001' }],
    ['/p\nr001', { content: 'mine', reason: 'why' }, { tab: 'permanent', item: 'r001' }],
    ['/p\nc001', { name: 'mine', summary: 'why' }, { tab: 'concepts', item: 'c001' }],
    ['/p\nnew facts', { content: 'mine', reason: 'why' }, { tab: 'facts' }],
    ['/p\nnew permanent', { content: 'mine', reason: 'why' }, { tab: 'permanent' }],
  ])('M19 of a form is listed with its words and its place: %j', (document, values, place) => {
    expect(formOf(document, draft(values))).toEqual([
      {
        kind: 'form',
        document,
        project: '/p',
        item: 'item' in place ? place.item : '',
        place: { view: 'memory', ...place },
        text: 'mine\nwhy',
      },
    ]);
  });

  it('M19 of a form is what differs: one that was only opened is none', () => {
    expect(formOf('/p\nd001', draft({ content: 'a', reason: '' }))).toEqual([]);
    expect(formOf('/p\nd001', draft({ content: 'a', reason: 'why' }))[0]?.text).toBe('why');
  });

  it('M19 of a form is discarded, and had back by Undo', () => {
    const form = draft({ content: 'mine' });
    keepForm('/gone\nd001', form);
    const undo = discardText({ kind: 'form', document: '/gone\nd001' });
    expect([useMemoryStore.getState().forms, keptDrafts.isDirty]).toEqual([{}, false]);
    undo();
    expect([useMemoryStore.getState().forms, keptDrafts.isDirty]).toEqual([
      { '/gone\nd001': form },
      true,
    ]);
    keepForm('/gone\nd001', null);
  });

  it('M19 of memory.md is discarded, and had back by Undo', () => {
    memoryMdDrafts.tell('/p', { kind: 'loaded', disk: { text: 'one', version: 'v1' } });
    memoryMdDrafts.tell('/p', { kind: 'typed', text: 'mine' });
    const undo = discardText({ kind: 'memory.md', document: '/p' });
    expect(memoryMdDrafts.of('/p')?.text).toBe('one');
    undo();
    expect([memoryMdDrafts.of('/p')?.text, keptDrafts.isDirty]).toEqual(['mine', true]);
    memoryMdDrafts.tell('/p', { kind: 'discarded' });
  });

  it('M19 from before is discarded without its file, which may be gone for good, and had back by Undo', async () => {
    const value = { base: 'v1', text: 'mine' };
    const kept = new Map<string, unknown>([['memory.md /gone', value]]);
    vi.resetModules();
    const page = await import('../store/kept-drafts.ts');
    const { memoryMdDrafts: drafts } = await import('../store/text-drafts.ts');
    await page.keptDrafts.open({
      open: async () => ({
        drafts: [...kept].map(([name, value]) => ({ name, at: 1, value })),
        isNews: false,
      }),
      async keep(changed) {
        for (const { name, value } of changed)
          if (value === null) kept.delete(name);
          else kept.set(name, value);
        return { unkept: [] };
      },
    });
    const undo = drafts.discard('/gone');
    await vi.runAllTimersAsync();
    expect([drafts.of('/gone'), kept.size]).toEqual([undefined, 0]);
    undo();
    await vi.runAllTimersAsync();
    expect(drafts.of('/gone')?.text).toBe('mine');
    expect([...kept.values()]).toEqual([value]);
    drafts.discard('/gone');
    drafts.tell('/gone', { kind: 'loaded', disk: { text: 'there again', version: 'v2' } });
    undo();
    expect(drafts.of('/gone')).toMatchObject({ text: 'mine', newer: { text: 'there again' } });
  });
});
