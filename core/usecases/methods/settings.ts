/**
 * Settings for a form (F1): each with its kind, its choices and where its value comes from; changed
 * one at a time, and undone.
 */
import * as v from 'valibot';
import { addActivity } from '../../clear/activity.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import type { Places } from '../../platform/store/places.ts';
import { followCriticalThreshold } from '../../plugin/long-turns.ts';
import { prepareProjectMemory, projectMemory } from '../../projects/project-memory.ts';
import {
  SETTING_DEFINITIONS,
  SETTING_KEYS,
  type SettingDefinition,
  type SettingKey,
  type SettingValueType,
  settingForm,
  settingUnit,
} from '../../settings/setting-definitions.ts';
import {
  canUndoSettingChange,
  changeSetting,
  readSettings,
  type SettingScope,
  type SettingValue,
  settingsPath,
  undoSettingChange,
} from '../../settings/settings.ts';
import type { System } from '../memory/memory-context.ts';
import { type ApplicationContext, anywhere, DONE, project } from './method.ts';

export interface SettingView extends SettingValue {
  key: SettingKey;
  fallback: SettingValueType;
  kind: 'number' | 'text' | 'choice' | 'flag';
  choices: string[];
  unit: string;
  isForProjectToo: boolean;
}

export interface SettingsView {
  settings: SettingView[];
  problems: Message[];
  canUndo: boolean;
}

const scope = { project: v.optional(project) };
/** The file watcher would notice too, but later. */
const afterwards = ({ refresh }: ApplicationContext) => refresh();

export const settingMethods = {
  'settings.read': anywhere(scope, ({ places }, args): SettingsView => {
    const { values, problems } = readSettings(places, args.project);
    return {
      settings: SETTING_KEYS.map((key) => settingView(key, values[key])),
      problems,
      canUndo: canUndoSettingChange(scopeOf(places, args.project)),
    };
  }),

  'settings.change': anywhere(
    {
      ...scope,
      key: v.picklist(SETTING_KEYS),
      /** `null` removes it, so that the user's setting or the default applies. */
      value: v.nullable(v.union([v.number(), v.pipe(v.string(), v.maxLength(1000)), v.boolean()])),
    },
    (system, { project: root, key, value }) => {
      const { places } = system;
      const change = changeSetting(
        scopeOf(places, root),
        key,
        value === null ? undefined : typed(key, value),
      );
      if (!change.ok) throw new ExpectedError(change.reason);
      if (root !== undefined) prepareProjectMemory(projectMemory(places, root));
      const notes = key === 'thresholds.critical' ? follow(system) : [];
      if (change.setAside === undefined) return { notes };
      const note = message('settings.fileSetAside', { path: change.setAside });
      addActivity(places, [{ what: 'note', note, ...(root !== undefined && { project: root }) }]);
      return { notes: [note, ...notes] };
    },
    { afterwards },
  ),

  'settings.undo': anywhere(
    scope,
    (system, args) => {
      const changed = scopeOf(system.places, args.project);
      if (!undoSettingChange(changed))
        throw new ExpectedError(message('settings.nothingToUndo', { path: settingsPath(changed) }));
      follow(system);
      return DONE;
    },
    { afterwards },
  ),
};

/** Claude Code's settings follow the critical threshold where the user said yes to it (K6). */
function follow({ places, env }: System): Message[] {
  const done = followCriticalThreshold({ places, env });
  addActivity(
    places,
    done.map((note) => ({ what: 'note', note })),
  );
  return done;
}

function scopeOf(places: Places, root: string | undefined): SettingScope {
  return { places, ...(root !== undefined && { projectRoot: root }) };
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
