/**
 * Claude Code's own compaction beside automatic clears (A9): whether it is on, what says so, and
 * which of the two comes first. Claude Code's command line cannot switch it, so a fix that only the
 * user starts edits one flag of their settings.json.
 */
import { dirname, join } from 'node:path';
import { type Message, message } from '../messages/message.ts';
import { attempt } from '../platform/store/attempt.ts';
import type { Places } from '../platform/store/places.ts';
import { withLiteral } from '../plugin/edit-json.ts';
import {
  changeSettings,
  claudeSettingsPath,
  parseSettings,
  previewSettings,
} from '../plugin/user-settings.ts';
import { readSettings } from '../settings/settings.ts';
import { thresholdTokens } from '../settings/thresholds.ts';
import { type DoctorOptions, notice, type Patient, type Result, well } from './check.ts';
import type { Fix } from './finding.ts';

/** Claude Code compacts by itself when so many tokens are left, whatever the window. */
const LEFT_TOKENS = 33_000;
/** Of today's models. */
const WINDOWS = [200_000, 1_000_000];
const FLAG = 'autoCompactEnabled';
const VARIABLES = ['DISABLE_AUTO_COMPACT', 'DISABLE_COMPACT'];
const IS_SET = /^(?:1|true|yes|on)$/i;

type AutoCompactOptions = Pick<DoctorOptions, 'places' | 'env'>;

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
  /** Null where settings.json cannot be changed safely, or where a variable decides. */
  fix: Fix | null;
}

export function autoCompactView(options: AutoCompactOptions): AutoCompactView {
  const { mode, threshold } = readSettings(options.places).settings.autoClear;
  const state = autoCompactState(options);
  return {
    ...state,
    mode,
    windows: WINDOWS.map((window) => ({
      window,
      compactsAt: window - LEFT_TOKENS,
      clearsAt: Math.round(thresholdTokens(threshold, window)),
    })),
    fix: state.variable === null ? switchFix(options.places, !state.isOn) : null,
  };
}

function autoCompactState({
  places,
  env,
}: AutoCompactOptions): Pick<AutoCompactView, 'isOn' | 'from' | 'variable'> {
  const path = claudeSettingsPath(places);
  const settingsEnv = (parseSettings(path)?.env ?? {}) as Record<string, unknown>;
  const variable = VARIABLES.find(
    (name) => IS_SET.test(env[name] ?? '') || IS_SET.test(String(settingsEnv[name] ?? '')),
  );
  if (variable !== undefined)
    return { isOn: false, from: message('doctor.autoCompactByVariable', { variable }), variable };
  // Older versions kept the flag in .claude.json.
  const legacy = [places.claude, dirname(places.claude)].map((dir) => join(dir, '.claude.json'));
  for (const file of [path, ...legacy]) {
    const isOn = parseSettings(file)?.[FLAG];
    const from = message('doctor.autoCompactByFlag', { flag: FLAG, path: file });
    if (typeof isOn === 'boolean') return { isOn, from, variable: null };
  }
  return { isOn: true, from: message('doctor.autoCompactByDefault'), variable: null };
}

function switchFix(places: Places, isOn: boolean): Fix | null {
  const preview = attempt(() => previewSettings(places, switched(isOn)), null);
  const label = message(isOn ? 'doctor.autoCompactTurnOn' : 'doctor.autoCompactTurnOff');
  return preview && { id: isOn ? 'auto-compact-on' : 'auto-compact-off', label, preview };
}

/** Returns what it did, line by line. */
export function switchAutoCompact({ places }: { places: Places }, isOn: boolean): Message[] {
  const path = claudeSettingsPath(places);
  const { isChanged, backup } = changeSettings(places, switched(isOn));
  if (!isChanged)
    return [
      message(isOn ? 'doctor.autoCompactOnAlready' : 'doctor.autoCompactOffAlready', { path }),
    ];
  const code = isOn ? 'doctor.autoCompactTurnedOn' : 'doctor.autoCompactTurnedOff';
  return [message(code, { flag: FLAG, path }), ...backup, message('plugin.restartSessions')];
}

const switched = (isOn: boolean) => (text: string) => withLiteral(text, [FLAG], String(isOn));

/** On and off are both fine as long as something makes room. */
export function checkAutoCompact({ options }: Patient): Result {
  const view = autoCompactView(options);
  return { ...(view.isOn ? whenOn(view) : whenOff(view)), fix: view.fix ?? undefined };
}

function whenOn({ mode, windows: [smallest], from }: AutoCompactView): Result {
  const found = (effect: Message) => message('doctor.autoCompactOn', { from, effect });
  const compactsFirst =
    smallest !== undefined && mode === 'auto' && smallest.clearsAt >= smallest.compactsAt;
  return compactsFirst
    ? notice(found(message('doctor.compactsFirst')), message('doctor.compactsFirstMend'))
    : well(found(message('doctor.compactsLast')));
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
