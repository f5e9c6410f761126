/**
 * The timeline (G2): one clear is one entry, whatever lies between its steps, and nothing is lost
 * on the way.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import type { ActivityRow } from '../../../core/usecases/contract.ts';
import { message } from '../../../core/usecases/messages.ts';
import { setLanguage } from '../../locale/locale.ts';
import { headline, savedText } from './activity-text.ts';
import { type ClearEntry, daysOf, entriesOf } from './clear-groups.ts';
import { joined } from './use-activity.ts';

function row(second: number, what: string, more: Partial<ActivityRow> = {}): ActivityRow {
  const at = new Date(Date.parse('2026-01-02T14:02:00Z') + second * 1000).toISOString();
  return {
    at,
    what,
    note: null,
    figures: {},
    sessionId: 's1',
    project: '/w/my-app',
    way: null,
    hasGiven: false,
    ...more,
  };
}

const GONE = message('clear.driverFailed', {
  driver: message('driver.tmux'),
  reason: message('driver.tmuxPaneGone'),
});
const CLEAR = [
  row(0, 'detected', { note: message('clear.thresholdReached', { percent: 71 }) }),
  row(10, 'saving'),
  row(10.2, 'saved', { figures: { entries: 38 } }),
  row(10.4, 'delivering', { way: 'mod' }),
  row(11, 'given', {
    sessionId: 's2',
    hasGiven: true,
    figures: { characters: 8412 },
  }),
  row(11.2, 'restored', {
    way: 'mod',
    note: message('clear.restoredAt', { percent: 71, characters: 8412 }),
  }),
];

beforeEach(() => setLanguage('en'));

describe('the timeline', () => {
  it('G2 K9 tells a clear in one line, in the words of the session, with how it was done', () => {
    const [entry, ...others] = entriesOf(CLEAR.toReversed());
    expect(others).toEqual([]);
    expect(entry && headline(entry, 'my-app')).toBe(
      'my-app: Cleared at 71 % · conversation saved · 8,412-character briefing restored · mod, 0.6 s',
    );
    expect((entry as ClearEntry).steps).toHaveLength(CLEAR.length);
    expect((entry as ClearEntry).sessionId).toBe('s1'); // the one to go back to
  });

  it('K9 where everything was saved as it was said, it says so, and not "0 entries"', () => {
    expect(savedText(row(0, 'saved', { figures: { entries: 0 } }))).toBe(
      'everything was saved already',
    );
    expect(savedText(row(0, 'saved', { figures: { entries: 2 } }))).toBe('saved 2 entries');
  });

  it('K4 G2 tells a compaction as one, while it goes on and when it has ended', () => {
    const note = message('clear.compactedTo', { before: 145_015, after: 3400 });
    const rows = CLEAR.filter(({ what }) => what !== 'given').map((one) =>
      one.what === 'saved'
        ? one
        : { ...one, method: 'compact' as const, ...(one.what === 'restored' && { note }) },
    );
    const words = (some: readonly ActivityRow[]) => {
      const [entry] = entriesOf(some.toReversed());
      return entry && headline(entry, 'my-app');
    };
    expect(words(rows)).toBe('my-app: Compacted from 145,015 to 3,400 tokens · mod, 0.8 s');
    expect(words(rows.slice(0, -1))).toBe('conversation saved · compacting my-app');
    setLanguage('ko');
    expect(words(rows)).toContain('145,015 토큰에서 3,400 토큰으로 압축했습니다');
  });

  it('G2 keeps two clears apart that go on at the same time', () => {
    const other = [
      row(1, 'detected', { sessionId: 'x', project: '/w/b' }),
      row(5, 'cancelled', { sessionId: 'x', project: '/w/b' }),
    ];
    const rows = joined(CLEAR, other);
    const entries = entriesOf(rows) as ClearEntry[];
    expect(entries.map(({ project, outcome }) => [project, outcome])).toEqual([
      ['/w/b', 'cancelled'],
      ['/w/my-app', 'restored'],
    ]);
  });

  it('A7 tells a failure with its reason, and no time that it did not take', () => {
    const failed = [...CLEAR.slice(0, 4), row(12, 'failed', { note: GONE })];
    const [entry] = entriesOf(failed.toReversed()) as [ClearEntry];
    expect(entry).toMatchObject({
      outcome: 'failed',
      note: GONE,
      seconds: null,
    });
    expect(headline(entry, 'my-app')).toBe('conversation saved · clearing my-app failed');
  });

  it('G2 leaves alone what belongs to no clear', () => {
    const given = row(-600, 'given', {
      sessionId: 's0',
      hasGiven: true,
      figures: { characters: 120 },
    });
    const entries = entriesOf([
      ...CLEAR.toReversed(),
      row(-500, 'facts', { figures: { facts: 1 } }),
      given,
    ]);
    expect(entries.map((entry) => headline(entry, 'my-app')).slice(1)).toEqual([
      'found 1 fact',
      'session started with a 120-character briefing',
    ]);
  });

  it('G2 says where nothing was given back, and makes no line of a look that found nothing', () => {
    const nothing = { characters: 0 };
    const began = row(-600, 'given', { sessionId: 's0', figures: nothing });
    const entries = entriesOf([row(-500, 'facts', { figures: { facts: 0 } }), began]);
    expect(entries.map((entry) => headline(entry, 'my-app'))).toEqual([
      'session started, nothing known yet',
    ]);
    const note = message('clear.nothingToRestore');
    const cleared = CLEAR.map((step) => (step.what === 'restored' ? { ...step, note } : step));
    const [clear] = entriesOf(cleared.toReversed());
    expect(clear && headline(clear, 'my-app')).toContain('There was nothing to restore yet');
  });

  it('G2 gives a clear only what its own new session got', () => {
    const later = row(600, 'given', {
      sessionId: 's3',
      hasGiven: true,
      figures: { characters: 120 },
    });
    const cleared = CLEAR.filter(({ what }) => what !== 'given');
    expect(entriesOf([later, ...cleared.toReversed()]).map(({ kind }) => kind)).toEqual([
      'single',
      'clear',
    ]);
    const cancelled = [row(0, 'detected'), row(1, 'cancelled')];
    const soon = row(2, 'given', { sessionId: 's3', hasGiven: true });
    expect(entriesOf([soon, ...cancelled.toReversed()]).map(({ kind }) => kind)).toEqual([
      'single',
      'clear',
    ]);
  });

  it('G2 loses no row and shows none twice, also where pages overlap', () => {
    const rows = joined(CLEAR.slice(3), CLEAR.slice(0, 4));
    expect(rows).toEqual(CLEAR.toReversed());
  });

  it('G2 stands by day', () => {
    const entries = entriesOf([
      row(0, 'note', { sessionId: null }),
      row(-86_400, 'note', { sessionId: null }),
    ]);
    expect(daysOf(entries).map(({ entries: own }) => own.length)).toEqual([1, 1]);
  });
});
