/**
 * The user's settings (F1): `config.json` in our own folder, and one per project that overrules it. A value that cannot be
 * used is told and its default taken; it costs nobody the rest of the file, and the file stays as it is.
 */
import { join } from 'node:path';
import * as v from 'valibot';
import { DEFAULT_THRESHOLDS, isPercentage, ThresholdSetting, type Thresholds, thresholdFrom } from '../context/thresholds.ts';
import { ExpectedError } from '../expected-error.ts';
import { exists } from '../store/atomic-write.ts';
import { type DocumentKind, readDocument, undoDocument, updateDocument } from '../store/document.ts';
import { isWithin, type Places, projectFolders } from '../store/places.ts';

export interface Settings {
  thresholds: Thresholds;
  /** The user's rules go along with every n-th prompt; 0 is never. */
  rulesInjectionFrequency: number;
}

interface Definition {
  schema: v.GenericSchema<unknown, number>;
  fallback: number;
  help: string;
  /** What the number counts. */
  unit(value: number): string;
}

const THRESHOLD_HELP = 'a percentage of the window (1 to 100) or a number of tokens (from 1000)';

export const SETTING_DEFINITIONS = {
  'thresholds.warn': {
    schema: ThresholdSetting,
    fallback: numberOf(DEFAULT_THRESHOLDS.warn),
    help: `context at which you are warned: ${THRESHOLD_HELP}`,
    unit: thresholdUnit,
  },
  'thresholds.critical': {
    schema: ThresholdSetting,
    fallback: numberOf(DEFAULT_THRESHOLDS.critical),
    help: `context at which it becomes critical: ${THRESHOLD_HELP}`,
    unit: thresholdUnit,
  },
  rulesInjectionFrequency: {
    schema: v.pipe(
      v.number('must be a number'),
      v.integer('must be a whole number'),
      v.minValue(0, 'must be 0 or more'),
      v.maxValue(1000, 'must be 1000 or less'),
    ),
    fallback: 1,
    help: 'your rules go along with every n-th prompt: 1 is every prompt, 0 is never',
    unit: () => 'prompts',
  },
} satisfies Record<string, Definition>;

export type SettingKey = keyof typeof SETTING_DEFINITIONS;
export const SETTING_KEYS = Object.keys(SETTING_DEFINITIONS) as SettingKey[];
export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(SETTING_DEFINITIONS, key);

type SettingsFile = Record<string, unknown>;

/** Any object will do as a file: each value is looked at on its own. */
const settingsFile: DocumentKind<SettingsFile> = {
  version: 1,
  schema: v.record(v.string(), v.unknown()),
  empty: () => ({}),
  keepVersions: 50,
};

export interface SettingValue {
  value: number;
  from: 'default' | 'user' | 'project';
}

export interface SettingsReading {
  settings: Settings;
  values: Record<SettingKey, SettingValue>;
  problems: string[];
}

export function userSettingsPath(places: Places): string {
  return join(places.home, 'config.json');
}

export function projectSettingsPath(places: Places, root: string): string {
  return join(projectFolders(places, root).memory, 'config.json');
}

export async function readSettings(places: Places, root?: string): Promise<SettingsReading> {
  const user = await readFile(userSettingsPath(places));
  return effectiveSettings(user, root === undefined ? NO_FILE : await readProjectFile(places, root));
}

/** The settings of many projects; the user's own file is read once. */
export async function readSettingsOfAll(places: Places, roots: readonly string[]): Promise<Map<string, SettingsReading>> {
  const user = await readFile(userSettingsPath(places));
  const read = async (root: string) => [root, effectiveSettings(user, await readProjectFile(places, root))] as const;
  return new Map(await Promise.all(roots.map(read)));
}

export type SettingChange = { ok: true; setAside?: string } | { ok: false; reason: string };

/** Where a change goes: for the user, or for one project. */
export type SettingScope = { places: Places; projectRoot?: string };

/** Sets one value, or takes it out with `undefined`, and leaves everything else in the file as it is. */
export async function changeSetting(scope: SettingScope, key: SettingKey, value: number | undefined): Promise<SettingChange> {
  if (value !== undefined) {
    const parsed = v.safeParse(SETTING_DEFINITIONS[key].schema, value);
    if (!parsed.success) return { ok: false, reason: `${key} ${parsed.issues[0].message}` };
  }
  const path = await safePath(scope);
  const { setAside } = await updateDocument(path, settingsFile, (file) => withValue(file, key.split('.'), value));
  return { ok: true, ...(setAside !== undefined && { setAside }) };
}

