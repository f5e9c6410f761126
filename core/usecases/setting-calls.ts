/**
 * Settings for a form (F1): each with its kind, its choices and where its value comes from; changed
 * one at a time, and undone.
 */
import { addActivity } from '../clear/activity.ts';
import { ExpectedError } from '../messages/expected-error.ts';
import { message } from '../messages/message.ts';
import type { Places } from '../platform/store/places.ts';
import { prepareProjectMemory, projectMemory } from '../projects/project-memory.ts';
import {
  SETTING_DEFINITIONS,
  SETTING_KEYS,
  type SettingDefinition,
  type SettingKey,
  type SettingValueType,
  settingForm,
  settingUnit,
} from '../settings/setting-definitions.ts';
import {
  canUndoSettingChange,
  changeSetting,
  readSettings,
  type SettingScope,
  type SettingValue,
  settingsPath,
  undoSettingChange,
} from '../settings/settings.ts';
import type { Handlers, MethodOf, SettingView } from './contract/contract.ts';

/** `onChange`: a file watcher would tell, too, but later. */
export function settingCalls(places: Places, onChange: () => void): Handlers<MethodOf<'settings'>> {
  const scopeOf = (project: string | undefined): SettingScope => ({
    places,
    ...(project !== undefined && { projectRoot: project }),
  });
  return {
    'settings.read': ({ project }) => {
      const { values, problems } = readSettings(places, project);
      const settings = SETTING_KEYS.map((key) => settingView(key, values[key]));
      return { settings, problems, canUndo: canUndoSettingChange(scopeOf(project)) };
    },

    'settings.change': ({ project, key, value }) => {
      const change = changeSetting(
        scopeOf(project),
        key,
        value === null ? undefined : typed(key, value),
      );
      if (!change.ok) throw new ExpectedError(change.reason);
      if (project !== undefined) prepareProjectMemory(projectMemory(places, project));
      if (change.setAside !== undefined) {
        const note = message('settings.fileSetAside', { path: change.setAside });
        addActivity(places, [{ what: 'note', note, ...(project !== undefined && { project }) }]);
      }
      onChange();
      return {};
    },

    'settings.undo': ({ project }) => {
      const scope = scopeOf(project);
      if (!undoSettingChange(scope))
        throw new ExpectedError(message('settings.nothingToUndo', { path: settingsPath(scope) }));
      onChange();
      return {};
    },
  };
}

function settingView(key: SettingKey, value: SettingValue): SettingView {
  const { fallback, isForUserOnly }: SettingDefinition = SETTING_DEFINITIONS[key];
  const unit = settingUnit(key, value.value);
  return {
    ...value,
    ...settingForm(key),
    key,
    fallback,
    unit,
    isForProjectToo: isForUserOnly !== true,
  };
}

/** A form gives text where a word or a number may stand. */
function typed(key: SettingKey, value: SettingValueType): SettingValueType {
  const { unit }: SettingDefinition = SETTING_DEFINITIONS[key];
  const isNumber =
    typeof value === 'string' && unit !== undefined && /^\d+(?:\.\d+)?$/.test(value.trim());
  return isNumber ? Number(value) : value;
}
