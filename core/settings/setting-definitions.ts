/**
 * Defines every setting (F1): which values it accepts, its default, and how code reads it. This is
 * the only place to add one; the `Settings` type and the object that core works with follow from it.
 */
import { type Message, message } from '../messages/message.ts';
import { isRecord } from '../platform/text/json.ts';
import {
  DEFAULT_THRESHOLDS,
  isPercentage,
  isThresholdSetting,
  type Threshold,
  thresholdFrom,
} from './thresholds.ts';

/** A setting's value as a person sees and types it. */
export type SettingValueType = number | string | boolean;

export interface SettingDefinition extends Constraint {
  fallback: SettingValueType;
  /** What a number counts. */
  unit?(value: SettingValueType): string;
  /** How it stands in the file, if that differs. */
  inFile?(value: SettingValueType): unknown;
  /** How code reads it, if that differs. `warn` is the value of `thresholds.warn`. */
  inCode?(value: SettingValueType, warn: SettingValueType): unknown;
  /** Likely values where others are possible too. */
  suggestions?: readonly string[];
  /** Cannot be set for one project. */
  isForUserOnly?: true;
}

interface Constraint<T extends SettingValueType = SettingValueType> {
  /** Undefined if the value is not acceptable. */
  parse: (value: unknown) => T | undefined;
  constraint: Message;
  /** All values of a choice. */
  choices?: readonly string[];
}

/** Each has a file of its own in core/clear/delivery. */
export const DRIVER_NAMES = [
  'mod',
  'tmux',
  'screen',
  'zellij',
  'kitty',
  'wezterm',
  'iterm2',
  'console',
  'desktop',
] as const;
export type DriverName = (typeof DRIVER_NAMES)[number];

/** Who runs a session: a person in a terminal, a program by the SDK or `-p`, an editor. */
export const SESSION_KINDS = ['cli', 'sdk', 'editor', 'other'] as const;
export type SessionKind = (typeof SESSION_KINDS)[number];

function wholeNumber(lowest: number, highest: number): Constraint<number> {
  const isInRange = (value: unknown): value is number =>
    Number.isInteger(value) && Number(value) >= lowest && Number(value) <= highest;
  return {
    parse: (value) => (isInRange(value) ? value : undefined),
    constraint: message('settings.mustBe.wholeNumber', { lowest, highest }),
  };
}

function oneOf<T extends string>(...choices: T[]): Constraint<T> {
  return {
    parse: (value) => choices.find((choice) => choice === value),
    constraint: message('settings.mustBe.oneOf', { choices }),
    choices,
  };
}

function textThat(isValid: (text: string) => boolean, constraint: Message): Constraint<string> {
  return {
    parse: (value) => (typeof value === 'string' && isValid(value) ? value : undefined),
    constraint,
  };
}

/** Names in the order in which they are typed, with commas between them; at least one, none twice. */
function someOf<T extends string>(names: readonly T[]) {
  const namesIn = (value: SettingValueType): T[] =>
    String(value)
      .split(',')
      .flatMap((word) => names.find((name) => name === word) ?? []);
  return {
    parse: (value: unknown) => {
      const text = String(value).replaceAll(' ', '');
      return new Set(namesIn(text)).size === text.split(',').length ? text : undefined;
    },
    constraint: message('settings.mustBe.someOf', { choices: names }),
    inFile: namesIn,
    inCode: namesIn,
  };
}

const yesOrNo: Constraint<boolean> = {
  parse: (value) => (typeof value === 'boolean' ? value : undefined),
  constraint: message('settings.mustBe.flag'),
};

const threshold = {
  parse: (value: unknown) => (isThresholdSetting(value) ? value : undefined),
  constraint: message('settings.mustBe.threshold'),
  unit: thresholdUnit,
  inCode: (value: SettingValueType): Threshold => thresholdFrom(Number(value)),
};

