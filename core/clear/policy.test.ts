import { describe, expect, it } from 'vitest';
import { message } from '../messages/message.ts';
import { SETTING_DEFINITIONS, SETTING_KEYS } from '../settings/setting-definitions.ts';
import type { AutoClearSettings } from '../settings/settings.ts';
import { openBreaker } from './breaker.ts';
import type { ClearRecord } from './clear-record.ts';
import { decide, earliestClear, type PolicyInput } from './policy.ts';

const settings: AutoClearSettings = {
  mode: 'auto',
  method: 'clear',
  threshold: { percent: 70 },
  countdownSeconds: 10,
  cooldownMinutes: 10,
  busyMinutes: 10,
  snoozeMinutes: 30,
  continue: false,
  summary: true,
  quietHours: undefined,
  maxPerHour: 6,
  kinds: ['cli'],
};
const SESSION: PolicyInput['session'] = {
  sessionId: 's',
  model: 'claude-sonnet-4-5',
  tokens: 145_010,
  window: 200_000,
  percent: 73,
  lowestTokens: 20_000,
  sessionKind: 'cli',
};
const now = new Date(2026, 10, 16, 23, 30);
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();

function decision(facts: Partial<PolicyInput> = {}) {
  return decide({ session: SESSION, settings, records: [], isPaused: false, now, ...facts });
}

function record(
  state: ClearRecord['state'],
  at: string,
  more: Partial<ClearRecord> = {},
): ClearRecord {
  const owner = { pid: 1, startTime: '', host: '' };
  const steps = [{ state, at }];
  return {
    sessionId: 's',
    pid: 2,
    processStart: '3',
    projectRoot: '/p',
    by: 'threshold',
    owner,
    state,
    steps,
    ...more,
  };
}

/** An automatic clear that was carried out. */
function cleared(minutes: number, more: Partial<ClearRecord> = {}): ClearRecord {
  const steps = [
    { state: 'delivering' as const, at: minutesAgo(minutes) },
    { state: 'restored' as const, at: minutesAgo(minutes) },
  ];
  return record('restored', minutesAgo(minutes), {
    sessionId: `before-${minutes}`,
    steps,
    ...more,
  });
}

describe('the breaker', () => {
  const quick = { ...settings, cooldownMinutes: 0 };
  const last = cleared(5, { newSessionId: SESSION.sessionId });
  const stillFull = { ...SESSION, lowestTokens: 141_000 };
  const noHelp = message('clear.breakerNoHelp', { tokens: 141_000, limit: 140_000 });

  it('T5 leaves a session alone that was at its threshold right after the last clear, and decides again', () => {
    const facts = { settings: quick, records: [last], session: stillFull };
    expect(decision(facts)).toEqual({ clear: false, reason: noHelp, isTemporary: true });
    const tomorrow = new Date(now.getTime() + 24 * 60 * 60_000);
    expect(decision({ ...facts, now: tomorrow })).toMatchObject({ reason: noHelp });
    const byHand = cleared(5, { newSessionId: SESSION.sessionId, by: 'user' });
    expect(decision({ ...facts, records: [byHand] })).toMatchObject({ reason: noHelp });
  });

  it.each([
    ['a reply was below the threshold', { session: SESSION }],
    [
      'the user raises the threshold',
      { settings: { ...quick, threshold: { percent: 72 } }, session: stillFull },
    ],
    ['the user resets it', { records: [{ ...last, isReset: true }], session: stillFull }],
    ['another session runs there', { session: { ...stillFull, sessionId: 'resumed' } }],
  ])('T5 clears it again when %s', (_, facts) => {
    expect(decision({ settings: quick, records: [last], ...facts })).toEqual({ clear: true });
  });

  it('T5 clears a process so many times an hour, and again when the first of them is an hour old', () => {
    const records = [10, 20, 30, 40, 50, 59].map((minutes) => cleared(minutes));
    const facts = { settings: quick, records };
    const until = minutesAgo(-1);
    expect(decision(facts)).toEqual({
      clear: false,
      reason: message('clear.breakerTooMany', { count: 6, until }),
      isTemporary: true,
    });
    expect(openBreaker({ session: SESSION, now, ...facts })).toEqual({
      why: 'too-many',
      reason: message('clear.breakerTooMany', { count: 6, until }),
      since: minutesAgo(10),
      until,
    });
    expect(decision({ ...facts, now: new Date(until) })).toEqual({ clear: true });
    expect(decision({ records, settings: { ...quick, maxPerHour: 7 } })).toEqual({ clear: true });
    expect(decision({ records, settings: { ...quick, maxPerHour: 1 } })).toMatchObject({
      reason: message('clear.breakerTooMany', { count: 1, until: minutesAgo(-50) }),
    });
  });

  it.each([
    ['the user asked for', { by: 'user' as const }],
    ['the user said yes to', { isAgreed: true }],
    ['were reset', { isReset: true }],
    ['were stopped in time', { state: 'cancelled' as const, steps: [] }],
  ])('T5 does not count clears that %s', (_, more) => {
    const one = { ...quick, maxPerHour: 1 };
    expect(decision({ settings: one, records: [cleared(1)] })).toMatchObject({ clear: false });
    expect(decision({ settings: one, records: [cleared(1, more)] })).toEqual({ clear: true });
  });

  it('T5 counts each failed try of the same session', () => {
    const failed = cleared(1, { state: 'failed', earlier: [2, 3, 4, 5, 6].map(minutesAgo) });
    expect(decision({ settings: quick, records: [failed] })).toMatchObject({ clear: false });
    expect(decision({ settings: quick, records: [{ ...failed, earlier: [] }] })).toEqual({
      clear: true,
    });
  });

  it('T5 clears no session of a program or an editor, unless the user says so for that kind', () => {
    for (const sessionKind of ['sdk', 'editor', 'other'] as const) {
      const session = { ...SESSION, sessionKind };
      expect(decision({ session })).toEqual({
        clear: false,
        reason: message(`clear.kindNotCleared.${sessionKind}`),
        isTemporary: false,
      });
      const kinds = ['cli' as const, sessionKind];
      expect(decision({ session, settings: { ...settings, kinds } })).toEqual({ clear: true });
    }
  });
});

