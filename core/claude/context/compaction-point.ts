/**
 * Computes the point at which Claude Code compacts a session by itself (K5), and what sets it, as
 * the real CLI was seen to do it (docs/decisions/0032-compaction-point.md). Settings of a project
 * are believed only because Claude Code obeys them, too: they tell what it will do, and change
 * nothing of what we do.
 */
import table from '../../../resources/models.json' with { type: 'json' };
import { isRecord, recordAt } from '../../platform/text/json.ts';
import { compareVersions } from '../../platform/text/versions.ts';
import { type Threshold, thresholdTokens } from '../../settings/thresholds.ts';
import type { ClaudeSettingsFile, SettingsScope } from './claude-settings.ts';
import { modelKey, withoutExtended } from './model-id.ts';
import { isSetTo, windowsOf } from './window.ts';

/**
 * `limit`: this model is compacted only once the API has refused a prompt as too long. `server`:
 * Anthropic set it for the account. `off`: never by itself.
 */
export type CompactionSource =
  | 'setting'
  | 'environment'
  | 'server'
  | 'default'
  | 'limit'
  | 'off'
  | 'unknown';

/** A settings key or a variable; of a variable in no file the path is null. */
export interface SetBy {
  name: string;
  scope: SettingsScope | 'process';
  path: string | null;
}

export interface CompactionPoint {
  /** Null if it does not compact by itself, or nobody knows when. */
  tokens: number | null;
  source: CompactionSource;
  /** Null where neither a file nor a variable set it. */
  from: SetBy | null;
}

/** What the mod hears from Claude Code itself; its source is in Claude Code's own words. */
export interface ReportedCompaction {
  isOn: boolean;
  threshold: number | null;
  source: string;
}

/** Variables of the CLI that matter here. Its settings may set them, too. */
export const COMPACTION_VARIABLES = [
  'CLAUDE_CODE_AUTO_COMPACT_WINDOW',
  'CLAUDE_AUTOCOMPACT_PCT_OVERRIDE',
  'CLAUDE_CODE_MAX_OUTPUT_TOKENS',
  'CLAUDE_CODE_IDLE_COMPACT_MIN_TOKENS',
  'DISABLE_AUTO_COMPACT',
  'DISABLE_COMPACT',
] as const;

export interface CompactionInput {
  model: string;
  /** Of the CLI; the newest if it is not known. */
  version?: string | null | undefined;
  /** What the session really holds. */
  window: number | null;
  /** What Claude Code takes the window to be: 1,000,000 where it does not know. */
  claudeWindow: number;
  /** From the weakest to the strongest. */
  files: readonly ClaudeSettingsFile[];
  /** Of the CLI's process. */
  env: Readonly<Record<string, string | undefined>>;
  reported?: ReportedCompaction | undefined;
}

interface Figure {
  value: number;
  source: CompactionSource;
  from: SetBy | null;
}

const RULES = table.compaction;
/** Of the models that Claude Code knows. */
export const LARGEST_MODEL_WINDOW = table.extendedContext.window;
const FLAG = 'autoCompactEnabled';
const WINDOW = 'autoCompactWindow';
const NOTHING: CompactionPoint = { tokens: null, source: 'unknown', from: null };

export function compactionPoint(input: CompactionInput): CompactionPoint {
  const computed = computedPoint(input);
  return input.reported === undefined ? computed : withReport(computed, input.reported, input);
}

/**
 * From how many tokens on it may compact a session that is left alone for most of an hour, before
 * its prompt cache expires. Not with every account; read in the CLI, not seen running. Null if it
 * does not.
 */
export function idleCompactionFrom(input: CompactionInput): number | null {
  const { files, version, window } = input;
  const file = files.findLast(({ settings }) => typeof settings.idleCompaction === 'boolean');
  const isOn = compactionPoint(input).source !== 'off' && file?.settings.idleCompaction !== false;
  if (!isOn || !isSince(version, RULES.idleSince)) return null;
  const set = tokensFrom(variableOf(input, 'CLAUDE_CODE_IDLE_COMPACT_MIN_TOKENS')?.text ?? '');
  const least = Math.max(RULES.idleLeastTokens, set || RULES.idleTokens);
  return window !== null && least < window ? least : null;
}

/**
 * The `autoCompactWindow` with which Claude Code compacts at a threshold (K6). It is one number for
 * all models, so a percentage is one of the largest window: a smaller window then counts as it is,
 * and is compacted at its own end less the same room. Any smaller number would take most of a large
 * window away.
 */
