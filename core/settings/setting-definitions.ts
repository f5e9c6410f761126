/** Every setting there is (F1): what it may be, what it is unless set, and what it means. */
import * as v from 'valibot';
import {
  DEFAULT_THRESHOLDS,
  isPercentage,
  type Threshold,
  thresholdFrom,
  thresholdSetting,
} from '../context/thresholds.ts';

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
  /** Words that are likely where others are possible, too. */
  suggestions?: readonly string[];
  /** The same for all projects. */
  isForUserOnly?: true;
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
const oneOf = <const T extends string[]>(...words: T) =>
  v.picklist(words, `must be ${words.join(' or ')}`);
/** As it stands in the file, `{percent}` or `{tokens}`, or as the number alone. */
const clearThreshold = () =>
  v.pipe(
    v.unknown(),
    v.transform((value) => (isObject(value) ? (value.percent ?? value.tokens) : value)),
    v.union(
      [v.literal('warn'), thresholdSetting()],
      'must be warn, a percentage from 1 to 100 or a number of tokens from 1000',
    ),
  );
const QUIET_HOURS = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/;
const quietHours = () =>
  v.pipe(
    v.string('must be such as 22:00-07:00, or none'),
    v.check(
      (text) => text === 'none' || QUIET_HOURS.test(text),
      'must be such as 22:00-07:00, or none',
    ),
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

const MODELS = ['haiku', 'sonnet', 'opus', 'none'];

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
  'models.delta': {
    schema: modelName,
    fallback: 'haiku',
    help: 'model for summaries of recent work; none does without',
    suggestions: MODELS,
  },
  'models.facts': {
    schema: modelName,
    fallback: 'haiku',
    help: 'model that looks for facts; none does without',
    suggestions: MODELS,
  },
  'models.rotation': {
    schema: modelName,
    fallback: 'sonnet',
    help: 'model for summaries of what leaves memory.md; none does without',
    suggestions: MODELS,
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
  'retention.rawCopy': {
    schema: yesOrNo,
    fallback: false,
    help: "true: also keep a copy of Claude Code's own transcript",
  },
  storage: {
    schema: () => oneOf('project', 'home'),
    fallback: 'project',
    help: 'where memory lives: project, in its .claude, or home, in your home folder; for all projects, see `memory move`',
    isForUserOnly: true,
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
    suggestions: ['warn'],
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
    help: 'after a clear, one that failed or one that you cancel, the same Claude Code is left alone for so long',
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
  'autoClear.continue': {
    schema: yesOrNo,
    fallback: false,
    help: 'true: after the clear Claude goes on with the hand-over',
  },
  'autoClear.summary': {
    schema: yesOrNo,
    fallback: true,
    help: 'before a clear the model sums up the whole conversation, where the plugin can ask it; false does without',
  },
  'autoClear.quietHours': {
    schema: quietHours,
    fallback: 'none',
    help: 'hours in which nothing is cleared by itself, such as 22:00-07:00, or none',
    suggestions: ['none'],
  },
  'delivery.order': {
    schema: waysToClear,
    fallback: WAYS_TO_CLEAR.join(','),
    help: `the ways to clear a session, first to last, of ${WAYS_TO_CLEAR.join(',')}; one that is left out is not used`,
    inFile: (value) => String(value).split(','),
  },
  'app.language': {
    schema: () => oneOf('system', 'en', 'ko'),
    fallback: 'system',
    help: "the window's language: system (as the system has it), en or ko",
    isForUserOnly: true,
  },
  'app.theme': {
    schema: () => oneOf('system', 'light', 'dark'),
    fallback: 'system',
    help: "the window's colours: system (as the system has them), light or dark",
    isForUserOnly: true,
  },
  'app.startAtLogin': {
    schema: yesOrNo,
    fallback: false,
    help: 'true: the application starts when you log in',
    isForUserOnly: true,
  },
  'app.updates': {
    schema: yesOrNo,
    fallback: true,
    help: 'false: the application does not look for newer versions; it never does where its package names no place for them',
    isForUserOnly: true,
  },
  'app.notifications': {
    schema: yesOrNo,
    fallback: true,
    help: 'false: the application shows no notifications; a clear is still announced in its window',
    isForUserOnly: true,
  },
} satisfies Record<string, SettingDefinition>;

function isListOfWays(names: readonly string[]): boolean {
  return names.every(isWay) && new Set(names).size === names.length;
}

export type SettingKey = keyof typeof SETTING_DEFINITIONS;
export const SETTING_KEYS = Object.keys(SETTING_DEFINITIONS) as SettingKey[];
export const isSettingKey = (key: string): key is SettingKey =>
  Object.hasOwn(SETTING_DEFINITIONS, key);

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
