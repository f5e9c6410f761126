/**
 * The user's settings (F1): `config.json` in our own folder, and one per project that overrules it. A value that cannot be
 * used is told and its default taken; it costs nobody the rest of the file, and the file stays as it is.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import {
  DEFAULT_THRESHOLDS,
  isPercentage,
  type Threshold,
  type Thresholds,
  thresholdFrom,
  thresholdSetting,
} from '../context/thresholds.ts';
import { ExpectedError } from '../expected-error.ts';
import { type DocumentKind, readDocument, undoDocument, updateDocument } from '../store/document.ts';
import { isWithin, type Places, projectFolders } from '../store/places.ts';

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
  /** The ways to clear a session, in the order in which they are tried; one that is left out is switched off. */
  delivery: { order: WayToClear[] };
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
  /** Whether the session's model sums up the whole conversation before the clear, where a mod can ask it. */
  summary: boolean;
  /** From and to, in minutes of the day; undefined: none. */
  quietHours: { from: number; to: number } | undefined;
}

export type SettingValueType = number | string | boolean;

export interface SettingDefinition {
  /** Made when a value is there to be looked at: a hook finds none as a rule. */
  schema: () => v.GenericSchema<unknown, SettingValueType>;
  fallback: SettingValueType;
  help: string;
  /** What a number counts. */
  unit?(value: SettingValueType): string;
  /** How it stands in the file, where that differs. */
  inFile?(value: SettingValueType): unknown;
}

/** Each has a file of its own in core/clear/delivery. */
export const WAYS_TO_CLEAR = ['mod', 'tmux', 'screen', 'zellij', 'kitty', 'wezterm', 'iterm2', 'desktop'] as const;
export type WayToClear = (typeof WAYS_TO_CLEAR)[number];
const isWay = (name: string): name is WayToClear => WAYS_TO_CLEAR.some((way) => way === name);
const WAYS_HELP = `must be one or more of ${WAYS_TO_CLEAR.join(',')}`;

const THRESHOLD_HELP = 'a percentage of the window (1 to 100) or a number of tokens (from 1000)';

const wholeNumber = (lowest: number, highest: number) =>
  v.pipe(
    v.number('must be a number'),
    v.integer('must be a whole number'),
    v.minValue(lowest, `must be ${lowest} or more`),
    v.maxValue(highest, `must be ${highest} or less`),
  );
const yesOrNo = () => v.boolean('must be true or false');
const oneOf = <const T extends string[]>(...words: T) => v.picklist(words, `must be ${words.join(' or ')}`);
/** As it stands in the file, `{percent}` or `{tokens}`, or as the number alone. */
const clearThreshold = () =>
  v.pipe(
    v.unknown(),
    v.transform((value) => (isObject(value) ? (value.percent ?? value.tokens) : value)),
    v.union([v.literal('warn'), thresholdSetting()], 'must be warn, a percentage from 1 to 100 or a number of tokens from 1000'),
  );
const QUIET_HOURS = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/;
const quietHours = () =>
  v.pipe(
    v.string('must be such as 22:00-07:00, or none'),
    v.check((text) => text === 'none' || QUIET_HOURS.test(text), 'must be such as 22:00-07:00, or none'),
  );
const waysToClear = () =>
  v.pipe(
    v.union(
      [
        v.string(),
        v.pipe(
          v.array(v.string()),
          v.transform((names) => names.join(',')),
        ),
      ],
      WAYS_HELP,
    ),
    v.transform((text) => text.replaceAll(' ', '')),
    v.check((text) => isListOfWays(text.split(',')), WAYS_HELP),
  );
const modelName = () =>
  v.pipe(
    v.string('must be the name of a model'),
    v.regex(/^[\w.[\]-]{2,100}$/, 'must be the name of a model, such as haiku, or none'),
  );

