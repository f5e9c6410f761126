/** The tray in words, in both languages. */
import { describe, expect, it } from 'vitest';
import type { LiveState } from '../core/usecases/contract.ts';
import { renderMessage, shortTokens } from '../core/usecases/messages.ts';
import en from '../resources/locales/en/tray.json' with { type: 'json' };
import ko from '../resources/locales/ko/tray.json' with { type: 'json' };
import { ClearNews } from './clear-news.ts';
import { textsIn } from './texts.ts';
import { tooltip, trayLines } from './tray-menu.ts';

interface Made {
  sessions?: object[];
  clears?: object[];
  isPaused?: boolean;
}

function state({ sessions = [], clears = [], isPaused = false }: Made): LiveState {
  return { sessions, clears, problems: [], isPaused } as unknown as LiveState;
}

const SESSION = {
  sessionId: 's1',
  project: 'memory-keeper',
  percent: 71.2,
  window: 200_000,
  state: 'idle',
  level: 'warn',
  keeping: { ok: true },
};
const CLEAR = {
  sessionId: 's1',
  projectRoot: '/home/me/memory-keeper',
  state: 'countdown',
  countdownEnds: '2026-01-01T00:00:10Z',
  steps: [],
};

describe('the tray in words', () => {
  it('G1 says the percentage, the window and the state', () => {
    expect(tooltip(state({ sessions: [SESSION] }), textsIn('en'))).toBe(
      'memory-keeper · 71 % of 200k · idle',
    );
    expect(tooltip(state({ sessions: [SESSION] }), textsIn('ko'))).toBe(
      'memory-keeper · 200k 중 71% · 대기 중',
    );
    expect(tooltip(state({ isPaused: true }), textsIn('en'))).toBe(
      'Memory Keeper · no active sessions · paused',
    );
    const silent = { ...SESSION, tokens: null, percent: null };
    expect(tooltip(state({ sessions: [silent] }), textsIn('en'))).toBe(
      'memory-keeper · nothing said yet · idle',
    );
    const unknown = { ...SESSION, tokens: 145_010, window: null, percent: null };
    expect(tooltip(state({ sessions: [unknown] }), textsIn('en'))).toBe(
      'memory-keeper · 145k, window unknown · idle',
    );
    // Past a threshold in tokens it is what the user must see.
    const fuller = { ...SESSION, project: 'other', percent: 99 };
    expect(tooltip(state({ sessions: [fuller, unknown] }), textsIn('en'))).toContain('145k');
    expect(shortTokens(1_000_000)).toBe('1M');
  });

  it('T6 says which session is not being saved, and why, even if another one is fuller', () => {
    const reason = { code: 'system.diskFull', values: { place: '/home/me', code: 'ENOSPC' } };
    const lost = {
      ...SESSION,
      project: 'notes',
      percent: 3,
      keeping: { ok: false, reason, since: '2026-01-01T00:00:00Z' },
    };
    const sessions = [SESSION, lost];
    expect(tooltip(state({ sessions }), textsIn('en'))).toBe(
      'memory-keeper · 71 % of 200k · idle\nnotes is not being saved: /home/me: the disk is full (ENOSPC)',
    );
    expect(trayLines(state({ sessions }), textsIn('ko')).slice(0, 2)).toEqual([
      { label: 'memory-keeper · 200k 중 71% · 대기 중' },
      {
        label: 'notes: 저장되지 않고 있습니다. /home/me: 디스크가 가득 찼습니다(ENOSPC)',
        act: { do: 'open' },
      },
    ]);
  });

  it('G6 has each text in both languages, with the same places to fill', () => {
    const places = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
    expect(Object.keys(ko)).toEqual(Object.keys(en));
    for (const key of Object.keys(en) as (keyof typeof en)[])
      expect([key, places(ko[key])]).toEqual([key, places(en[key])]);
  });

  it('G1 Open of a session leads to its project', () => {
    const session = { ...SESSION, projectRoot: '/home/me/memory-keeper' };
    const lines = JSON.stringify(trayLines(state({ sessions: [session] }), textsIn('en')));
    expect(lines).toContain(
      '{"label":"Open","act":{"do":"openProject","projectRoot":"/home/me/memory-keeper"}}',
    );
  });

  it('G1 Clear now says before it is clicked that nothing is given back without the plugin', () => {
    const label = (hasPlugin: boolean) => {
      const lines = trayLines(state({ sessions: [{ ...SESSION, hasPlugin }] }), textsIn('en'));
      return lines.flatMap((line) =>
        'lines' in line && line.lines !== undefined ? line.lines : [],
      )[0];
    };
    expect(label(true)).toMatchObject({ label: 'Clear now' });
    expect(label(false)).toMatchObject({ label: 'Clear now (nothing is restored)' });
  });

  it.each(['no-help', 'too-many', 'continued'])(
    'T5 says that a session is left alone, why, and offers to reset it: %s',
    (why) => {
      const session = { ...SESSION, pid: 7, hasPlugin: true, breaker: { why } };
      for (const language of ['en', 'ko'] as const) {
        const say = textsIn(language);
        expect(tooltip(state({ sessions: [session] }), say)).toContain(
          language === 'en' ? 'paused' : '멈춤',
        );
        const menu = trayLines(state({ sessions: [session] }), say).find((line) => 'lines' in line);
        const [reason, reset] = (menu as { lines: { label: string; act?: object }[] }).lines;
        expect(reason?.label).toBe(say(`leftAlone_${why}` as 'leftAlone_no-help'));
        expect(reset?.act).toEqual({ do: 'reset', sessionId: 's1', pid: 7 });
      }
    },
  );

  it('T5 Clear now says before it is clicked that another program runs the session', () => {
    const session = { ...SESSION, hasPlugin: true, kindRefusal: { code: 'x' } };
    const lines = JSON.stringify(trayLines(state({ sessions: [session] }), textsIn('en')));
    expect(lines).toContain('Clear now (run by another program)');
  });

  it('A6 offers to stop a clear while that is possible, and a yes where one is waited for', () => {
    const labels = (clear: object) =>
      trayLines(state({ sessions: [SESSION], clears: [clear] }), textsIn('en')).flatMap((line) =>
        'label' in line ? [line.label] : [],
      );
    expect(labels(CLEAR).slice(1, 5)).toEqual([
      'memory-keeper is about to be cleared',
      'Cancel',
      'Snooze',
      'Clear now',
    ]);
    const asked = labels({ ...CLEAR, countdownEnds: undefined });
    expect(asked.slice(1, 5)).toEqual([
      'Clear memory-keeper?',
      'No, leave it',
      'Snooze',
      'Yes, clear it',
    ]);
    expect(labels({ ...CLEAR, state: 'waiting' }).slice(1, 4)).toEqual([
      'memory-keeper clears when it is idle',
      'Cancel',
      'Snooze',
    ]);
    for (const over of ['delivering', 'verifying', 'restored', 'failed', 'cancelled'])
      expect(labels({ ...CLEAR, state: over })).not.toContain('Cancel');
  });

  it('G1 a folder may be called anything', () => {
    const [line] = trayLines(
      state({ sessions: [{ ...SESSION, project: `a\nb${'x'.repeat(200)}` }] }),
      textsIn('en'),
    );
    expect(line).toMatchObject({
      label: expect.stringMatching(/^a bx{36}… · 71 % of 200k · idle$/),
    });
  });
});

