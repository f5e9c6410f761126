/**
 * Reads and changes the user's settings (F1): our own `config.json`, and one per project that
 * overrides it. Reports a value that cannot be used and takes its default; the file stays as it is.
 */
import { join } from 'node:path';
import * as v from 'valibot';
import { languageFrom } from '../messages/language.ts';
import { type Message, message } from '../messages/message.ts';
import type { Language } from '../messages/render.ts';
import {
  findProjectPlace,
  type ProjectPlace,
  projectPlace,
} from '../platform/project/project-place.ts';
import {
  type DocumentKind,
  readDocument,
  undoDocument,
  updateDocument,
} from '../platform/store/document.ts';
import { listVersions } from '../platform/store/history.ts';
import type { Places } from '../platform/store/places.ts';
import { isRecord } from '../platform/text/json.ts';
import {
  SETTING_DEFINITIONS,
  SETTING_KEYS,
  type SettingDefinition,
  type SettingKey,
  type Settings,
  type SettingValueType,
} from './setting-definitions.ts';
import { isPercentage } from './thresholds.ts';

export type { Settings } from './setting-definitions.ts';
export type AutoClearSettings = Settings['autoClear'];

type SettingsFile = Record<string, unknown>;

/** Any object will do: each value is checked on its own. */
const settingsFile: DocumentKind<SettingsFile> = {
  version: 1,
  schema: v.any(),
  empty: () => ({}),
  keepVersions: 50,
};

export interface SettingValue {
  value: SettingValueType;
  from: 'default' | 'user' | 'project';
}

export interface SettingsReading {
  settings: Settings;
  values: Record<SettingKey, SettingValue>;
  problems: Message[];
}

export function userSettingsPath(places: Places): string {
  return join(places.home, 'config.json');
}

/** In the project's place in the home, never in the project itself (T2). */
export function projectSettingsPath(places: Places, root: string): string {
  return settingsAt(projectPlace(places, root));
}

/** Undefined if the project has no place yet. */
export function findProjectSettingsPath(places: Places, root: string): string | undefined {
  const place = findProjectPlace(places, root);
  return place && settingsAt(place);
}

export const settingsAt = ({ base }: Pick<ProjectPlace, 'base'>): string =>
  join(base, 'memory', 'config.json');

export function readSettings(places: Places, root?: string): SettingsReading {
  const user = readFile('user', userSettingsPath(places));
  return effectiveSettings(user, root === undefined ? [] : readProjectFile(places, root));
}

/** Of a project whose place is known: to look for it once more would take a hook half a millisecond. */
export function readSettingsAt(places: Places, place: Pick<ProjectPlace, 'base'>): SettingsReading {
  const user = readFile('user', userSettingsPath(places));
  return effectiveSettings(user, readFile('project', settingsAt(place)));
}

/** The settings of many projects; the user's own file is read once. */
export function readSettingsOfAll(
  places: Places,
  roots: readonly string[],
): Map<string, SettingsReading> {
  const user = readFile('user', userSettingsPath(places));
  const read = (root: string) => effectiveSettings(user, readProjectFile(places, root));
  return new Map(roots.map((root) => [root, read(root)]));
}

/** The language of the application (G6): its setting, else that of the environment. */
export function appLanguage(places: Places, env: NodeJS.ProcessEnv): Language {
  const { language } = readSettings(places).settings.app;
  return language === 'system' ? languageFrom(env) : language;
}

type SettingChange = { ok: true; setAside?: string } | { ok: false; reason: Message };

/** Where a change goes: for the user, or for one project. */
export type SettingScope = { places: Places; projectRoot?: string };

/** Sets one value, or removes it with `undefined`; everything else in the file stays as it is. */
export function changeSetting(
  scope: SettingScope,
  key: SettingKey,
  value: SettingValueType | undefined,
): SettingChange {
  const definition: SettingDefinition = SETTING_DEFINITIONS[key];
  if (definition.isForUserOnly && scope.projectRoot !== undefined)
    return { ok: false, reason: message('settings.userOnly', { setting: key }) };
  const parsed = definition.parse(value);
  if (parsed === undefined && value !== undefined) {
    const { constraint } = definition;
    return { ok: false, reason: message('settings.invalid', { setting: key, constraint }) };
  }
  const written = parsed === undefined ? undefined : (definition.inFile?.(parsed) ?? parsed);
  const { setAside } = updateDocument(settingsPath(scope), settingsFile, (file) =>
    withValue(file, key, written),
  );
  return { ok: true, ...(setAside !== undefined && { setAside }) };
}

