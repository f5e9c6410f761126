/**
 * Auto-compact and what it means beside automatic clears (A9), as data: whether it is on, who says
 * so, which of the two comes first in windows of today's sizes, and the switch with its preview.
 * The doctor and the window show it.
 */

import { type Message, message } from '../messages/message.ts';
import { attempt } from '../platform/store/attempt.ts';
import type { Places } from '../platform/store/places.ts';
import { readSettings } from '../settings/settings.ts';
import { thresholdTokens } from '../settings/thresholds.ts';
import { autoCompactPreview, autoCompactState } from './auto-compact.ts';
import type { Fix } from './finding.ts';

/** Claude Code compacts by itself when so many tokens are left, whatever the window. */
const LEFT_TOKENS = 33_000;
/** Of today's models. */
const WINDOWS = [200_000, 1_000_000];

export interface AutoCompactView {
  isOn: boolean;
  /** What says so. */
  from: Message;
  /** As long as this variable is set, the setting cannot switch it on. */
  variable: string | null;
  /** Automatic clears of the user; a project may have its own. */
  mode: 'auto' | 'ask' | 'off';
  /** In tokens. */
  windows: { window: number; compactsAt: number; clearsAt: number }[];
  /**
   * To switch it; none for a settings.json that cannot be changed safely, or where a variable has
   * the say.
   */
  fix: Fix | null;
}

export function autoCompactView(options: {
  places: Places;
  env: NodeJS.ProcessEnv;
}): AutoCompactView {
  const { mode, threshold } = readSettings(options.places).settings.autoClear;
  const { isOn, from, variable } = autoCompactState(options);
  return {
    isOn,
    from,
    variable: variable ?? null,
    mode,
    windows: WINDOWS.map((window) => ({
      window,
      compactsAt: window - LEFT_TOKENS,
      clearsAt: Math.round(thresholdTokens(threshold, window)),
    })),
    fix: variable === undefined ? fixOf(options, !isOn) : null,
  };
}

function fixOf(options: { places: Places }, isOn: boolean): Fix | null {
  const preview = attempt(() => autoCompactPreview(options, isOn), null);
  const label = message(isOn ? 'doctor.autoCompactTurnOn' : 'doctor.autoCompactTurnOff');
  return preview && { id: isOn ? 'auto-compact-on' : 'auto-compact-off', label, preview };
}
