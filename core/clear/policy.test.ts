import { describe, expect, it } from 'vitest';
import { message } from '../messages/message.ts';
import { SETTING_KEYS } from '../settings/setting-definitions.ts';
import type { AutoClearSettings } from '../settings/settings.ts';
import type { ClearRecord } from './clear-record.ts';
import { decide, earliestClear, type PolicyInput } from './policy.ts';

const settings: AutoClearSettings = {
  mode: 'auto',
  threshold: { percent: 70 },
  countdownSeconds: 10,
  cooldownMinutes: 10,
  busyMinutes: 10,
  snoozeMinutes: 30,
  continue: false,
  summary: true,
  quietHours: undefined,
};
const now = new Date(2026, 10, 16, 23, 30);
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();

function decision(facts: Partial<PolicyInput> = {}) {
  const session = { sessionId: 's', tokens: 145_010, window: 200_000, percent: 73 };
  return decide({ session, settings, records: [], isPaused: false, now, ...facts });
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

describe('the policy', () => {
  it('C4 A6 clears at the threshold, a percentage or a number of tokens', () => {
    expect(decision()).toEqual({ clear: true });
    expect(decision({ settings: { ...settings, threshold: { percent: 80 } } })).toMatchObject({
      clear: false,
      reason: message('clear.belowPercent', { percent: 73, tokens: 145_010, limit: 80 }),
    });
    const session = { sessionId: 's', tokens: 145_010, window: 1_000_000, percent: 15 };
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
      decision({ session: { sessionId: 's', tokens: null, window: null, percent: null } }),
    ).toMatchObject({ clear: false, reason: message('clear.contextUnknown') });
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

  it('A6 has each of its settings for the user and for a project', () => {
    const own = SETTING_KEYS.filter((key) => key.startsWith('autoClear.')).map((key) =>
      key.slice('autoClear.'.length),
    );
    expect(own.sort()).toEqual(Object.keys(settings).sort());
  });
});
