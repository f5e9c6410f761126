/**
 * What the doctor said last (G4): it outlives the view, and stays to be read while it looks again.
 */
import { create } from 'zustand';
import type { Finding } from '../../../../core/doctor/finding.ts';
import type { Events } from '../../../../core/usecases/contract.ts';
import type { Bridge, BridgeError } from '../../../bridge/bridge.ts';
import { asBridgeError } from '../../../store/app-store.ts';

interface DoctorState {
  findings: Finding[] | null;
  /** When they were found. */
  at: number;
  error: BridgeError | null;
  /** How far a look is that is under way. */
  progress: Events['doctor'] | null;
}

export const useDoctor = create<DoctorState>(() => ({
  findings: null,
  at: 0,
  error: null,
  progress: null,
}));

let looks = 0;

/** Of several looks the last one counts: it has seen the newest change. */
export async function lookAgain(bridge: Bridge): Promise<void> {
  const look = ++looks;
  const tell = (state: Partial<DoctorState>) => look === looks && useDoctor.setState(state);
  tell({ progress: { done: 0, total: 0 } });
  const stop = bridge.onEvent(
    (event) => event.name === 'doctor' && tell({ progress: event.value }),
  );
  try {
    tell({ findings: await bridge.call('doctor.run', {}), at: Date.now(), error: null });
  } catch (error) {
    tell({ error: asBridgeError(error) });
  } finally {
    stop();
    tell({ progress: null });
  }
}
