import { describe, expect, it } from 'vitest';
import { rowOfActivity, rowOfJournal } from './activity-rows.ts';

const AT = '2026-11-16T09:00:00.000Z';

describe('rows of the activity', () => {
  it.each(['zzz', '', '2026-11-16', '2026-11-16T25:00:00Z', '2026-11-16T09:00:00+05'])(
    'G2 a line whose time is "%s" is no row, so that it cannot keep the others from being shown',
    (at) => {
      expect(
        rowOfJournal(JSON.stringify({ type: 'delta', at, text: 'x' }), '/app'),
      ).toBeUndefined();
      expect(rowOfActivity(JSON.stringify({ at, what: 'note' }))).toBeUndefined();
    },
  );

  it('G2 a line with a time is a row', () => {
    expect(
      rowOfJournal(JSON.stringify({ type: 'delta', at: AT, text: 'x' }), '/app'),
    ).toMatchObject({ at: AT, note: 'x' });
    expect(rowOfActivity(JSON.stringify({ at: AT, what: 'note', note: 'x' }))).toMatchObject({
      at: AT,
      note: 'x',
    });
  });

  it('G2 what an edit was about is named in short, however long its name is', () => {
    const edit = {
      type: 'edit',
      at: AT,
      document: 'memory',
      part: 'p'.repeat(1e6),
      id: 'i'.repeat(1e6),
      value: null,
    };
    const note = rowOfJournal(JSON.stringify(edit), '/app')?.note ?? '';
    expect(String(note).length).toBeLessThan(1000);
    expect(note).toMatch(/^memory\.md, p+…, i+… removed$/);
  });
});
