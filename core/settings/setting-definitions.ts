/** Every setting there is (F1): what it may be and what it is unless set. */
import * as v from 'valibot';
import { type Message, message } from '../messages/message.ts';
import {
  DEFAULT_THRESHOLDS,
  isPercentage,
  type Threshold,
  thresholdFrom,
  thresholdSetting,
} from './thresholds.ts';

export type SettingValueType = number | string | boolean;

export interface SettingDefinition extends Constraint {
  fallback: SettingValueType;
  /** What a number counts. */
  unit?(value: SettingValueType): string;
  /** How it stands in the file, where that differs. */
  inFile?(value: SettingValueType): unknown;
  /** Words that are likely where others are possible, too. */
  suggestions?: readonly string[];
  /** The same for all projects. */
  isForUserOnly?: true;
}

/** What a setting may be. */
interface Constraint {
  /** Made when a value is there to be looked at: a hook finds none as a rule. */
  schema: () => v.GenericSchema<unknown, SettingValueType>;
  constraint: Message;
}

/** Each has a file of its own in core/clear/delivery. */
export const WAYS_TO_CLEAR = [
  'mod',
  'tmux',
  'screen',
  'zellij',
  'kitty',
  'wezterm',
  'iterm2',
  'desktop',
] as const;
export type WayToClear = (typeof WAYS_TO_CLEAR)[number];
export const isWay = (name: string): name is WayToClear =>
  WAYS_TO_CLEAR.some((way) => way === name);

const wholeNumber = (lowest: number, highest: number): Constraint => ({
  schema: () => v.pipe(v.number(), v.integer(), v.minValue(lowest), v.maxValue(highest)),
  constraint: message('settings.mustBe.wholeNumber', { lowest, highest }),
});
const yesOrNo: Constraint = {
  schema: () => v.boolean(),
  constraint: message('settings.mustBe.flag'),
};
const oneOf = (...choices: string[]): Constraint => ({
  schema: () => v.picklist(choices),
  constraint: message('settings.mustBe.oneOf', { choices }),
});
const threshold: Constraint = {
  schema: thresholdSetting,
  constraint: message('settings.mustBe.threshold'),
};
/** As it stands in the file, `{percent}` or `{tokens}`, or as the number alone. */
const clearThreshold: Constraint = {
  schema: () =>
    v.pipe(
      v.unknown(),
      v.transform((value) => (isObject(value) ? (value.percent ?? value.tokens) : value)),
      v.union([v.literal('warn'), thresholdSetting()]),
    ),
  constraint: message('settings.mustBe.clearThreshold'),
};
const QUIET_HOURS = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/;
const quietHours: Constraint = {
  schema: () =>
    v.pipe(
      v.string(),
      v.check((text) => text === 'none' || QUIET_HOURS.test(text)),
    ),
  constraint: message('settings.mustBe.hours'),
};
const waysToClear: Constraint = {
  schema: () =>
    v.pipe(
      v.union([
        v.string(),
        v.pipe(
          v.array(v.string()),
          v.transform((names) => names.join(',')),
        ),
      ]),
      v.transform((text) => text.replaceAll(' ', '')),
      v.check((text) => isListOfWays(text.split(','))),
    ),
  constraint: message('settings.mustBe.someOf', { choices: WAYS_TO_CLEAR }),
};
const MODELS = ['haiku', 'sonnet', 'opus', 'none'];
const model = {
  schema: () => v.pipe(v.string(), v.regex(/^[\w.[\]-]{2,100}$/)),
  constraint: message('settings.mustBe.model'),
  suggestions: MODELS,
};

