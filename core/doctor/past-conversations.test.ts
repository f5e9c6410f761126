import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PastHome } from '../../tests/bed/past-home.ts';
import type { SessionStatus } from '../claude/status/session-status.ts';
import { importPast } from '../usecases/memory/backfill.ts';
import type { Patient } from './check.ts';
import { checkPast } from './past-conversations.ts';

const patientIn = (home: PastHome, live: readonly string[] = []) =>
  ({
    options: home.system,
    now: Date.parse('2026-11-16T10:00:00Z'),
    sessions: async () => live.map((sessionId) => ({ sessionId }) as SessionStatus),
  }) as unknown as Patient;

it('L1d says how many conversations wait, when Claude Code deletes them, and what to do', async () => {
  const home = new PastHome();
  home.talk('one', { day: '2026-11-01' });
  home.talk('two', { day: '2026-11-02' });
  home.talk('now', { day: '2026-11-16' });
  writeFileSync(join(home.places.claude, 'settings.json'), '{"cleanupPeriodDays": 12}');
  expect(await checkPast(patientIn(home, ['now']))).toMatchObject({
    state: 'notice',
    found: { code: 'doctor.pastWaiting', values: { count: 2, days: 12 } },
    mend: { code: 'doctor.pastMend' },
  });
  await importPast(home.system, { only: [], except: [] }, { onProgress: () => undefined });
  expect(await checkPast(patientIn(home))).toMatchObject({ state: 'well' });
});
