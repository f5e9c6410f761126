/**
 * The doctor from the window (G4, A9): all findings, one click for each fix, and the state of
 * auto-compact.
 */
import { autoCompactView } from '../doctor/auto-compact.ts';
import type { DoctorOptions } from '../doctor/check.ts';
import { applyFix } from '../doctor/doctor.ts';
import type { Finding } from '../doctor/finding.ts';
import type { Handlers, MethodOf } from './contract/contract.ts';
import type { MemoryThread } from './memory/memory-thread.ts';

/**
 * It looks in a thread of its own, since it reads whole memories. `onFixed`: something that is
 * shown elsewhere may be different now.
 */
export function doctorCalls(
  options: DoctorOptions,
  thread: Pick<MemoryThread, 'call'>,
  onFixed: () => void,
): Handlers<MethodOf<'doctor'>> {
  let running: Promise<Finding[]> | undefined;
  const run = () => {
    const begun = thread.call('doctor.run', {}).finally(() => {
      if (running === begun) running = undefined;
    });
    return begun;
  };
  return {
    // Two windows that ask at once get the same answer.
    'doctor.run': () => {
      running ??= run();
      return running;
    },
    'doctor.fix': async ({ id }) => {
      const done = await applyFix(options, id);
      running = undefined; // what is being looked at may have been seen before it
      onFixed();
      return done;
    },
    'doctor.autoCompact': () => autoCompactView(options),
  };
}