export const SETTING_DEFINITIONS = {
  'thresholds.warn': {
    ...threshold,
    fallback: numberOf(DEFAULT_THRESHOLDS.warn),
    unit: thresholdUnit,
  },
  'thresholds.critical': {
    ...threshold,
    fallback: numberOf(DEFAULT_THRESHOLDS.critical),
    unit: thresholdUnit,
  },
  saveInterval: { ...wholeNumber(1, 1000), fallback: 5, unit: () => 'tool uses' },
  rulesInjectionFrequency: { ...wholeNumber(0, 1000), fallback: 1, unit: () => 'prompts' },
  quietStop: { ...yesOrNo, fallback: true },
  summaryMaxLength: { ...wholeNumber(100, 5000), fallback: 500 },
  enforcement: { ...oneOf('off', 'remind', 'block'), fallback: 'off' },
  'models.delta': { ...model, fallback: 'haiku' },
  'models.facts': { ...model, fallback: 'haiku' },
  'models.rotation': { ...model, fallback: 'sonnet' },
  'budget.tokensPerDay': {
    ...wholeNumber(0, 1_000_000_000),
    fallback: 500_000,
    unit: () => 'tokens',
  },
  'retention.l1Days': { ...wholeNumber(0, 100_000), fallback: 0, unit: () => 'days' },
  'retention.rawCopy': { ...yesOrNo, fallback: false },
  storage: { ...oneOf('project', 'home'), fallback: 'project', isForUserOnly: true },
  'autoClear.mode': { ...oneOf('auto', 'ask', 'off'), fallback: 'auto' },
  'autoClear.threshold': {
    ...clearThreshold,
    fallback: 'warn',
    unit: (value) => (value === 'warn' ? '' : thresholdUnit(value)),
    inFile: (value) => (value === 'warn' ? value : thresholdFrom(Number(value))),
    suggestions: ['warn'],
  },
  'autoClear.countdownSeconds': { ...wholeNumber(0, 3600), fallback: 10, unit: () => 'seconds' },
  'autoClear.cooldownMinutes': { ...wholeNumber(0, 1440), fallback: 10, unit: () => 'minutes' },
  'autoClear.busyMinutes': { ...wholeNumber(1, 1440), fallback: 10, unit: () => 'minutes' },
  'autoClear.snoozeMinutes': { ...wholeNumber(1, 1440), fallback: 30, unit: () => 'minutes' },
  'autoClear.continue': { ...yesOrNo, fallback: false },
  'autoClear.summary': { ...yesOrNo, fallback: true },
  'autoClear.quietHours': { ...quietHours, fallback: 'none', suggestions: ['none'] },
  'delivery.order': {
    ...waysToClear,
    fallback: WAYS_TO_CLEAR.join(','),
    inFile: (value) => String(value).split(','),
  },
  'app.language': { ...oneOf('system', 'en', 'ko'), fallback: 'system', isForUserOnly: true },
  'app.theme': { ...oneOf('system', 'light', 'dark'), fallback: 'system', isForUserOnly: true },
  'app.startAtLogin': { ...yesOrNo, fallback: false, isForUserOnly: true },
  'app.updates': { ...yesOrNo, fallback: true, isForUserOnly: true },
  'app.notifications': { ...yesOrNo, fallback: true, isForUserOnly: true },
} satisfies Record<string, SettingDefinition>;

function isListOfWays(names: readonly string[]): boolean {
  return names.every(isWay) && new Set(names).size === names.length;
}

export type SettingKey = keyof typeof SETTING_DEFINITIONS;
export const SETTING_KEYS = Object.keys(SETTING_DEFINITIONS) as SettingKey[];
export const isSettingKey = (key: string): key is SettingKey =>
  Object.hasOwn(SETTING_DEFINITIONS, key);

export function settingHelp(key: SettingKey): Message {
  return { code: `settings.help.${key}` };
}

/** What the number counts; empty where that is clear, or it is no number. */
export function settingUnit(key: SettingKey, value: SettingValueType): string {
  const definition: SettingDefinition = SETTING_DEFINITIONS[key];
  return definition.unit?.(value) ?? '';
}

/** How a form asks for it. */
export type SettingKind = 'number' | 'text' | 'choice' | 'flag';

/** `choices`: all there are of a choice; of a text those that are likely. */
export function settingForm(key: SettingKey): { kind: SettingKind; choices: string[] } {
  const { schema, fallback, suggestions = [] }: SettingDefinition = SETTING_DEFINITIONS[key];
  if (typeof fallback !== 'string')
    return { kind: typeof fallback === 'number' ? 'number' : 'flag', choices: [] };
  const made = schema();
  if (made.type === 'picklist')
    return {
      kind: 'choice',
      choices: [...(made as v.PicklistSchema<string[], undefined>).options],
    };
  return { kind: 'text', choices: [...suggestions] };
}

/** In minutes of the day. */
export function hoursFrom(text: string): { from: number; to: number } | undefined {
  if (text === 'none') return undefined;
  const [, fromHour, fromMinute, toHour, toMinute] = (QUIET_HOURS.exec(text) ?? []).map(Number);
  return {
    from: (fromHour ?? 0) * 60 + (fromMinute ?? 0),
    to: (toHour ?? 0) * 60 + (toMinute ?? 0),
  };
}

export function numberOf(threshold: Threshold): number {
  return 'tokens' in threshold ? threshold.tokens : threshold.percent;
}

function thresholdUnit(value: SettingValueType): string {
  return isPercentage(Number(value)) ? '%' : 'tokens';
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
