/** An import of a long conversation can be cancelled on the way, and says what is left (L1d). */
import { appendFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PastHome } from '../../../tests/bed/past-home.ts';
import { requestCancel } from './backfill-record.ts';
import { runBackfill } from './run-backfill.ts';

it('L1d counts a conversation that was cancelled on the way among those that are left', async () => {
  const home = new PastHome();
  const long = home.talk('long', { day: '2026-09-01' });
  const silent = `${JSON.stringify({ type: 'mode', mode: 'x'.repeat(1000) })}\n`;
  appendFileSync(long, silent.repeat(2000));
  home.talk('next', { day: '2026-09-02' });
  const { places, env } = home;
  const run = {
    places,
    env,
    choice: { only: [], except: [] },
    askedAt: Date.now(),
    live: new Set<string>(),
    portionMs: -1, // one stretch at a time
    onProgress: () => undefined,
    afterProject: () => undefined,
  };
  const cancelled = runBackfill(run);
  requestCancel(places); // the first stretch is in by now
  expect(await cancelled).toMatchObject({ state: 'cancelled', sessions: 0, left: 2 });
  expect(await runBackfill(run)).toMatchObject({ state: 'done', sessions: 2, left: 0 });
  expect(Object.keys(home.sessions()).sort()).toEqual(['long', 'next']);
});
