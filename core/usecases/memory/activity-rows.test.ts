import { describe, expect, it } from 'vitest';
import { renderMessage } from '../../messages/all-messages.ts';
import { rowOfActivity, rowOfJournal } from './activity-rows.ts';

const AT = '2026-11-16T09:00:00.000Z';

describe('rows of the activity list', () => {
  it.each(['zzz', '', '2026-11-16', '2026-11-16T25:00:00Z', '2026-11-16T09:00:00+05'])(
    'G2 a line whose time is "%s" makes no row, so that it cannot hide the others',
    (at) => {
      expect(
        rowOfJournal(JSON.stringify({ type: 'delta', at, text: 'x' }), '/app'),
      ).toBeUndefined();
      expect(rowOfActivity(JSON.stringify({ at, what: 'note' }))).toBeUndefined();
    },
  );

  it('G2 a line with a time makes a row', () => {
    expect(
      rowOfJournal(JSON.stringify({ type: 'delta', at: AT, text: 'x' }), '/app'),
    ).toMatchObject({ at: AT, note: 'x' });
    expect(rowOfActivity(JSON.stringify({ at: AT, what: 'note', note: 'x' }))).toMatchObject({
      at: AT,
      note: 'x',
    });
  });

  it('G2 names what was edited in short, however long the name is', () => {
    const edit = {
      type: 'edit',
      at: AT,
      document: 'memory',
      part: 'p'.repeat(1e6),
      id: 'i'.repeat(1e6),
      value: null,
    };
    const note = renderMessage('en', rowOfJournal(JSON.stringify(edit), '/app')?.note ?? '');
    expect(note.length).toBeLessThan(1000);
    expect(note).toMatch(/^memory\.md, p+…, i+… removed$/);
  });

  it.each([
    [{ value: {} }, 'Issue i004', '문제 i004'],
    [{ value: null }, 'Issue i004 removed', '문제 i004 삭제'],
    [{ value: {}, isUndo: true }, 'Issue i004: change undone', '문제 i004: 변경을 되돌림'],
    [{ value: null, isUndo: true }, 'Issue i004 removed by undo', '문제 i004: 되돌려서 삭제'],
  ])('G2 G6 an edit with %j is described in both languages', (how, en, ko) => {
    const edit = { type: 'edit', at: AT, document: 'facts', part: 'issues', id: 'i004', ...how };
    const note = rowOfJournal(JSON.stringify(edit), '/app')?.note ?? '';
    expect(renderMessage('en', note)).toBe(en);
    expect(renderMessage('ko', note)).toBe(ko);
  });
});
