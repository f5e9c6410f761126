/**
 * Which settings in a repository's config.json are shown as proposals (T2): those alone that make
 * Memory Keeper do less than the user's present settings. Everything else is ignored and counted,
 * and nothing is ever applied by itself.
 */
import { isRecord, type JsonRecord } from '../../platform/text/json.ts';
import {
  isSettingKey,
  SETTING_DEFINITIONS,
  type SettingDefinition,
  type SettingKey,
  type SettingValueType,
} from '../../settings/setting-definitions.ts';
import type { SettingsReading } from '../../settings/settings.ts';
import { isPercentage } from '../../settings/thresholds.ts';
import { type FoundNote, foundNote } from './foreign-note.ts';

type Present = SettingsReading['values'];
type IsLess = (proposed: SettingValueType, now: SettingValueType, present: Present) => boolean;

const higher: IsLess = (proposed, now) => Number(proposed) > Number(now);
const lower: IsLess = (proposed, now) => Number(proposed) < Number(now);
const to =
  (wanted: SettingValueType): IsLess =>
  (proposed, now) =>
    proposed === wanted && now !== wanted;
/** From the most to the least. */
const downward =
  (...order: SettingValueType[]): IsLess =>
  (proposed, now) =>
    order.indexOf(proposed) > order.indexOf(now);

/** A percentage and a number of tokens cannot be compared. */
const later: IsLess = (proposed, now, present) => {
  const inForce = (value: SettingValueType) =>
    Number(value === 'warn' ? present['thresholds.warn'].value : value);
  const [would, is] = [inForce(proposed), inForce(now)];
  return isPercentage(would) === isPercentage(is) && would > is;
};

/** Every n-th prompt; 0 is never. */
const rarer: IsLess = (proposed, now) =>
  (Number(proposed) || Number.POSITIVE_INFINITY) > (Number(now) || Number.POSITIVE_INFINITY);

/** A setting that is not here is never proposed: what keeps, deletes, copies, places or types. */
const IS_LESS: Partial<Record<SettingKey, IsLess>> = {
  'thresholds.warn': later,
  'thresholds.critical': later,
  saveInterval: higher,
  rulesInjectionFrequency: rarer,
  quietStop: to(true),
  summaryMaxLength: lower,
  enforcement: downward('block', 'remind', 'off'),
  'models.delta': to('none'),
  'models.facts': to('none'),
  'models.rotation': to('none'),
  'budget.tokensPerDay': lower,
  'autoClear.mode': downward('auto', 'ask', 'off'),
  'autoClear.threshold': later,
  'autoClear.countdownSeconds': higher,
  'autoClear.cooldownMinutes': higher,
  'autoClear.continue': to(false),
  'autoClear.summary': to(false),
};

export interface Proposals {
  notes: FoundNote[];
  /** How many values of the file are not even shown. */
  ignored: number;
}

export function proposalsIn(config: JsonRecord, path: string, present: Present): Proposals {
  const found: Proposals = { notes: [], ignored: 0 };
  for (const [key, raw] of valuesIn(config)) {
    const definition: SettingDefinition | undefined = isSettingKey(key)
      ? SETTING_DEFINITIONS[key]
      : undefined;
    const value = definition?.parse(raw);
    if (!isSettingKey(key) || value === undefined) found.ignored++;
    else if (IS_LESS[key]?.(value, present[key].value, present) === true)
      found.notes.push(foundNote({ kind: 'setting', key, value }, path, key));
    else if (value !== present[key].value) found.ignored++;
  }
  return found;
}

/** `autoClear.mode` is `mode` in the object `autoClear`. */
function valuesIn(config: JsonRecord): [key: string, value: unknown][] {
  return Object.entries(config).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'version') return [];
    if (!isRecord(value)) return [[name, value]];
    return Object.entries(value).map(([field, inner]) => [`${name}.${field}`, inner]);
  });
}
