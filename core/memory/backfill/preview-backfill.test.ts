import { expect, it } from 'vitest';
import { PastHome } from '../../../tests/bed/past-home.ts';
import { previewBackfill } from './preview-backfill.ts';

it('L1d tells how many of the conversations run now, for their hooks keep them', () => {
  const home = new PastHome();
  const [going, over] = ['00000001', '00000002'].map((id) => `${id}-0000-4000-8000-000000000000`);
  for (const id of [going, over]) home.talk(String(id), { day: '2026-09-01' });
  const preview = previewBackfill(
    home.places,
    home.env,
    { only: [], except: [] },
    new Set([String(going), 'a session without a transcript']),
  );
  expect([preview.sessions, preview.running]).toEqual([2, 1]);
});