/** Takes the last change back; false if there is none to take back. */
export async function undoSettingChange(scope: SettingScope): Promise<boolean> {
  return undoDocument(await safePath(scope));
}

export function settingsPath(scope: SettingScope): string {
  const { places, projectRoot } = scope;
  return projectRoot === undefined ? userSettingsPath(places) : projectSettingsPath(places, projectRoot);
}

async function safePath(scope: SettingScope): Promise<string> {
  const path = settingsPath(scope);
  const { places, projectRoot } = scope;
  if (projectRoot !== undefined && !(await isWithin(path, projectFolders(places, projectRoot).within)))
    throw new ExpectedError(`${path} leads out of the project; it is left alone`);
  return path;
}

interface FileContent {
  values: SettingsFile;
  problems: string[];
}

const NO_FILE: FileContent = { values: {}, problems: [] };

async function readFile(path: string): Promise<FileContent> {
  const reading = await readDocument(path, settingsFile);
  if (reading.state === 'ok' || reading.state === 'missing') return { values: reading.value, problems: [] };
  return { values: {}, problems: [`${located(path, reading.reason)}; its settings are not used, and it was left as it is`] };
}

async function readProjectFile(places: Places, root: string): Promise<FileContent> {
  const path = projectSettingsPath(places, root);
  if (!(await exists(path))) return NO_FILE;
  if (!(await isWithin(path, root)))
    return { values: {}, problems: [`${path} leads out of the project; its settings are not used`] };
  return readFile(path);
}

/** Some reasons name the whole path already. */
function located(path: string, reason: string): string {
  return reason.includes(path) ? reason : `${path}: ${reason}`;
}

function effectiveSettings(user: FileContent, project: FileContent): SettingsReading {
  const problems = [...user.problems, ...project.problems];
  const entries = SETTING_KEYS.map((key) => [key, settingValue(key, user.values, project.values, problems)]);
  const values = Object.fromEntries(entries) as Record<SettingKey, SettingValue>;
  const thresholds = {
    warn: thresholdFrom(values['thresholds.warn'].value),
    critical: thresholdFrom(values['thresholds.critical'].value),
  };
  const [warn, critical] = [values['thresholds.warn'].value, values['thresholds.critical'].value];
  if (isPercentage(warn) === isPercentage(critical) && warn >= critical)
    problems.push(
      `thresholds.warn (${warn}) is not below thresholds.critical (${critical}): you are told only when it is critical`,
    );
  return { settings: { thresholds, rulesInjectionFrequency: values.rulesInjectionFrequency.value }, values, problems };
}

function settingValue(key: SettingKey, user: SettingsFile, project: SettingsFile, problems: string[]): SettingValue {
  const definition: Definition = SETTING_DEFINITIONS[key];
  for (const [from, file] of [
    ['project', project],
    ['user', user],
  ] as const) {
    const raw = valueAt(file, key.split('.'));
    if (raw === undefined) continue;
    const parsed = v.safeParse(definition.schema, raw);
    if (parsed.success) return { value: parsed.output, from };
    problems.push(`the ${from}'s setting ${key} ${parsed.issues[0].message}; it is not used`);
  }
  return { value: definition.fallback, from: 'default' };
}

function valueAt(file: SettingsFile, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, field) => (isObject(at) && Object.hasOwn(at, field) ? at[field] : undefined), file);
}

function withValue(file: SettingsFile, [field = '', ...rest]: readonly string[], value: unknown): SettingsFile {
  const { [field]: old, ...others } = file;
  if (rest.length === 0) return value === undefined ? others : { ...file, [field]: value };
  return { ...file, [field]: withValue(isObject(old) ? old : {}, rest, value) };
}

function isObject(value: unknown): value is SettingsFile {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function numberOf(threshold: Thresholds[keyof Thresholds]): number {
  return 'tokens' in threshold ? threshold.tokens : threshold.percent;
}

function thresholdUnit(value: number): string {
  return isPercentage(value) ? '%' : 'tokens';
}