/** Which model to ask; `none` does without one. */
const model = {
  ...textThat((text) => /^[\w.[\]-]{2,100}$/.test(text), message('settings.mustBe.model')),
  suggestions: ['haiku', 'sonnet', 'opus', 'none'],
};

const MODEL_ID = /^[\w.:/@[\]-]{1,300}$/;
const LOWEST_WINDOW = 1000;
const HIGHEST_WINDOW = 100_000_000;
const MAX_WINDOWS = 100;
const NO_WINDOWS = 'none';

/**
 * A number for each model id: an object in the file, `id=number` with commas between them as a text,
 * so that forms and commands need no other kind of value.
 */
const windowsByModel = {
  parse: (value: unknown) => {
    const windows = isRecord(value) ? Object.entries(value) : pairsIn(value);
    const areValid = windows.every(
      ([id, window]) =>
        MODEL_ID.test(id) &&
        Number.isInteger(window) &&
        Number(window) >= LOWEST_WINDOW &&
        Number(window) <= HIGHEST_WINDOW,
    );
    if (!areValid || windows.length > MAX_WINDOWS) return undefined;
    return windows.map(([id, window]) => `${id}=${window}`).join(',') || NO_WINDOWS;
  },
  constraint: message('settings.mustBe.windows', { lowest: LOWEST_WINDOW }),
  inFile: (value: SettingValueType) => windowsIn(value),
  inCode: (value: SettingValueType) => windowsIn(value),
};
/** The windows that a value of `models.windows` names, by model id. */
export function windowsIn(value: SettingValueType): Record<string, number> {
  return Object.fromEntries(pairsIn(value));
}

/** The value of `models.windows` with another window for one model; without it if undefined. */
export function withWindow(
  value: SettingValueType,
  id: string,
  window: number | undefined,
): SettingValueType {
  const others = pairsIn(value).filter(([other]) => other.toLowerCase() !== id.toLowerCase());
  const pairs = window === undefined ? others : [...others, [id, window] as const];
  return pairs.map(([model, tokens]) => `${model}=${tokens}`).join(',') || NO_WINDOWS;
}

function pairsIn(value: unknown): [string, number][] {
  if (value === NO_WINDOWS) return [];
  return String(value)
    .split(',')
    .map((pair) => {
      const [id = '', window = ''] = pair.split('=');
      return [id.trim(), Number(window.trim() || Number.NaN)];
    });
}