describe('the policy', () => {
  it('C4 A6 clears at the threshold, a percentage or a number of tokens', () => {
    expect(decision()).toEqual({ clear: true });
    expect(decision({ settings: { ...settings, threshold: { percent: 80 } } })).toMatchObject({
      clear: false,
      reason: message('clear.belowPercent', { percent: 73, tokens: 145_010, limit: 80 }),
    });
    const session = { ...SESSION, window: 1_000_000, percent: 15 };
    expect(decision({ session })).toMatchObject({ clear: false });
    expect(
      decision({ session, settings: { ...settings, threshold: { tokens: 200_000 } } }),
    ).toMatchObject({
      reason: message('clear.belowTokens', { percent: 15, tokens: 145_010, limit: 200_000 }),
    });
    expect(
      decision({ session, settings: { ...settings, threshold: { tokens: 120_000 } } }),
    ).toEqual({ clear: true });
    expect(
      decision({ session: { ...SESSION, tokens: null, window: null, percent: null } }),
    ).toMatchObject({ clear: false, reason: message('clear.contextUnknown') });
  });

  it('L1e C4 where the window is not known a percentage waits, with the reason, and tokens count', () => {
    const session = { ...SESSION, model: 'glm-5.1', window: null, percent: null };
    expect(decision({ session })).toMatchObject({
      clear: false,
      reason: message('clear.windowUnknown', { model: 'glm-5.1' }),
    });
    const at = (tokens: number) => ({ ...settings, threshold: { tokens } });
    expect(decision({ session, settings: at(120_000) })).toEqual({ clear: true });
    expect(decision({ session, settings: at(200_000) })).toMatchObject({
      reason: message('clear.belowTokensOnly', { tokens: 145_010, limit: 200_000 }),
    });
  });

  it.each([
    ['22:00 to 07:00, at 23:30', { from: 22 * 60, to: 7 * 60 }, false],
    ['00:00 to 07:00, at 23:30', { from: 0, to: 7 * 60 }, true],
    ['23:30 to 23:31, at 23:30', { from: 23 * 60 + 30, to: 23 * 60 + 31 }, false],
    ['08:00 to 23:30, at 23:30', { from: 8 * 60, to: 23 * 60 + 30 }, true],
  ])('A6 keeps quiet hours: %s', (_, quietHours, clear) => {
    expect(decision({ settings: { ...settings, quietHours } })).toMatchObject({ clear });
  });

  it.each([
    [
      'A6 when switched off',
      { settings: { ...settings, mode: 'off' as const } },
      message('clear.off'),
    ],
    ['A6 when paused', { isPaused: true }, message('clear.paused')],
    [
      'A7 soon after a clear',
      { records: [record('restored', minutesAgo(9))] },
      message('clear.coolingDown', { until: minutesAgo(-1) }),
    ],
    [
      'A7 soon after one that failed',
      { records: [record('failed', minutesAgo(9))] },
      message('clear.coolingDown', { until: minutesAgo(-1) }),
    ],
    [
      'A6 when snoozed',
      { records: [record('cancelled', minutesAgo(9), { notBefore: minutesAgo(-5) })] },
      message('clear.putOff', { until: minutesAgo(-5) }),
    ],
  ])('%s it clears nothing', (_, facts, reason) => {
    expect(decision(facts)).toMatchObject({ clear: false, reason });
  });

  it('A6 what was put off counts for that session, and not for the one after a /clear by hand', () => {
    const records = [
      record('cancelled', minutesAgo(9), { sessionId: 'before', notBefore: minutesAgo(-5) }),
    ];
    expect(decision({ records })).toEqual({ clear: true });
  });

  it('A7 clears again when that is over', () => {
    const records = [
      record('restored', minutesAgo(11)),
      record('cancelled', minutesAgo(1)),
      record('saving', minutesAgo(1)),
    ];
    expect(decision({ records })).toEqual({ clear: true });
  });

  it('A6 A7 says from when on it would clear: after the cooldown and the quiet hours, whichever is later', () => {
    const heldUntil = (quietHours: AutoClearSettings['quietHours'], records: ClearRecord[] = []) =>
      earliestClear({ settings: { ...settings, quietHours }, records, now });
    const at = (day: number, hour: number, minute: number) =>
      new Date(2026, 10, day, hour, minute).toISOString();
    const night = { from: 22 * 60, to: 7 * 60 };
    const failed = [record('failed', minutesAgo(4))];
    expect(heldUntil(undefined)).toBeUndefined();
    expect(
      heldUntil(undefined, [
        record('cancelled', minutesAgo(1)),
        record('restored', minutesAgo(10)),
      ]),
    ).toBeUndefined();
    expect(heldUntil(night)).toEqual({ at: at(17, 7, 0), why: 'quiet-hours' });
    expect(heldUntil({ from: 23 * 60, to: 23 * 60 + 31 })).toEqual({
      at: at(16, 23, 31),
      why: 'quiet-hours',
    });
    expect(heldUntil(undefined, failed)).toEqual({ at: at(16, 23, 36), why: 'cooldown' });
    expect(heldUntil(night, failed)).toEqual({ at: at(17, 7, 0), why: 'quiet-hours' });
    expect(heldUntil({ from: 23 * 60, to: 23 * 60 + 31 }, failed)).toEqual({
      at: at(16, 23, 36),
      why: 'cooldown',
    });
    // It cools down into the quiet hours.
    expect(heldUntil({ from: 23 * 60 + 35, to: 7 * 60 }, failed)).toEqual({
      at: at(17, 7, 0),
      why: 'quiet-hours',
    });
  });

  it('A6 at the time that it says, it does clear', () => {
    const facts = {
      settings: { ...settings, quietHours: { from: 0, to: 7 * 60 } },
      records: [record('failed', minutesAgo(-25))],
    };
    const { at = '' } = earliestClear({ ...facts, now }) ?? {};
    const decidedAt = (ms: number) => decision({ ...facts, now: new Date(Date.parse(at) + ms) });
    expect([decidedAt(-1).clear, decidedAt(0).clear]).toEqual([false, true]);
  });

  it('T5 no project sets the limits of the breaker, nor which kinds are cleared', () => {
    for (const key of ['autoClear.maxPerHour', 'autoClear.kinds'] as const)
      expect(SETTING_DEFINITIONS[key].isForUserOnly).toBe(true);
  });

  it('A6 knows each of its settings', () => {
    const own = SETTING_KEYS.filter((key) => key.startsWith('autoClear.')).map((key) =>
      key.slice('autoClear.'.length),
    );
    expect(own.sort()).toEqual(Object.keys(settings).sort());
  });
});
