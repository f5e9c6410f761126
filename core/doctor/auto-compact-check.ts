/**
 * Checks auto-compact (A9). On and off are both fine as long as something makes room; the finding
 * explains what each means.
 */
import { type Message, message } from '../messages/message.ts';
import { type AutoCompactView, autoCompactView } from './auto-compact-view.ts';
import type { Check, Result } from './check.ts';

export const autoCompactCheck: Check = {
  id: 'auto-compact',
  title: message('doctor.autoCompactTitle'),
  why: message('doctor.autoCompactWhy'),
  look({ options }) {
    const view = autoCompactView(options);
    const fix = view.fix === null ? {} : { fix: view.fix };
    return { ...(view.isOn ? whenOn(view) : whenOff(view)), ...fix };
  },
};

function whenOn({ mode, windows: [smallest], from }: AutoCompactView): Result {
  const found = (effect: Message) => message('doctor.autoCompactOn', { from, effect });
  const comesFirst =
    smallest !== undefined && mode === 'auto' && smallest.clearsAt >= smallest.compactsAt;
  if (!comesFirst) return { state: 'well', found: found(message('doctor.compactsLast')) };
  return {
    state: 'notice',
    found: found(message('doctor.compactsFirst')),
    mend: message('doctor.compactsFirstMend'),
  };
}

const EFFECTS = {
  auto: 'doctor.clearsComeFirst',
  ask: 'doctor.clearsAsk',
  off: 'doctor.clearsOff',
} as const;

function whenOff({ mode, from, variable, fix }: AutoCompactView): Result {
  const found = message('doctor.autoCompactOff', { from, effect: message(EFFECTS[mode]) });
  const state = mode === 'auto' ? 'well' : 'notice';
  if (fix !== null) return { state, found };
  const mend =
    variable === null
      ? message('doctor.autoCompactSettingsMend')
      : message('doctor.autoCompactVariableMend', { variable });
  return { state, found, mend };
}