/** False if there is no change to take back. */
export function undoSettingChange(scope: SettingScope): boolean {
  return undoDocument(settingsPath(scope));
}

/** `undoSettingChange` still refuses if the file was edited by hand since. */
export function canUndoSettingChange(scope: SettingScope): boolean {
  return listVersions(settingsPath(scope)).length > 0;
}

export function settingsPath({ places, projectRoot }: SettingScope): string {
  return projectRoot === undefined
    ? userSettingsPath(places)
    : projectSettingsPath(places, projectRoot);
}

interface FileContent {
  from: 'user' | 'project';
  values: SettingsFile;
  /** Why the file cannot be used. */
  problem?: Message;
}

/** Empty if there is no such file, as for most users. */
function readFile(from: FileContent['from'], path: string): FileContent[] {
  const reading = readDocument(path, settingsFile);
  if (reading.state === 'missing') return [];
  if (reading.state === 'ok') return [{ from, values: reading.value }];
  const problem = message('settings.fileIgnored', { path, reason: reading.reason });
  return [{ from, values: {}, problem }];
}

function readProjectFile(places: Places, root: string): FileContent[] {
  const path = findProjectSettingsPath(places, root);
  return path === undefined ? [] : readFile('project', path);
}

function effectiveSettings(user: FileContent[], project: FileContent[]): SettingsReading {
  const problems = [...user, ...project].flatMap(({ problem }) => problem ?? []);
  const files = [...project, ...user];
  const values = Object.fromEntries(
    SETTING_KEYS.map((key) => [key, settingValue(key, files, problems)]),
  ) as Record<SettingKey, SettingValue>;
  const warn = Number(values['thresholds.warn'].value);
  const critical = Number(values['thresholds.critical'].value);
  if (isPercentage(warn) === isPercentage(critical) && warn >= critical) {
    const names = { setting: 'thresholds.warn', otherSetting: 'thresholds.critical' };
    problems.push(message('settings.warnNotBelowCritical', { ...names, warn, critical }));
  }
  return { settings: settingsFrom(values), values, problems };
}

function settingsFrom(values: Record<SettingKey, SettingValue>): Settings {
  const warn = values['thresholds.warn'].value;
  const settings: Record<string, unknown> = {};
  for (const key of SETTING_KEYS) {
    const { inCode }: SettingDefinition = SETTING_DEFINITIONS[key];
    const { value } = values[key];
    const [name = '', field] = key.split('.');
    const inner = inCode ? inCode(value, warn) : value;
    settings[name] = field === undefined ? inner : { ...(settings[name] ?? {}), [field]: inner };
  }
  return settings as Settings;
}

/** The first of the files that has a usable value decides. */
function settingValue(
  key: SettingKey,
  files: readonly FileContent[],
  problems: Message[],
): SettingValue {
  const definition: SettingDefinition = SETTING_DEFINITIONS[key];
  for (const { from, values } of files) {
    if (from === 'project' && definition.isForUserOnly) continue;
    const raw = valueAt(values, key);
    if (raw === undefined) continue;
    const value = definition.parse(raw);
    if (value !== undefined) return { value, from };
    const { constraint } = definition;
    problems.push(message(`settings.${from}Ignored`, { setting: key, constraint }));
  }
  return { value: definition.fallback, from: 'default' };
}

function valueAt(file: SettingsFile, key: string): unknown {
  let value: unknown = file;
  for (const field of key.split('.'))
    value = isRecord(value) && Object.hasOwn(value, field) ? value[field] : undefined;
  return value;
}

/** A key has one or two parts: `storage`, `app.theme`. */
function withValue(file: SettingsFile, key: string, value: unknown): SettingsFile {
  const [name = '', ...rest] = key.split('.');
  if (rest.length === 0) {
    const { [name]: _, ...others } = file;
    return value === undefined ? others : { ...file, [name]: value };
  }
  const group = file[name];
  return { ...file, [name]: withValue(isRecord(group) ? group : {}, rest.join('.'), value) };
}