/** Folders below the root with commas between them; `*` stands for any one name. */
function areScopes(text: string): boolean {
  const isName = (name: string) => name === '*' || /^[^*\\:?"<>|]+$/.test(name);
  const isFolder = (folder: string) =>
    folder.split('/').every((name) => isName(name) && name !== '.' && name !== '..');
  return text.split(',').every((folder) => isFolder(folder.trim()));
}

const QUIET_HOURS = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/;

export const SETTING_DEFINITIONS = {
  'thresholds.warn': { ...threshold, fallback: DEFAULT_THRESHOLDS.warn.percent },
  'thresholds.critical': { ...threshold, fallback: DEFAULT_THRESHOLDS.critical.percent },
  /** How often memory.md is brought up to date. */
  saveInterval: { ...wholeNumber(1, 1000), fallback: 5, unit: () => 'tool uses' },
  /** The user's rules go along with every n-th prompt; 0 is never. */
  rulesInjectionFrequency: { ...wholeNumber(0, 1000), fallback: 1, unit: () => 'prompts' },
  quietStop: { ...yesOrNo, fallback: true },
  /** Characters of a summary made without a model, and tokens of a session's summary. */
  summaryMaxLength: { ...wholeNumber(100, 5000), fallback: 500 },
  enforcement: { ...oneOf('off', 'remind', 'block'), fallback: 'off' },
  'models.delta': { ...model, fallback: 'haiku' },
  'models.facts': { ...model, fallback: 'haiku' },
  'models.rotation': { ...model, fallback: 'sonnet' },
  /** Context windows of models that neither Claude Code nor our table knows (C2). */
  'models.windows': { ...windowsByModel, fallback: NO_WINDOWS, isForUserOnly: true },
  'budget.tokensPerDay': {
    ...wholeNumber(0, 1_000_000_000),
    fallback: 500_000,
    unit: () => 'tokens',
  },
  /** How long a briefing may be (K2): as many pages as there are entries in hooks.json. */
  'restore.maxChars': {
    ...wholeNumber(2000, 40_000),
    fallback: 20_000,
    unit: () => 'characters',
  },
  /** Whether a prompt brings what earlier sessions said of it, and how much of that (K7); 0 is none. */
  'recall.enabled': { ...yesOrNo, fallback: true },
  'recall.maxChars': { ...wholeNumber(0, 8000), fallback: 1500, unit: () => 'characters' },
  /** Whether Memory Keeper compacts in Claude Code's place (K4); read by the mod's programs. */
  'compaction.replace': { ...yesOrNo, fallback: true },
  'retention.l1Days': {
    // A week is the least that summaries and facts need.
    parse: (value) => (value === 0 ? value : wholeNumber(7, 100_000).parse(value)),
    constraint: message('settings.mustBe.daysOrNever', { lowest: 7, highest: 100_000 }),
    fallback: 0,
    unit: () => 'days',
  },
  /** How long the trash keeps what retention has taken out of a memory (T8). */
  'retention.trashDays': {
    ...wholeNumber(1, 3650),
    fallback: 30,
    unit: () => 'days',
    isForUserOnly: true,
  },
  'retention.rawCopy': { ...yesOrNo, fallback: false },
  storage: { ...oneOf('home', 'project'), fallback: 'home', isForUserOnly: true },
  /** Packages of a monorepo that have a memory of their own; core/platform/project reads it too. */
  scopes: {
    ...textThat(areScopes, message('settings.mustBe.scopes')),
    fallback: 'none',
    suggestions: ['none', 'packages/*'],
  },
  'autoClear.mode': { ...oneOf('auto', 'ask', 'off'), fallback: 'auto' },
  /** What is done at the threshold; compacting needs the mod (K4). */
  'autoClear.method': { ...oneOf('clear', 'compact'), fallback: 'clear' },
  'autoClear.threshold': {
    // In the file it is `{percent}`, `{tokens}`, a plain number, or `warn`.
    parse: (value) => {
      const plain = isRecord(value) ? (value.percent ?? value.tokens) : value;
      return plain === 'warn' ? plain : threshold.parse(plain);
    },
    constraint: message('settings.mustBe.clearThreshold'),
    fallback: 'warn',
    unit: (value) => (value === 'warn' ? '' : thresholdUnit(value)),
    inFile: (value) => (value === 'warn' ? value : threshold.inCode(value)),
    inCode: (value, warn) => threshold.inCode(value === 'warn' ? warn : value),
    suggestions: ['warn'],
  },
  'autoClear.countdownSeconds': { ...wholeNumber(0, 3600), fallback: 10, unit: () => 'seconds' },
  'autoClear.cooldownMinutes': { ...wholeNumber(0, 1440), fallback: 10, unit: () => 'minutes' },
  /** The user is told of a session that stays busy for longer than this. */
  'autoClear.busyMinutes': { ...wholeNumber(1, 1440), fallback: 10, unit: () => 'minutes' },
  'autoClear.snoozeMinutes': { ...wholeNumber(1, 1440), fallback: 30, unit: () => 'minutes' },
  /** Whether a cleared session is told to go on with the hand-over (A10). */
  'autoClear.continue': { ...yesOrNo, fallback: false },
  /** Whether the session's model sums up the conversation before the clear, if a mod can ask it. */
  'autoClear.summary': { ...yesOrNo, fallback: true },
  'autoClear.quietHours': {
    ...textThat(
      (text) => text === 'none' || QUIET_HOURS.test(text),
      message('settings.mustBe.hours'),
    ),
    fallback: 'none',
    inCode: minutesOfDay,
    suggestions: ['none'],
  },
  /** At most this many automatic clears within an hour in one Claude Code process (T5). */
  'autoClear.maxPerHour': {
    ...wholeNumber(1, 1000),
    fallback: 6,
    unit: () => 'clears',
    isForUserOnly: true,
  },
  /** Sessions of other kinds are watched, and never cleared by themselves. */
  'autoClear.kinds': { ...someOf(SESSION_KINDS), fallback: 'cli', isForUserOnly: true },
  /** The drivers in the order in which they are tried; one that is left out is switched off. */
  'delivery.order': { ...someOf(DRIVER_NAMES), fallback: DRIVER_NAMES.join(',') },
  'app.language': { ...oneOf('system', 'en', 'ko'), fallback: 'system', isForUserOnly: true },
  'app.theme': { ...oneOf('system', 'light', 'dark'), fallback: 'system', isForUserOnly: true },
  'app.startAtLogin': { ...yesOrNo, fallback: false, isForUserOnly: true },
  'app.updates': { ...yesOrNo, fallback: true, isForUserOnly: true },
  'app.notifications': { ...yesOrNo, fallback: true, isForUserOnly: true },
} satisfies Record<string, SettingDefinition>;

export type SettingKey = keyof typeof SETTING_DEFINITIONS;
export const SETTING_KEYS = Object.keys(SETTING_DEFINITIONS) as SettingKey[];
export const isSettingKey = (key: string): key is SettingKey =>
  Object.hasOwn(SETTING_DEFINITIONS, key);

type TypeOf<D extends SettingDefinition> = D extends { inCode(...args: never): infer T }
  ? T
  : NonNullable<ReturnType<D['parse']>>;

/** `app.theme` is `theme` of the group `app`. */
type GroupOf<K> = K extends `${infer Group}.${string}` ? Group : never;
type FieldOf<K, Group extends string> = K extends `${Group}.${infer Field}` ? Field : never;

/** The settings as code reads them: `app.theme` is `settings.app.theme`. */
export type Settings = {
  [K in Exclude<SettingKey, `${string}.${string}`>]: TypeOf<(typeof SETTING_DEFINITIONS)[K]>;
} & {
  [G in GroupOf<SettingKey>]: {
    [K in SettingKey as FieldOf<K, G>]: TypeOf<(typeof SETTING_DEFINITIONS)[K]>;
  };
};

export function settingHelp(key: SettingKey): Message {
  return { code: `settings.help.${key}` };
}

/** Empty where it is clear what the number counts, and for what is no number. */
export function settingUnit(key: SettingKey, value: SettingValueType): string {
  const definition: SettingDefinition = SETTING_DEFINITIONS[key];
  return definition.unit?.(value) ?? '';
}

/** How a form asks for a setting. */
type SettingKind = 'number' | 'text' | 'choice' | 'flag';

/** `choices` are all values of a choice, or suggestions for a text. */
export function settingForm(key: SettingKey): { kind: SettingKind; choices: string[] } {
  const { choices, fallback, suggestions = [] }: SettingDefinition = SETTING_DEFINITIONS[key];
  if (typeof fallback === 'number') return { kind: 'number', choices: [] };
  if (typeof fallback === 'boolean') return { kind: 'flag', choices: [] };
  return { kind: choices ? 'choice' : 'text', choices: [...(choices ?? suggestions)] };
}

function thresholdUnit(value: SettingValueType): string {
  return isPercentage(Number(value)) ? '%' : 'tokens';
}

function minutesOfDay(hours: SettingValueType): { from: number; to: number } | undefined {
  const match = QUIET_HOURS.exec(String(hours));
  if (match === null) return undefined;
  const [, fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = match.map(Number);
  return { from: fromHour * 60 + fromMinute, to: toHour * 60 + toMinute };
}
