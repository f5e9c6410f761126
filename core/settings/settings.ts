/**
 * The user's settings (F1): `config.json` in our own folder, and one per project that overrules it.
 * A value that cannot be used is told and its default taken; it costs nobody the rest of the file,
 * and the file stays as it is.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type Message, message } from '../messages/message.ts';
import {
  type DocumentKind,
  readDocument,
  undoDocument,
  updateDocument,
} from '../platform/store/document.ts';
import { listVersions } from '../platform/store/history.ts';
import { assertNoLinkOut } from '../platform/store/own-files.ts';
import { isWithin, type Places, projectFolders } from '../platform/store/places.ts';
import {
  hoursFrom,
  isObject,
  isWay,
  numberOf,
  SETTING_DEFINITIONS,
  SETTING_KEYS,
  type SettingDefinition,
  type SettingKey,
  type SettingValueType,
  type WayToClear,
} from './setting-definitions.ts';
import { isPercentage, type Threshold, type Thresholds, thresholdFrom } from './thresholds.ts';

export interface Settings {
  thresholds: Thresholds;
  /** Tool uses after which memory.md is brought up to date. */
  saveInterval: number;
  /** The user's rules go along with every n-th prompt; 0 is never. */
  rulesInjectionFrequency: number;
  quietStop: boolean;
  /** Characters of a summary that is made without a model, and tokens of a session's. */
  summaryMaxLength: number;
  enforcement: 'off' | 'remind' | 'block';
  /** Which model does what; `none` does without. */
  models: { delta: string; facts: string; rotation: string };
  budget: { tokensPerDay: number };
  retention: { l1Days: number; rawCopy: boolean };
  storage: 'project' | 'home';
  autoClear: AutoClearSettings;
  /**
   * The ways to clear a session, in the order in which they are tried; one that is left out is
   * switched off.
   */
  delivery: { order: WayToClear[] };
  app: AppSettings;
}

export interface AppSettings {
  language: 'system' | 'en' | 'ko';
  theme: 'system' | 'light' | 'dark';
  startAtLogin: boolean;
  updates: boolean;
  notifications: boolean;
}

export interface AutoClearSettings {
  mode: 'auto' | 'ask' | 'off';
  threshold: Threshold;
  countdownSeconds: number;
  cooldownMinutes: number;
  /** A session that has been busy for longer is told of, and waited for. */
  busyMinutes: number;
  snoozeMinutes: number;
  /** Whether the session is told to go on with the hand-over after the clear (A10). */
  continue: boolean;
  /**
   * Whether the session's model sums up the whole conversation before the clear, where a mod can
   * ask it.
   */
  summary: boolean;
  /** From and to, in minutes of the day; undefined: none. */
  quietHours: { from: number; to: number } | undefined;
}

type SettingsFile = Record<string, unknown>;