describe('what is worth a notification', () => {
  const at = (began: string, now: string, more: object = {}) =>
    state({
      clears: [
        { ...CLEAR, by: 'threshold', ...more, state: now, steps: [{ at: began }, { note: 'why' }] },
      ],
    });
  const told = (...states: LiveState[]) => {
    const news = new ClearNews();
    return states.flatMap((one) => news.take(one).map(({ what }) => what));
  };

  it('A7 a clear that has ended, with its reason, once', () => {
    const news = new ClearNews();
    news.take(at('1', 'delivering'));
    expect(news.take(at('1', 'failed'))).toEqual([
      { what: 'notCleared', projectRoot: CLEAR.projectRoot, note: 'why' },
    ]);
    expect(news.take(at('1', 'failed'))).toEqual([]);
    const { note } = news.take(at('2', 'restored'))[0] ?? {};
    expect(renderMessage('en', note ?? '')).toBe('why. To go back: claude --resume s1'); // K9
    expect(told(state({}), at('1', 'restored'), state({}), at('1', 'restored'))).toEqual([
      'cleared',
    ]);
    expect(told(state({}), at('1', 'restored'), at('2', 'restored'))).toEqual([
      'cleared',
      'cleared',
    ]);
  });

  it('K4 A6 A7 says of a session that is compacted that it is compacted, in both languages', () => {
    const compact = { method: 'compact' };
    expect(told(state({}), at('1', 'restored', compact), at('2', 'failed', compact))).toEqual([
      'compacted',
      'notCompacted',
    ]);
    const near = state({ clears: [{ ...CLEAR, ...compact }] });
    const labels = (language: 'en' | 'ko') =>
      trayLines(near, textsIn(language)).map((line) => ('label' in line ? line.label : ''));
    expect(labels('en')).toEqual(
      expect.arrayContaining(['memory-keeper is about to be compacted', 'Compact now']),
    );
    expect(labels('ko')).toEqual(
      expect.arrayContaining(['memory-keeper: 곧 압축합니다', '지금 압축']),
    );
  });

  it('A7 of a whole year: what is long gone is not held for ever', () => {
    const news = new ClearNews();
    const many = Array.from({ length: 52 }, (_, index) => at(String(index), 'restored'));
    for (const one of many) news.take(one);
    expect(news.take(many[1] as LiveState)).toEqual([]);
    // forgotten, as told by its being news again
    expect(news.take(many[0] as LiveState)).toHaveLength(1);
  });

  it('A7 not what ended before it was watched, nor what the user stopped or the policy gave up', () => {
    expect(told(at('1', 'failed'), at('1', 'failed'))).toEqual([]);
    expect(told(state({}), at('1', 'cancelled'))).toEqual([]);
    expect(
      told(state({}), at('1', 'cancelled', { by: 'user', notBefore: '2026-01-01T00:00:00Z' })),
    ).toEqual([]);
  });

  it('A7 a clear that the user asked for and that could not be, because it was busy', () => {
    expect(told(state({}), at('1', 'cancelled', { by: 'user' }))).toEqual(['notCleared']);
  });
});
