import { describe, expect, it } from 'vitest';
import { deedOf, diffsOf, titleOf } from './edit-text.ts';

describe('edits in words', () => {
  it('M19 tells what was added, changed and forgotten', () => {
    expect(deedOf({ before: null, after: {} })).toBe('added');
    expect(deedOf({ before: 'a', after: 'b' })).toBe('changed');
    expect(deedOf({ before: {}, after: undefined })).toBe('forgotten');
  });

  it('M19 shows the fields that differ, unknown ones too, and not what changes with every edit', () => {
    const before = { id: 'd1', content: 'a', keywords: ['x'], mood: { good: 1 }, editedAt: '1' };
    const after = {
      id: 'd1',
      content: 'b',
      keywords: ['x', 'y'],
      mood: { good: 2 },
      editedAt: '2',
    };
    expect(diffsOf({ before, after })).toEqual([
      { field: 'content', before: 'a', after: 'b' },
      { field: 'keywords', before: 'x', after: 'x, y' },
      { field: 'mood', before: '{"good":1}', after: '{"good":2}' },
    ]);
  });

  it('M19 an item that came or went is shown by its words', () => {
    expect(diffsOf({ before: { content: 'gone' }, after: null })).toEqual([
      { field: '', before: 'gone', after: '' },
    ]);
    expect(titleOf({ before: { name: 'money' }, after: null })).toBe('money');
  });

  it('M19 a text is compared as a whole', () => {
    expect(diffsOf({ before: 'a', after: 'b' })).toEqual([{ field: '', before: 'a', after: 'b' }]);
    expect(diffsOf({ before: null, after: '' })).toEqual([]);
  });
});
