/**
 * Reads and switches Claude Code's own compaction (A9). Its command line cannot change that, so one
 * flag of the user's settings.json is edited; the rest stays byte for byte, with a copy of the file
 * before. Only the user starts it.
 */
import { dirname, join } from 'node:path';
import { type Message, message } from '../messages/message.ts';
import type { Places } from '../platform/store/places.ts';
import { withLiteral } from '../plugin/edit-json.ts';
import {
  changeSettings,
  claudeSettings,
  parsedSettings,
  previewSettings,
} from '../plugin/edit-user-settings.ts';
import { claudeSettingsPath } from '../plugin/user-settings.ts';

const FLAG = 'autoCompactEnabled';
const VARIABLES = ['DISABLE_AUTO_COMPACT', 'DISABLE_COMPACT'];
const IS_SET = /^(?:1|true|yes|on)$/i;

export interface AutoCompact {
  isOn: boolean;
  /** What says so. */
  from: Message;
  /** It cannot be switched on by the setting as long as this variable is set. */
  variable?: string;
}

export function autoCompactState({
  places,
  env,
}: {
  places: Places;
  env: NodeJS.ProcessEnv;
}): AutoCompact {
  const settings = claudeSettings(places);
  const ofSettings = (settings?.env ?? {}) as Record<string, unknown>;
  const variable = VARIABLES.find(
    (name) => IS_SET.test(env[name] ?? '') || IS_SET.test(String(ofSettings[name] ?? '')),
  );
  if (variable !== undefined)
    return { isOn: false, from: message('doctor.autoCompactByVariable', { variable }), variable };
  const byFlag = (path: string) => message('doctor.autoCompactByFlag', { flag: FLAG, path });
  const own = settings?.[FLAG];
  if (typeof own === 'boolean') return { isOn: own, from: byFlag(claudeSettingsPath(places)) };
  const [legacy] = legacyPaths(places).flatMap((path) => {
    const value = parsedSettings(path)?.[FLAG];
    return typeof value === 'boolean' ? [{ isOn: value, from: byFlag(path) }] : [];
  });
  return legacy ?? { isOn: true, from: message('doctor.autoCompactByDefault') };
}

/** What would be different in settings.json, line by line. */
export function autoCompactPreview({ places }: { places: Places }, isOn: boolean): Message[] {
  return previewSettings(places, switched(isOn));
}

/** Says what it did. */
export function switchAutoCompact({ places }: { places: Places }, isOn: boolean): Message[] {
  const path = claudeSettingsPath(places);
  const { before, after, kept } = changeSettings(places, switched(isOn));
  if (after === before)
    return [
      message(isOn ? 'doctor.autoCompactOnAlready' : 'doctor.autoCompactOffAlready', { path }),
    ];
  const code = isOn ? 'doctor.autoCompactTurnedOn' : 'doctor.autoCompactTurnedOff';
  return [
    message(code, { flag: FLAG, path }),
    ...(kept === undefined ? [] : [message('plugin.previousKept', { path: kept })]),
    message('plugin.restartSessions'),
  ];
}

const switched = (isOn: boolean) => (text: string) => withLiteral(text, [FLAG], String(isOn));

/** Where older versions kept it. */
function legacyPaths({ claude }: Places): string[] {
  return [join(claude, '.claude.json'), join(dirname(claude), '.claude.json')];
}