export function windowToCompactAt(threshold: Threshold): number {
  const tokens = Math.round(thresholdTokens(threshold, LARGEST_MODEL_WINDOW));
  const window = tokens + RULES.summaryTokens + RULES.spareTokens;
  return Math.min(Math.max(window, RULES.smallestWindow), RULES.largestWindow);
}

/** Which switch turned it off; undefined if it is on. */
function compactionSwitchedOff({
  files,
  env,
}: Pick<CompactionInput, 'files' | 'env'>): SetBy | undefined {
  for (const name of ['DISABLE_COMPACT', 'DISABLE_AUTO_COMPACT']) {
    const variable = variableOf({ files, env }, name);
    if (variable !== undefined && isSetTo(variable.text)) return variable.from;
  }
  const flag = files.findLast(({ settings }) => typeof settings[FLAG] === 'boolean');
  if (flag === undefined || flag.settings[FLAG] === true) return undefined;
  return { name: FLAG, scope: flag.scope, path: flag.path };
}

function computedPoint(input: CompactionInput): CompactionPoint {
  const off = compactionSwitchedOff(input);
  return off === undefined ? pointIfOn(input) : { tokens: null, source: 'off', from: off };
}

/** Where it would compact, switched off or not. */
export function pointIfOn(input: CompactionInput): CompactionPoint {
  const set = windowSet(input);
  const room = (set?.value ?? input.claudeWindow) - summaryTokens(input);
  if (set === undefined && isDefaultUnknown(input)) return NOTHING;
  // A share is not looked at where it waits for the limit.
  if (set === undefined && waitsForLimit(input)) return atLimit(input);
  const threshold = room - RULES.spareTokens;
  const share = percentSet(input);
  const atShare = share && Math.floor((room * share.value) / 100);
  const point =
    share !== undefined && atShare !== undefined && atShare < threshold
      ? { tokens: atShare, source: share.source, from: share.from }
      : { tokens: threshold, source: set?.source ?? 'default', from: set?.from ?? null };
  // Claude Code takes the window for larger than it is: the API refuses first.
  const isBeyond = input.window !== null && point.tokens > input.window;
  if (isBeyond) return atLimit(input);
  return input.window === null && set === undefined && share === undefined ? NOTHING : point;
}

/**
 * Claude Code knows what no file tells: a flag of its command line, a figure of the server. Where
 * it says the same as the files, they say more.
 */
function withReport(
  computed: CompactionPoint,
  { isOn, threshold, source }: ReportedCompaction,
  input: CompactionInput,
): CompactionPoint {
  if (!isOn) return computed.source === 'off' ? computed : { ...NOTHING, source: 'off' };
  const point =
    source === 'auto' || threshold === null || threshold > (input.window ?? threshold)
      ? atLimit(input)
      : { tokens: threshold, source: REPORTED_SOURCES[source] ?? 'default', from: null };
  const isSame = point.tokens === computed.tokens && computed.source !== 'off';
  return isSame ? computed : point;
}

const REPORTED_SOURCES: Readonly<Record<string, CompactionSource>> = {
  env: 'environment',
  settings: 'setting',
  clientdata: 'server',
  experiment: 'server',
};

function atLimit({ window }: CompactionInput): CompactionPoint {
  return window === null ? NOTHING : { tokens: window, source: 'limit', from: null };
}

/**
 * A model is compacted ahead of its limit where its own window is the large one, at its full size or
 * cut down to the small one. A large window that is only asked for is not its own. What Claude Code
 * does not know at all counts as large.
 */
function waitsForLimit({ model, version, claudeWindow }: CompactionInput): boolean {
  const sizes = windowsOf(model);
  if (sizes === undefined || claudeWindow < sizes.native) return false;
  if (!isSince(version, RULES.waitsForLimitSince)) return false;
  const isOwn = sizes.standard >= table.extendedContext.window;
  return !(isOwn && isSince(version, RULES.nativeThresholdSince));
}

/** In a row of versions the default went back and forth. */
function isDefaultUnknown({ version }: CompactionInput): boolean {
  return isSince(version, RULES.changedOftenSince) && !isSince(version, RULES.waitsForLimitSince);
}