export const SETTING_DEFINITIONS = {
  'thresholds.warn': {
    schema: thresholdSetting,
    fallback: numberOf(DEFAULT_THRESHOLDS.warn),
    help: `context at which you are warned: ${THRESHOLD_HELP}`,
    unit: thresholdUnit,
  },
  'thresholds.critical': {
    schema: thresholdSetting,
    fallback: numberOf(DEFAULT_THRESHOLDS.critical),
    help: `context at which it becomes critical: ${THRESHOLD_HELP}`,
    unit: thresholdUnit,
  },
  saveInterval: {
    schema: () => wholeNumber(1, 1000),
    fallback: 5,
    help: 'tool uses after which memory.md is brought up to date',
    unit: () => 'tool uses',
  },
  rulesInjectionFrequency: {
    schema: () => wholeNumber(0, 1000),
    fallback: 1,
    help: 'your rules go along with every n-th prompt: 1 is every prompt, 0 is never',
    unit: () => 'prompts',
  },
  quietStop: { schema: yesOrNo, fallback: true, help: 'false: say after each reply what was kept' },
  summaryMaxLength: {
    schema: () => wholeNumber(100, 5000),
    fallback: 500,
    help: "how long a summary may be: tokens of a session's, characters of one without a model",
  },
  enforcement: {
    schema: () => oneOf('off', 'remind', 'block'),
    fallback: 'off',
    help: 'when layers of memory are missing today: off, remind Claude, or block its stopping once',
  },
  'models.delta': { schema: modelName, fallback: 'haiku', help: 'model for summaries of recent work; none does without' },
  'models.facts': { schema: modelName, fallback: 'haiku', help: 'model that looks for facts; none does without' },
  'models.rotation': {
    schema: modelName,
    fallback: 'sonnet',
    help: 'model for summaries of what leaves memory.md; none does without',
  },
  'budget.tokensPerDay': {
    schema: () => wholeNumber(0, 1_000_000_000),
    fallback: 500_000,
    help: 'tokens that Memory Keeper may spend on models in a day; 0 is none',
    unit: () => 'tokens',
  },
  'retention.l1Days': {
    schema: () => wholeNumber(0, 100_000),
    fallback: 0,
    help: 'days after which what was said is deleted; 0 is never',
    unit: () => 'days',
  },
  'retention.rawCopy': { schema: yesOrNo, fallback: false, help: "true: also keep a copy of Claude Code's own transcript" },
  storage: {
    schema: () => oneOf('project', 'home'),
    fallback: 'project',
    help: "where memory lives: in the project's .claude, or in your home folder; for all projects, see `memory move`",
  },
  'autoClear.mode': {
    schema: () => oneOf('auto', 'ask', 'off'),
    fallback: 'auto',
    help: 'at the threshold: auto clears by itself after a countdown, ask waits for your yes, off only warns',
  },
  'autoClear.threshold': {
    schema: clearThreshold,
    fallback: 'warn',
    help: `context at which a session is cleared: warn (as thresholds.warn), ${THRESHOLD_HELP}`,
    unit: (value) => (value === 'warn' ? '' : thresholdUnit(value)),
    inFile: (value) => (value === 'warn' ? value : thresholdFrom(Number(value))),
  },
  'autoClear.countdownSeconds': {
    schema: () => wholeNumber(0, 3600),
    fallback: 10,
    help: 'how long you can cancel or snooze before a session is cleared; 0 is not at all',
    unit: () => 'seconds',
  },
  'autoClear.cooldownMinutes': {
    schema: () => wholeNumber(0, 1440),
    fallback: 10,
    help: 'after a clear, or one that failed, the same Claude Code is left alone for so long',
    unit: () => 'minutes',
  },
  'autoClear.busyMinutes': {
    schema: () => wholeNumber(1, 1440),
    fallback: 10,
    help: 'a session that is busy for longer is told of; it is cleared when it is idle next',
    unit: () => 'minutes',
  },
  'autoClear.snoozeMinutes': {
    schema: () => wholeNumber(1, 1440),
    fallback: 30,
    help: 'how long Snooze puts a clear off',
    unit: () => 'minutes',
  },
  'autoClear.continue': { schema: yesOrNo, fallback: false, help: 'true: after the clear Claude goes on with the hand-over' },
  'autoClear.summary': {
    schema: yesOrNo,
    fallback: true,
    help: 'before a clear the model sums up the whole conversation, where the plugin can ask it; false does without',
  },
  'autoClear.quietHours': {
    schema: quietHours,
    fallback: 'none',
    help: 'hours in which nothing is cleared by itself, such as 22:00-07:00, or none',
  },
  'delivery.order': {
    schema: waysToClear,
    fallback: WAYS_TO_CLEAR.join(','),
    help: 'the ways to clear a session, first to last; one that is left out is not used',
    inFile: (value) => String(value).split(','),
  },
} satisfies Record<string, SettingDefinition>;

function isListOfWays(names: readonly string[]): boolean {
  return names.every(isWay) && new Set(names).size === names.length;
}

export type SettingKey = keyof typeof SETTING_DEFINITIONS;
export const SETTING_KEYS = Object.keys(SETTING_DEFINITIONS) as SettingKey[];
export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(SETTING_DEFINITIONS, key);

/** What the number counts; empty where that is clear, or it is no number. */
export function settingUnit(key: SettingKey, value: SettingValueType): string {
  const definition: SettingDefinition = SETTING_DEFINITIONS[key];
  return definition.unit?.(value) ?? '';
}

type SettingsFile = Record<string, unknown>;

