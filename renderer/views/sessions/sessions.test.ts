/** What a session's card says (C3, A6): from the engine's figures alone. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { ClearRecord } from '../../../core/clear/clear-record.ts';
import type { SessionView } from '../../../core/usecases/contract.ts';
import { message } from '../../../core/usecases/messages.ts';
import { countdownLines } from '../../countdown/countdown-lines.ts';
import { announced, nearText, timeText } from '../../countdown/countdown-texts.ts';
import { setLanguage } from '../../locale/locale.ts';
import {
  compactionText,
  forecastText,
  growthSummary,
  growthText,
  idleCompactionText,
  terminalText,
  thresholdText,
  tokensText,
} from './figures-text.ts';
import { byProject, fullestOf, inOrderOf, type SessionGroup } from './grouping.ts';
import { clearOf, lastClear, nextStep } from './next-step.ts';

const NOW = Date.parse('2026-01-02T12:00:00Z');

const SESSION = {
  sessionId: 's1',
  pid: 10,
  processStart: '1',
  project: 'my-app',
  projectRoot: '/w/my-app',
  clearMode: 'auto',
  clearAtTokens: 150_000,
  hasPlugin: true,
  notClearedBefore: null,
  breaker: null,
  kindRefusal: null,
  tokens: 90_000,
  window: 200_000,
  percent: 45,
  level: 'ok',
  warnAtTokens: 150_000,
  criticalAtTokens: 170_000,
  growthPerTurn: 9100,
  turnsLeft: 3,
  turnsLeftTo: 'critical',
  terminal: {},
  growth: [],
  startedAt: '2026-01-02T10:00:00Z',
} as unknown as SessionView;

function record(state: ClearRecord['state'], more: Partial<ClearRecord> = {}): ClearRecord {
  const owner = { pid: 1, startTime: '1', host: 'h' };
  const steps = [{ state, at: '2026-01-02T11:59:00Z', note: message('clear.busy') }];
  return {
    sessionId: 's1',
    pid: 10,
    processStart: '1',
    projectRoot: '/w/my-app',
    by: 'threshold',
    owner,
    state,
    steps,
    ...more,
  };
}

beforeEach(() => setLanguage('en'));

describe('figures', () => {
  it('C3 tell the turns left to the threshold that comes next, with its own number', () => {
    expect(forecastText(SESSION)).toBe('~3 turns to 85 %');
    expect(forecastText({ ...SESSION, turnsLeft: 1, turnsLeftTo: 'warn' })).toBe('~1 turn to 75 %');
  });

  it('K5 tell where Claude Code compacts and what sets it, in both languages', () => {
    const by = (scope: string, name: string) => ({ name, scope, path: null });
    const point = (facts: object) => compactionText({ ...SESSION, ...facts } as SessionView);
    const cases = [
      { compactsAtTokens: 167_000, compactsAtSource: 'default', compactsAtFrom: null },
      {
        compactsAtTokens: 167_000,
        compactsAtSource: 'setting',
        compactsAtFrom: by('user', 'autoCompactWindow'),
      },
      { compactsAtTokens: 200_000, compactsAtSource: 'limit', compactsAtFrom: null },
      {
        compactsAtTokens: null,
        compactsAtSource: 'off',
        compactsAtFrom: by('process', 'DISABLE_COMPACT'),
      },
      { compactsAtTokens: null, compactsAtSource: 'unknown', compactsAtFrom: null },
    ];
    expect(cases.map(point)).toEqual([
      'Claude Code compacts at 167k (default)',
      'Claude Code compacts at 167k (autoCompactWindow in your settings)',
      'Claude Code compacts only when the window is full',
      'Claude Code does not compact by itself (environment variable DISABLE_COMPACT)',
      '',
    ]);
    const idle = { tokens: 250_000, idleCompactsFromTokens: 200_000 };
    expect(idleCompactionText(idle)).toBe('may also compact it while idle (from 200k)');
    expect(idleCompactionText({ ...idle, tokens: 150_000 })).toBe('');
    const next = { ...SESSION, turnsLeft: 2, turnsLeftTo: 'compaction' as const };
    expect(forecastText(next)).toBe('~2 turns until Claude Code compacts');
    setLanguage('ko');
    expect(cases.map(point)).toEqual([
      'Claude Code 자동 압축: 167k에서(기본값)',
      'Claude Code 자동 압축: 167k에서(내 설정의 autoCompactWindow)',
      'Claude Code 자동 압축: 컨텍스트가 가득 찼을 때만',
      'Claude Code 자동 압축 꺼짐(환경 변수 DISABLE_COMPACT)',
      '',
    ]);
    expect(forecastText(next)).toBe('Claude Code 자동 압축까지 약 2턴');
  });

  it('C4 tell a threshold in tokens where it is no whole share', () => {
    expect(thresholdText(123_456, 200_000)).toBe('123k');
    expect(thresholdText(150_000, null)).toBe('150k');
  });

  it('C3 promise nothing without growth, and nothing behind the last threshold', () => {
    const none = { ...SESSION, turnsLeft: null, turnsLeftTo: null };
    expect(forecastText({ ...none, growthPerTurn: null })).toBe('not enough turns for a forecast');
    expect(forecastText({ ...none, growthPerTurn: -20 })).toBe('not growing');
    expect(forecastText({ ...none, level: 'critical' })).toBe('above all thresholds');
  });

  it('C3 tell growth with its sign, and the terminal as a person names it', () => {
    expect([growthText(9100), growthText(-1200), growthText(0)]).toEqual([
      '+9.1k a turn',
      '−1.2k a turn',
      '±0 a turn',
    ]);
    expect(
      terminalText({
        terminal: { tty: '/dev/pts/1', tmux: { socket: 's', pane: '%1', place: 'main:2.0' } },
      }),
    ).toBe('tmux main:2.0');
    expect(terminalText({ terminal: {} })).toBe('no terminal');
  });

  it('G6 put the chart into a sentence for whoever cannot see it', () => {
    const growth = [
      { tokens: 10_000, at: null, isFresh: false },
      { tokens: 120_000, at: null, isFresh: false },
      { tokens: 30_000, at: null, isFresh: true },
    ];
    expect(growthSummary({ ...SESSION, growth })).toBe(
      'Growth over the last 3 turns of my-app: from 10k to 30k tokens, at most 120k, +9.1k a turn. Cleared 1 time. The line stands at 75 %.',
    );
  });
});

describe('what comes next', () => {
  const next = (session: Partial<SessionView>, clear?: ClearRecord, isPaused = false) =>
    nextStep({ ...SESSION, ...session }, clear, isPaused, NOW);

  it('A9 a session that is full is offered a clear, whatever else holds; one that is being cleared says how far it is', () => {
    for (const more of [{}, { clearMode: 'off' as const }, { hasPlugin: false }])
      expect(next({ ...more, isFull: true })).toEqual({ kind: 'full' });
    expect(next({ isFull: true }, undefined, true)).toEqual({ kind: 'full' });
    expect(next({ isFull: true }, record('saving'))).toMatchObject({ kind: 'working' });
  });

  it('A6 is the countdown while there is one, and a question where a yes is waited for', () => {
    const ends = '2026-01-02T12:00:08Z';
    expect(next({}, record('countdown', { countdownEnds: ends }))).toEqual({
      kind: 'countdown',
      ends: Date.parse(ends),
    });
    expect(next({}, record('countdown'))).toEqual({ kind: 'ask' });
  });

  it('A3 is to wait, with the reason, while the session is not idle', () => {
    expect(next({}, record('waiting'))).toEqual({ kind: 'waiting', reason: message('clear.busy') });
  });

  it('A6 is nothing while paused, off, or put off; and that is said', () => {
    const until = '2026-01-02T12:30:00Z';
    expect(next({}, undefined, true)).toEqual({ kind: 'paused' });
    expect(next({ clearMode: 'off' })).toEqual({ kind: 'off' });
    expect(next({}, record('cancelled', { notBefore: until }))).toEqual({ kind: 'put-off', until });
    expect(next({}, record('cancelled', { notBefore: '2026-01-02T11:59:59Z' }))).toEqual({
      kind: 'auto',
      atTokens: 150_000,
    });
    expect(next({}, record('restored', { notBefore: until }))).toEqual({
      kind: 'auto',
      atTokens: 150_000,
    });
  });

  it('L1e C2 is nothing where a threshold in percent meets an unknown window; one in tokens holds', () => {
    expect(next({ clearAtTokens: null, window: null })).toEqual({ kind: 'no-window' });
    expect(next({ clearAtTokens: null, window: null, tokens: null })).toEqual({ kind: 'unknown' });
    expect(next({ window: null })).toEqual({ kind: 'auto', atTokens: 150_000 });
    expect(tokensText({ tokens: 90_000, window: null })).toBe('90k / window unknown');
    expect(tokensText({ tokens: 90_000, window: 200_000 })).toBe('90k / 200k');
  });

  it('A1 is a clear after the next reply where the threshold is passed already: until then nobody signals', () => {
    expect(next({ tokens: 150_000 })).toEqual({ kind: 'auto-next' });
    expect(next({ tokens: 160_000, clearMode: 'ask' })).toEqual({ kind: 'ask-next' });
    expect(next({ tokens: 149_999, clearMode: 'ask' })).toEqual({
      kind: 'ask-at',
      atTokens: 150_000,
    });
  });

  it.each(['quiet-hours', 'cooldown'] as const)(
    'A6 A7 promises no clear before its time, and says why: %s',
    (why) => {
      const at = '2026-01-02T12:10:00Z';
      const notClearedBefore = { at, why };
      expect(next({ tokens: 150_000, notClearedBefore })).toEqual({ kind: why, until: at });
      expect(next({ tokens: 150_000, clearMode: 'ask', notClearedBefore })).toEqual({
        kind: why,
        until: at,
      });
      expect(next({ tokens: 149_999, notClearedBefore })).toEqual({
        kind: 'auto',
        atTokens: 150_000,
      });
      expect(
        next({ tokens: 150_000, notClearedBefore: { at: '2026-01-02T12:00:00Z', why } }),
      ).toEqual({ kind: 'auto-next' });
    },
  );

  it('A1 is nothing by itself in a session without the plugin', () => {
    expect(next({ hasPlugin: false })).toEqual({ kind: 'no-plugin' });
  });

  it('T5 is to be left alone, with the reason, while the breaker is open or its kind is not cleared', () => {
    const breaker = {
      why: 'no-help' as const,
      reason: message('clear.breakerNoHelp', { tokens: 160_000, limit: 150_000 }),
      since: '2026-01-02T11:00:00Z',
      until: null,
    };
    expect(next({ tokens: 160_000, breaker })).toEqual({ kind: 'breaker', breaker });
    expect(next({ tokens: 160_000, breaker }, record('saving'))).toMatchObject({ kind: 'working' });
    const kindRefusal = message('clear.kindNotCleared.sdk');
    expect(next({ kindRefusal, breaker })).toEqual({ kind: 'other-kind', reason: kindRefusal });
    expect(next({ kindRefusal, clearMode: 'off' })).toEqual({ kind: 'off' });
  });

  it('A7 keeps how the last clear ended, also in the session that came of it', () => {
    const cleared = record('restored', { sessionId: 's0', newSessionId: 's1', pid: 99 });
    const stranger = record('failed', { sessionId: 's9', pid: 98 });
    expect(clearOf(SESSION, [stranger, cleared])).toBe(cleared);
    expect(lastClear(cleared)?.state).toBe('restored');
    expect(lastClear(record('saving'))).toBeUndefined();
  });

  it('A3 a session that was resumed in two terminals shows the clear that is going on in its own', () => {
    const elsewhere = record('countdown', { pid: 11 });
    expect(clearOf(SESSION, [elsewhere])).toBeUndefined();
    expect(clearOf({ ...SESSION, pid: 11 }, [elsewhere])).toBe(elsewhere);
  });

  it('A7 shows the clear that is going on rather than an older one', () => {
    const running = record('saving');
    const later = record('failed', {
      sessionId: 's0',
      steps: [{ state: 'failed', at: '2026-01-02T11:59:59Z' }],
    });
    expect(clearOf(SESSION, [later, running])).toBe(running);
  });
});

describe('the list', () => {
  const named = (
    sessionId: string,
    projectRoot: string,
    level: SessionView['level'],
    startedAt: string,
  ) =>
    ({
      ...SESSION,
      sessionId,
      pid: Number(sessionId),
      projectRoot,
      project: projectRoot.slice(1),
      level,
      startedAt,
    }) as SessionView;
  const shown = (groups: SessionGroup[]) =>
    groups.map(({ name, sessions: own }) => [name, own.map(({ sessionId }) => sessionId)] as const);
  const sessions = [
    named('1', '/b', 'ok', '2'),
    named('2', '/a', 'ok', '3'),
    named('3', '/b', null, '1'),
  ];

  it('C3 stands by project and age, and does not jump with each reply', () => {
    const inOrder = [
      ['a', ['2']],
      ['b', ['1', '3']],
    ];
    expect(shown(byProject(sessions, [], null))).toEqual(inOrder);
    const grown = sessions.map((session) => ({
      ...session,
      percent: session.sessionId === '1' ? 69 : 3,
    }));
    expect(shown(byProject(grown, [], null))).toEqual(inOrder);
    expect(shown(byProject(sessions, [], '/b')).map(([name]) => name)).toEqual(['b', 'a']);
  });

  it('C3 has a full session before others, and one that is about to be cleared before all', () => {
    const full = [
      ...sessions,
      named('4', '/z', 'critical', '4'),
      named('5', '/y', 'warn', '5'),
      named('6', '/b', 'warn', '6'),
    ];
    expect(shown(byProject(full, [], null))).toEqual([
      ['z', ['4']],
      ['b', ['6', '1', '3']],
      ['y', ['5']],
      ['a', ['2']],
    ]);
    const clears = [
      record('countdown', { sessionId: '3' }),
      record('restored', { sessionId: '2' }),
    ];
    expect(shown(byProject(full, clears, '/y')).map(([name, own]) => [name, own[0]])).toEqual([
      ['b', '3'],
      ['y', '5'],
      ['z', '4'],
      ['a', '2'],
    ]);
  });

  it('C3 keeps what is shown where it is while somebody points at it, and puts what is new at the end', () => {
    const before = byProject(sessions, [], null);
    const full = [
      ...sessions.with(0, named('1', '/b', 'critical', '2')),
      named('9', '/b', 'critical', '0'),
      named('8', '/0', 'ok', '1'),
    ];
    expect(shown(inOrderOf(before, byProject(full, [], null)))).toEqual([
      ['a', ['2']],
      ['b', ['1', '3', '9']],
      ['0', ['8']],
    ]);
  });

  it('C3 knows the fullest', () => {
    const [one, two, three] = sessions as [SessionView, SessionView, SessionView];
    expect(
      fullestOf([
        { ...one, percent: 10 },
        { ...two, percent: 90 },
        { ...three, percent: null },
      ])?.sessionId,
    ).toBe('2');
  });
});

describe('a clear that is near', () => {
  const ends = '2026-01-02T12:00:08Z';
  const other = { ...SESSION, sessionId: 's2', pid: 11, name: 'my-app-2' } as SessionView;
  const near = (sessions: SessionView[], clears: ClearRecord[]) =>
    countdownLines({ sessions, clears });

  it('A6 is one that counts down or waits for a yes, and no other', () => {
    const clears = [
      record('countdown', { countdownEnds: ends }),
      record('waiting', { sessionId: 's2' }),
    ];
    const lines = near([SESSION, other], clears);
    expect(lines.map(({ sessionId }) => sessionId)).toEqual(['s1']);
    expect(lines.map((line) => timeText(line, NOW))).toEqual(['clears in 0:08']);
    expect(near([SESSION], [record('countdown')]).map((line) => timeText(line, NOW))).toEqual([
      'is full. Clear it now?',
    ]);
  });

  it('A6 is told in the title of the page, and aloud', () => {
    const lines = near([SESSION], [record('countdown', { countdownEnds: ends })]);
    expect(nearText(lines)).toBe('my-app is about to be cleared');
    expect(lines.map(announced)).toEqual([
      'my-app is about to be cleared. 45 % of 200k. The conversation is saved and restored.',
    ]);
    expect(nearText(near([SESSION], [record('countdown')]))).toBe('Clear my-app?');
    expect(nearText([])).toBeUndefined();
  });

  it('A6 has the name that its card has: of the session, where several of the project live', () => {
    const clears = [record('countdown', { sessionId: 's2' })];
    expect(near([other], clears)[0]?.name).toBe('my-app');
    expect(near([SESSION, other], clears)[0]?.name).toBe('my-app-2');
    expect(near([], clears)[0]?.name).toBe('my-app');
  });
});
