/** What the window says of past conversations (L1d): for one, none and thousands, in both languages. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BackfillRecord } from '../../../../core/usecases/contract.ts';
import { fileSize, setLanguage } from '../../../locale/locale.ts';
import { useBackfill } from './backfill-store.ts';
import {
  bannerOf,
  canUndo,
  choiceOf,
  dayOf,
  daysText,
  isOffered,
  notListedText,
  offerText,
  offerTitle,
  progressText,
  resultText,
  startOfDay,
  totalsOf,
  totalsText,
  undoText,
} from './backfill-words.ts';
import { madePreview, madeProject, madeResult } from './made-backfill.ts';

const NOW = new Date('2026-06-20T12:00:00Z');
const FIRST = useBackfill.getInitialState();
const record = (state: BackfillRecord['state'], sessions = 4): BackfillRecord => ({
  id: '1700000000000-abcdef',
  startedAt: '2026-06-19T12:00:00Z',
  state,
  sessions,
  projects: 1,
  isUndo: false,
});

beforeEach(() => setLanguage('en'));
afterEach(() => setLanguage('en'));

describe('the offer', () => {
  it('L1d says what there is, from when, and after how many days Claude Code deletes it', () => {
    const preview = madePreview({
      projects: [madeProject(), madeProject({ root: '/work/car' })],
      sessions: 1200,
      newest: NOW.toISOString(),
      transcriptDays: { days: 45, isDefault: false },
    });
    expect(offerTitle(preview)).toBe('Your past conversations are still on this machine');
    expect(offerText(preview, NOW)).toBe(
      '1,200 conversations in 2 projects, May 12, 2026 to today. Claude Code deletes transcripts after 45 days; what you import stays.',
    );
    setLanguage('ko');
    expect(offerText(preview, NOW)).toBe(
      '프로젝트 2개, 대화 1,200개(2026년 5월 12일 ~ 오늘)를 가져올 수 있습니다. Claude Code는 대화 기록을 45일 뒤에 삭제하지만, 가져온 대화는 그대로 남습니다.',
    );
  });

  it('L1d says one as one, and one day as one day', () => {
    const at = '2026-05-12T09:00:00Z';
    const preview = madePreview({
      sessions: 1,
      oldest: at,
      newest: at,
      transcriptDays: { days: 1, isDefault: false },
    });
    expect(offerTitle(preview)).toBe('A past conversation is still on this machine');
    expect(offerText(preview, NOW)).toBe(
      '1 conversation in 1 project, May 12, 2026. Claude Code deletes transcripts after 1 day; what you import stays.',
    );
  });

  it('L1d warns of no end where Claude Code keeps transcripts for good', () => {
    const preview = madePreview({ transcriptDays: { days: 99_999, isDefault: false } });
    expect(offerText(preview, NOW)).not.toContain('deletes');
  });

  it('L1d to go on says what is left', () => {
    const preview = madePreview({ sessions: 6, unfinished: record('stopped') });
    expect(offerText(preview, NOW)).toMatch(/^Still to import: 6 conversations in 1 project\./);
    setLanguage('ko');
    expect(offerText(preview, NOW)).toMatch(/^프로젝트 1개, 대화 6개를 더 가져와야 합니다\./);
  });

  it.each([
    ['something waits', madePreview(), [true, true]],
    ['nothing was looked for yet', null, [false, false]],
    ['nothing waits', madePreview({ sessions: 0, projects: [] }), [false, false]],
    ['only sessions that run now wait', madePreview({ sessions: 2, running: 2 }), [false, false]],
    ['something was imported before', madePreview({ undoable: record('done') }), [false, true]],
    [
      'an import did not end',
      madePreview({ undoable: record('stopped'), unfinished: record('stopped') }),
      [true, true],
    ],
    ['another program imports', madePreview({ unfinished: record('running') }), [false, false]],
  ])('L1d stands on the first page and in Memory where %s: %#', (_, preview, expected) => {
    const state = { ...FIRST, preview };
    expect([isOffered(state, 'first'), isOffered(state, 'memory')]).toEqual(expected);
  });
});

describe('the foot of the window', () => {
  it('L1d shows what goes on, then what came of it', () => {
    const preview = madePreview({ unfinished: record('running') });
    const result = madeResult();
    expect(bannerOf(FIRST)).toBeUndefined();
    expect(bannerOf({ ...FIRST, preview })).toBe('elsewhere');
    expect(bannerOf({ ...FIRST, preview, result })).toBe('over');
    expect(bannerOf({ ...FIRST, result, isUndoing: true })).toBe('undoing');
  });

  it.each([
    [madeResult({ sessions: 118, l1Bytes: 41_300_000 }), '118 past conversations imported (41 MB)'],
    [madeResult({ sessions: 1, l1Bytes: 900 }), '1 past conversation imported (1 kB)'],
    [madeResult({ sessions: 0 }), 'There was nothing to import'],
    [
      madeResult({ state: 'cancelled', sessions: 42, left: 1078 }),
      'Cancelled: 42 past conversations imported, 1,078 to go',
    ],
    [
      madeResult({ state: 'stopped', sessions: 1, left: 2 }),
      'Stopped: 1 past conversation imported, 2 to go',
    ],
  ])('L1d says what came of it: %#', (result, text) => {
    expect(resultText(result)).toBe(text);
  });

  it('L1d counts conversations and bytes', () => {
    const progress = {
      sessionsDone: 42,
      sessionsTotal: 1200,
      bytesDone: 41_000_000,
      bytesTotal: 1_240_000_000,
      project: '/p',
      projectName: 'p',
      isOver: false,
    };
    expect(progressText(progress)).toBe('42 of 1,200 conversations · 41 MB of 1.2 GB');
    setLanguage('ko');
    expect(progressText(progress)).toBe('대화 1,200개 중 42개 · 1.2GB 중 41MB');
  });
});

describe('an undo', () => {
  it('L1d is possible also after a kill, and names a number only where it is known', () => {
    const killed = record('stopped', 0);
    expect(canUndo(madePreview({ undoable: killed }))).toBe(true);
    expect(undoText(killed)).toMatch(/^Everything imported so far will leave memory/);
    expect(undoText(record('done'))).toMatch(/^4 conversations in 1 project will leave memory/);
    expect([canUndo(null), canUndo(madePreview())]).toEqual([false, false]);
    expect(canUndo(madePreview({ undoable: record('running') }))).toBe(false);
  });
});

describe('a choice', () => {
  const projects = [
    madeProject(),
    madeProject({ root: '/work/car', sessions: 1, bytes: 500_000, diskBytes: 25_000 }),
  ];

  it('L1d has totals that follow', () => {
    expect(totalsText(totalsOf(projects, new Set()))).toBe(
      '11 conversations in 2 projects · 5 MB to read · about 225 kB on disk',
    );
    expect(totalsText(totalsOf(projects, new Set(['/work/boat'])))).toBe(
      '1 conversation in 1 project · 500 kB to read · about 25 kB on disk',
    );
  });

  it('L1d names what was seen and wanted, so that a project that turns up later is not in it', () => {
    expect(choiceOf(projects, new Set(), '')).toEqual({});
    expect(choiceOf(projects, new Set(['/work/boat']), '')).toEqual({ only: ['/work/car'] });
  });

  it('L1d begins with the day as the user counts it', () => {
    const { since = '' } = choiceOf(projects, new Set(), '2026-05-12');
    expect(new Date(since).getHours()).toBe(0);
    expect(dayOf(startOfDay('2026-05-12'))).toBe('2026-05-12');
    expect(dayOf('no time')).toBe('');
  });

  it('L1d tells what is not listed, and why', () => {
    const { passedOver } = madePreview();
    expect(notListedText(madePreview())).toBe('');
    expect(
      notListedText(madePreview({ passedOver: { ...passedOver, kept: 1200, empty: 1 } })),
    ).toBe('Not listed: 1,200 already in memory, 1 empty.');
  });

  it('L1d shows no day where a transcript has none', () => {
    expect(daysText('no time', '', NOW)).toBe('');
  });
});

it('L1d sizes are written as people do', () => {
  expect([0, 1, 999_600, 41_000_000, 999_990_000, 1_250_000_000].map(fileSize)).toEqual([
    '0 kB',
    '1 kB',
    '1 MB',
    '41 MB',
    '1 GB',
    '1.3 GB',
  ]);
});