/** Any object will do as a file: each value is looked at on its own. */
const settingsFile: DocumentKind<SettingsFile> = {
  version: 1,
  schema: v.record(v.string(), v.unknown()),
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
  problems: string[];
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
export function readSettingsOfAll(places: Places, roots: readonly string[]): Map<string, SettingsReading> {
  const user = readFile(userSettingsPath(places));
  const read = (root: string) => [root, effectiveSettings(user, readProjectFile(places, root))] as const;
  return new Map(roots.map(read));
}

export type SettingChange = { ok: true; setAside?: string } | { ok: false; reason: string };

/** Where a change goes: for the user, or for one project. */
export type SettingScope = { places: Places; projectRoot?: string };

/** Sets one value, or takes it out with `undefined`, and leaves everything else in the file as it is. */
export function changeSetting(scope: SettingScope, key: SettingKey, value: SettingValueType | undefined): SettingChange {
  if (key === 'storage' && scope.projectRoot !== undefined)
    return { ok: false, reason: 'storage is the same for all projects; set it without --project' };
  const definition: SettingDefinition = SETTING_DEFINITIONS[key];
  const parsed = value === undefined ? undefined : v.safeParse(definition.schema(), value);
  if (parsed?.success === false) return { ok: false, reason: `${key} ${parsed.issues[0].message}` };
  const written = parsed && (definition.inFile?.(parsed.output) ?? parsed.output);
  const path = safePath(scope);
  const { setAside } = updateDocument(path, settingsFile, (file) => withValue(file, key.split('.'), written));
  return { ok: true, ...(setAside !== undefined && { setAside }) };
}

/** Takes the last change back; false if there is none to take back. */
export function undoSettingChange(scope: SettingScope): boolean {
  return undoDocument(safePath(scope));
}

export function settingsPath(scope: SettingScope): string {
  const { places, projectRoot } = scope;
  return projectRoot === undefined ? userSettingsPath(places) : projectSettingsPath(places, projectRoot);
}

function safePath(scope: SettingScope): string {
  const path = settingsPath(scope);
  const { places, projectRoot } = scope;
  if (projectRoot !== undefined && !isWithin(path, projectFolders(places, projectRoot).within))
    throw new ExpectedError(`${path} leads out of the project; it is left alone`);
  return path;
}

interface FileContent {
  values: SettingsFile;
  problems: string[];
}

const NO_FILE: FileContent = { values: {}, problems: [] };

function readFile(path: string): FileContent {
  const reading = readDocument(path, settingsFile);
  if (reading.state === 'missing') return NO_FILE;
  if (reading.state === 'ok') return { values: reading.value, problems: [] };
  return { values: {}, problems: [`${located(path, reading.reason)}; its settings are not used, and it was left as it is`] };
}

function readProjectFile(places: Places, root: string): FileContent {
  const { memory, within } = projectFolders(places, root);
  const path = join(memory, 'config.json');
  if (!existsSync(path)) return NO_FILE;
  if (!isWithin(path, within)) return { values: {}, problems: [`${path} leads out of the project; its settings are not used`] };
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
  const settings = settingsFrom(values);
  const [warn, critical] = [numberOf(settings.thresholds.warn), numberOf(settings.thresholds.critical)];
  if (isPercentage(warn) === isPercentage(critical) && warn >= critical)
    problems.push(
      `thresholds.warn (${warn}) is not below thresholds.critical (${critical}): you are told only when it is critical`,
    );
  return { settings, values, problems };
}

/** Each value has passed its schema. */
function settingsFrom(values: Record<SettingKey, SettingValue>): Settings {
  const number = (key: SettingKey) => values[key].value as number;
  const text = <T extends string>(key: SettingKey) => values[key].value as T;
  const flag = (key: SettingKey) => values[key].value as boolean;
  return {
    thresholds: { warn: thresholdFrom(number('thresholds.warn')), critical: thresholdFrom(number('thresholds.critical')) },
    saveInterval: number('saveInterval'),
    rulesInjectionFrequency: number('rulesInjectionFrequency'),
    quietStop: flag('quietStop'),
    summaryMaxLength: number('summaryMaxLength'),
    enforcement: text('enforcement'),
    models: { delta: text('models.delta'), facts: text('models.facts'), rotation: text('models.rotation') },
    budget: { tokensPerDay: number('budget.tokensPerDay') },
    retention: { l1Days: number('retention.l1Days'), rawCopy: flag('retention.rawCopy') },
    storage: text('storage'),
    autoClear: {
      mode: text('autoClear.mode'),
      threshold: thresholdFrom(
        number(values['autoClear.threshold'].value === 'warn' ? 'thresholds.warn' : 'autoClear.threshold'),
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
  };
}

function hoursFrom(text: string): AutoClearSettings['quietHours'] {
  if (text === 'none') return undefined;
  const [, fromHour, fromMinute, toHour, toMinute] = (QUIET_HOURS.exec(text) ?? []).map(Number);
  return { from: (fromHour ?? 0) * 60 + (fromMinute ?? 0), to: (toHour ?? 0) * 60 + (toMinute ?? 0) };
}

function settingValue(key: SettingKey, user: SettingsFile, project: SettingsFile, problems: string[]): SettingValue {
  const definition: SettingDefinition = SETTING_DEFINITIONS[key];
  for (const [from, file] of [
    ['project', project],
    ['user', user],
  ] as const) {
    const raw = file === NO_FILE.values ? undefined : valueAt(file, key.split('.'));
    if (raw === undefined) continue;
    const parsed = v.safeParse(definition.schema(), raw);
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

function thresholdUnit(value: SettingValueType): string {
  return isPercentage(Number(value)) ? '%' : 'tokens';
}
