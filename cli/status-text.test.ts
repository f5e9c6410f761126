import { describe, expect, it } from 'vitest';
import type { WatchedReport } from '../core/usecases/watched-status.ts';
import { statusText } from './status-text.ts';

const SESSION = {
  sessionId: 's1',
  pid: 10,
  project: 'my-app',
  name: null,
  model: 'glm-5.1',
  modelName: 'glm-5.1',
  state: 'idle',
  sessionKind: 'cli',
  terminal: {},
  tokens: 145_010,
  window: null,
  percent: null,
  percentSource: 'unknown',
  level: null,
  growthPerTurn: 9000,
  turnsLeft: null,
  turnsLeftTo: null,
  compactsAtTokens: null,
  compactsAtSource: 'unknown',
  compactsAtFrom: null,
  breaker: null,
  keeping: { ok: true },
};

const shown = (session: object, width?: number) =>
  statusText(
    { sessions: [session], problems: [] } as unknown as WatchedReport,
    (_, text) => text,
    width,
  );

it('L1e C2 an unknown window is called so, with the way to set it, and no percentage', () => {
  const [, line] = shown(SESSION).split('\n');
  expect(line?.trim()).toBe(
    '145,010 tokens · window unknown · +9,000 per turn · to set it: memory-keeper config set models.windows.glm-5.1 <tokens>',
  );
  expect(
    shown({ ...SESSION, level: 'warn' }, 40)
      .split('\n')[1]
      ?.trim(),
  ).toBe('warning · 145,010 tokens');
});

describe('where Claude Code compacts', () => {
  const known = {
    ...SESSION,
    window: 1_000_000,
    percent: 15,
    percentSource: 'model-table',
    level: 'ok',
    warnAtTokens: 700_000,
    criticalAtTokens: 800_000,
    turnsLeft: 3,
    turnsLeftTo: 'compaction',
    compactsAtTokens: 167_000,
    compactsAtSource: 'setting',
    compactsAtFrom: { name: 'autoCompactWindow', scope: 'project', path: '/p/settings.json' },
  };
  const line = (session: object, width?: number) => shown(session, width).split('\n')[2]?.trim();

  it('K5 is told with what sets it, and the forecast counts to it', () => {
    expect(shown(known)).toContain('~3 turns until Claude Code compacts');
    expect(line(known)).toBe(
      "Claude Code compacts at 167,000 (autoCompactWindow in the project's settings)",
    );
  });

  it.each([
    [
      { compactsAtSource: 'default', compactsAtFrom: null },
      'Claude Code compacts at 167,000 (default)',
    ],
    [{ compactsAtSource: 'limit' }, 'Claude Code compacts only when full'],
    [
      {
        compactsAtTokens: null,
        compactsAtSource: 'off',
        compactsAtFrom: { name: 'DISABLE_COMPACT', scope: 'process', path: null },
      },
      'Claude Code does not compact (environment variable DISABLE_COMPACT)',
    ],
  ])('K5 is told in words: %o', (facts, words) => {
    expect(line({ ...known, ...facts })).toBe(words);
  });

  it('K5 nothing is said of it where nobody knows, and a narrow terminal gets its two ends', () => {
    expect(shown(SESSION)).not.toContain('compacts');
    expect(line(known, 40)).toMatch(/^Claude Code compa.*settings\)$/);
  });
});
