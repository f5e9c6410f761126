/** Which settings of a project an old `config.json` has, as far as they can be used (T2). */
import { parseJson } from '../../platform/store/attempt.ts';
import { isRecord, recordAt } from '../../platform/text/json.ts';
import {
  SETTING_DEFINITIONS,
  SETTING_KEYS,
  type SettingDefinition,
  type SettingKey,
  type SettingValueType,
} from '../../settings/setting-definitions.ts';
import type { EarlierMemory } from './earlier-memory.ts';

export interface EarlierSetting {
  key: SettingKey;
  value: SettingValueType;
}

/** Those that can be set for a project, with a usable value. */
export function settingsIn(earlier: EarlierMemory): EarlierSetting[] {
  const json = parseJson(earlier.text('config.json') ?? '');
  if (!isRecord(json)) return [];
  return SETTING_KEYS.flatMap((key) => {
    const { parse, isForUserOnly }: SettingDefinition = SETTING_DEFINITIONS[key];
    const [name = '', field] = key.split('.');
    const holder = field === undefined ? json : (recordAt(json, name) ?? {});
    const raw = Object.hasOwn(holder, field ?? name) ? holder[field ?? name] : undefined;
    const value = raw === undefined || isForUserOnly ? undefined : parse(raw);
    return value === undefined ? [] : [{ key, value }];
  });
}