/** Any object will do as a file: each value is looked at on its own. */
const settingsFile: DocumentKind<SettingsFile> = {
  version: 1,
  /** Made when there is a file: a hook finds none as a rule. */
  get schema() {
    return v.record(v.string(), v.unknown());
  },
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

export function projectSettingsPath(places: Places, root: string): string {
  return join(projectFolders(places, root).memory, 'config.json');
}

export function readSettings(places: Places, root?: string): SettingsReading {
  const user = readFile(userSettingsPath(places));
  return effectiveSettings(user, root === undefined ? NO_FILE : readProjectFile(places, root));
}

/** The settings of many projects; the user's own file is read once. */
export function readSettingsOfAll(
  places: Places,
  roots: readonly string[],
): Map<string, SettingsReading> {
  const user = readFile(userSettingsPath(places));
  const read = (root: string) =>
    [root, effectiveSettings(user, readProjectFile(places, root))] as const;
  return new Map(roots.map(read));
}

export type SettingChange = { ok: true; setAside?: string } | { ok: false; reason: Message };

/** Where a change goes: for the user, or for one project. */
export type SettingScope = { places: Places; projectRoot?: string };

/**
 * Sets one value, or takes it out with `undefined`, and leaves everything else in the file as it
 * is.
 */
export function changeSetting(
  scope: SettingScope,
  key: SettingKey,
  value: SettingValueType | undefined,
): SettingChange {
  const definition: SettingDefinition = SETTING_DEFINITIONS[key];
  if (definition.isForUserOnly && scope.projectRoot !== undefined)
    return { ok: false, reason: message('settings.userOnly', { setting: key }) };
  const parsed = value === undefined ? undefined : v.safeParse(definition.schema(), value);
  if (parsed?.success === false) {
    const { constraint } = definition;
    return { ok: false, reason: message('settings.invalid', { setting: key, constraint }) };
  }
  const written = parsed && (definition.inFile?.(parsed.output) ?? parsed.output);
  const path = safePath(scope);
  const { setAside } = updateDocument(path, settingsFile, (file) =>
    withValue(file, key.split('.'), written),
  );
  return { ok: true, ...(setAside !== undefined && { setAside }) };
}

/** Takes the last change back; false if there is none to take back. */
export function undoSettingChange(scope: SettingScope): boolean {
  return undoDocument(safePath(scope));
}

/**
 * Whether there is an earlier version to go back to. `undoSettingChange` still refuses if the file
 * was edited by hand since.
 */
export function canUndoSettingChange(scope: SettingScope): boolean {
  return listVersions(settingsPath(scope)).length > 0;
}

export function settingsPath(scope: SettingScope): string {
  const { places, projectRoot } = scope;
  return projectRoot === undefined
    ? userSettingsPath(places)
    : projectSettingsPath(places, projectRoot);
}

function safePath(scope: SettingScope): string {
  const { places, projectRoot } = scope;
  if (projectRoot !== undefined) {
    const { memory, within } = projectFolders(places, projectRoot);
    assertNoLinkOut([memory], within); // its earlier versions stand below it
  }
  return settingsPath(scope);
}

interface FileContent {
  values: SettingsFile;
  problems: Message[];
}

const NO_FILE: FileContent = { values: {}, problems: [] };

function readFile(path: string): FileContent {
  const reading = readDocument(path, settingsFile);
  if (reading.state === 'missing') return NO_FILE;
  if (reading.state === 'ok') return { values: reading.value, problems: [] };
  const problem = message('settings.fileIgnored', { path, reason: reading.reason });
  return { values: {}, problems: [problem] };
}

function readProjectFile(places: Places, root: string): FileContent {
  const { memory, within } = projectFolders(places, root);
  const path = join(memory, 'config.json');
  if (!existsSync(path)) return NO_FILE;
  if (!isWithin(path, within))
    return { values: {}, problems: [message('settings.fileLeadsOut', { path })] };
  return readFile(path);
}

function effectiveSettings(user: FileContent, project: FileContent): SettingsReading {
  const problems = [...user.problems, ...project.problems];
  const entries = SETTING_KEYS.map((key) => [
    key,
    settingValue(key, user.values, project.values, problems),
  ]);
  const values = Object.fromEntries(entries) as Record<SettingKey, SettingValue>;
  const settings = settingsFrom(values);
  const [warn, critical] = [
    numberOf(settings.thresholds.warn),
    numberOf(settings.thresholds.critical),
  ];
  if (isPercentage(warn) === isPercentage(critical) && warn >= critical)
    problems.push(
      message('settings.warnNotBelowCritical', {
        setting: 'thresholds.warn',
        otherSetting: 'thresholds.critical',
        warn,
        critical,
      }),
    );
  return { settings, values, problems };
}

/** Each value has passed its schema. */
function settingsFrom(values: Record<SettingKey, SettingValue>): Settings {
  const number = (key: SettingKey) => values[key].value as number;
  const text = <T extends string>(key: SettingKey) => values[key].value as T;
  const flag = (key: SettingKey) => values[key].value as boolean;
  return {
    thresholds: {
      warn: thresholdFrom(number('thresholds.warn')),
      critical: thresholdFrom(number('thresholds.critical')),
    },
    saveInterval: number('saveInterval'),
    rulesInjectionFrequency: number('rulesInjectionFrequency'),
    quietStop: flag('quietStop'),
    summaryMaxLength: number('summaryMaxLength'),
    enforcement: text('enforcement'),
    models: {
      delta: text('models.delta'),
      facts: text('models.facts'),
      rotation: text('models.rotation'),
    },
    budget: { tokensPerDay: number('budget.tokensPerDay') },
    retention: { l1Days: number('retention.l1Days'), rawCopy: flag('retention.rawCopy') },
    storage: text('storage'),
    autoClear: {
      mode: text('autoClear.mode'),
      threshold: thresholdFrom(
        number(
          values['autoClear.threshold'].value === 'warn'
            ? 'thresholds.warn'
            : 'autoClear.threshold',
        ),
      ),
      countdownSeconds: number('autoClear.countdownSeconds'),
      cooldownMinutes: number('autoClear.cooldownMinutes'),
      busyMinutes: number('autoClear.busyMinutes'),
      snoozeMinutes: number('autoClear.snoozeMinutes'),
      continue: flag('autoClear.continue'),
      summary: flag('autoClear.summary'),
      quietHours: hoursFrom(text('autoClear.quietHours')),
    },
    delivery: { order: text<string>('delivery.order').split(',').filter(isWay) },
    app: {
      language: text('app.language'),
      theme: text('app.theme'),
      startAtLogin: flag('app.startAtLogin'),
      updates: flag('app.updates'),
      notifications: flag('app.notifications'),
    },
  };
}

function settingValue(
  key: SettingKey,
  user: SettingsFile,
  project: SettingsFile,
  problems: Message[],
): SettingValue {
  const definition: SettingDefinition = SETTING_DEFINITIONS[key];
  for (const [from, file] of [
    ['project', project],
    ['user', user],
  ] as const) {
    if (from === 'project' && definition.isForUserOnly) continue;
    const raw = file === NO_FILE.values ? undefined : valueAt(file, key.split('.'));
    if (raw === undefined) continue;
    const parsed = v.safeParse(definition.schema(), raw);
    if (parsed.success) return { value: parsed.output, from };
    const { constraint } = definition;
    problems.push(message(`settings.${from}Ignored`, { setting: key, constraint }));
  }
  return { value: definition.fallback, from: 'default' };
}

function valueAt(file: SettingsFile, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, field) => (isObject(at) && Object.hasOwn(at, field) ? at[field] : undefined),
    file,
  );
}

function withValue(
  file: SettingsFile,
  [field = '', ...rest]: readonly string[],
  value: unknown,
): SettingsFile {
  const { [field]: old, ...others } = file;
  if (rest.length === 0) return value === undefined ? others : { ...file, [field]: value };
  return { ...file, [field]: withValue(isObject(old) ? old : {}, rest, value) };
}
