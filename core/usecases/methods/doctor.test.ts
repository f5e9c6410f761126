/**
 * The doctor as the window has it: asked and told through the engine, and a fix is seen at once
 * (G4).
 */

import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { waitFor } from '../../../tests/bed/wait-for.ts';
import { pauseClears } from '../../clear/clear-requests.ts';
import type { Finding } from '../../doctor/finding.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { systemProcessTable } from '../../platform/process/process-table.ts';
import { runProgram } from '../../platform/process/run-program.ts';
import { placesFrom } from '../../platform/store/places.ts';
import type { EngineEvent } from '../contract.ts';
import { openLiveEngine } from '../live-engine.ts';

it('G4 the window asks the doctor, lets it mend, and sees the change', async () => {
  const root = tempFolder();
  const env = { HOME: root, PATH: join(root, 'nothing') };
  const places = placesFrom(env);
  pauseClears(places);
  const live = await openLiveEngine({
    places,
    env,
    run: runProgram,
    processes: systemProcessTable(),
    bundledPlugin: null,
  });
  onTestFinished(() => live.close());
  const events: EngineEvent[] = [];
  live.onEvent((event) => events.push(event));
  const look = async () => {
    const answer = await live.call('doctor.run', {});
    if (!answer.ok) throw new ExpectedError(answer.message);
    return Object.fromEntries((answer.value as Finding[]).map((finding) => [finding.id, finding]));
  };

  const { paused, watching } = await look();
  expect(paused).toMatchObject({ state: 'notice', fix: { id: 'resume-clears' } });
  expect(watching).toMatchObject({ state: 'well', found: { code: 'doctor.watchingFound' } });

  expect(await live.call('doctor.fix', { id: 'resume-clears' })).toMatchObject({
    ok: true,
    value: { id: 'resume-clears' },
  });
  expect((await look()).paused).toMatchObject({ state: 'well' });
  await waitFor('the state without the pause', () =>
    events.some(({ name, value }) => name === 'state' && !value.isPaused),
  );
  expect(await live.call('doctor.fix', { id: 'anything' })).toMatchObject({
    ok: false,
    isBug: expect.any(Boolean),
  });
});
