import { expect, it } from 'vitest';
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
