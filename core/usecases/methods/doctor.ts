/** The doctor (G4, A9): all findings, a fix for each, and the state of auto-compact. */
import * as v from 'valibot';
import { autoCompactView } from '../../doctor/auto-compact.ts';
import { applyFix, runDoctor } from '../../doctor/doctor.ts';
import { FIX_IDS } from '../../doctor/finding.ts';
import { anywhere, inThread } from './method.ts';

const fix = { id: v.picklist(FIX_IDS) };

export const doctorMethods = {
  /** `doctor` events tell the progress. In a thread of its own, since it reads whole memories. */
  'doctor.run': inThread(
    'doctor',
    {},
    ({ system, listeners }) =>
      runDoctor(system, { onProgress: (done, total) => listeners.onDoctor({ done, total }) }),
    { isShared: true },
  ),
  'doctor.fix': anywhere(fix, (system, { id }) => applyFix(system, id), {
    afterwards: ({ refresh, forgetShared }) => {
      forgetShared('doctor.run'); // what it has seen may be from before the fix
      refresh();
    },
  }),
  'doctor.autoCompact': anywhere({}, (system) => autoCompactView(system)),
};