function windowSet(input: CompactionInput): Figure | undefined {
  const found = variableWindow(input) ?? settingsWindow(input);
  if (found === 'auto') return serverWindow(input);
  const set = found ?? serverWindow(input);
  return set && { ...set, value: Math.min(set.value, input.claudeWindow) };
}

function variableWindow(input: CompactionInput): Figure | undefined {
  const variable = variableOf(input, 'CLAUDE_CODE_AUTO_COMPACT_WINDOW');
  const tokens = tokensFrom(variable?.text ?? '');
  if (variable === undefined || tokens < 1) return undefined;
  const { smallestWindow, largestWindow } = RULES;
  const value = Math.min(Math.max(tokens, smallestWindow), largestWindow);
  return { ...figureFrom(variable), value };
}

/** `200000`, `200k` or `0.2m`; 0 for all else. */
function tokensFrom(text: string): number {
  const [, number = '0', unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([km]?)/i.exec(text) ?? [];
  const factor = { k: 1000, m: 1_000_000 }[unit.toLowerCase()] ?? 1;
  return Math.round(Number(number) * factor);
}

/** Within a file what is set for the model wins; `auto` is the default again. */
function settingsWindow({ files, model, version }: CompactionInput): Figure | 'auto' | undefined {
  const key = withoutExtended(modelKey(model));
  const hasModels = isSince(version, RULES.modelSettingsSince);
  for (const file of files.toReversed()) {
    if (file.scope === 'global') continue;
    const models = (hasModels && recordAt(file.settings, 'modelSettings')) || {};
    const own = Object.entries(models).find(([id]) => withoutExtended(modelKey(id)) === key)?.[1];
    const perModel = isRecord(own) ? own[WINDOW] : undefined;
    if (perModel === 'auto') return 'auto';
    const value = [perModel, file.settings[WINDOW]].find(isWindowSize);
    if (value !== undefined)
      return { value, source: 'setting', from: { name: WINDOW, ...placeOf(file) } };
  }
  return undefined;
}

/** What Anthropic set for the account, as Claude Code keeps it. */
function serverWindow({ files, model }: CompactionInput): Figure | undefined {
  const kept = files.find(({ scope }) => scope === 'global')?.settings ?? {};
  const found = recordAt(kept, 'autoCompactWindowsCache')?.[withoutExtended(modelKey(model))];
  const value = isRecord(found) ? found.default : found;
  return isWindowSize(value) ? { value, source: 'server', from: null } : undefined;
}

function isWindowSize(value: unknown): value is number {
  return (
    Number.isInteger(value) &&
    Number(value) >= RULES.smallestWindow &&
    Number(value) <= RULES.largestWindow
  );
}

function percentSet(input: CompactionInput): Figure | undefined {
  const variable = variableOf(input, 'CLAUDE_AUTOCOMPACT_PCT_OVERRIDE');
  const value = Number.parseFloat(variable?.text ?? '');
  return variable !== undefined && value > 0 && value <= 100
    ? { ...figureFrom(variable), value }
    : undefined;
}

/** It keeps room for the summary, as much as one reply may have and no more than that. */
function summaryTokens(input: CompactionInput): number {
  const longest = Number.parseInt(
    variableOf(input, 'CLAUDE_CODE_MAX_OUTPUT_TOKENS')?.text ?? '',
    10,
  );
  return longest > 0 ? Math.min(longest, RULES.summaryTokens) : RULES.summaryTokens;
}

interface Variable {
  text: string;
  from: SetBy;
}

/** Claude Code puts the `env` of its settings over the environment that it was started with. */
export function variableOf(
  { files, env }: Pick<CompactionInput, 'files' | 'env'>,
  name: string,
): Variable | undefined {
  for (const file of files.toReversed()) {
    const text = file.scope === 'global' ? undefined : recordAt(file.settings, 'env')?.[name];
    if (typeof text === 'string') return { text, from: { name, ...placeOf(file) } };
  }
  const text = env[name];
  return text === undefined ? undefined : { text, from: { name, scope: 'process', path: null } };
}

function figureFrom({ from }: Variable): Pick<Figure, 'source' | 'from'> {
  return { source: from.scope === 'process' ? 'environment' : 'setting', from };
}

function placeOf({ scope, path }: ClaudeSettingsFile): Pick<SetBy, 'scope' | 'path'> {
  return { scope, path };
}

function isSince(version: string | null | undefined, first: string): boolean {
  return version == null || compareVersions(version, first) >= 0;
}
