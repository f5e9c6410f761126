/** What a host needs to list settings and to read a value that a person typed (F1). */
export {
  isSettingKey,
  SETTING_DEFINITIONS,
  SETTING_KEYS,
  settingHelp,
  settingUnit,
  windowsIn,
  withWindow,
} from '../settings/setting-definitions.ts';
export { isPercentage } from '../settings/thresholds.ts';
