/**
 * Finds the size of a session's context window (C2, L1e). The user's own figure wins; then what
 * Claude Code reports, the model table (data in resources/models.json, which tests/e2e check against
 * the real CLI), and what was learnt on this machine. What none of them knows is unknown.
 */
import table from '../../../resources/models.json' with { type: 'json' };
import { compareVersions } from '../../platform/text/versions.ts';
import { type LearntWindow, windowFromCompaction } from './learnt-windows.ts';
import { isClaudeModel, isExtended, modelKey, withoutExtended } from './model-id.ts';

/**
 * Where a window, and with it a percentage, comes from. `model-id`: an unknown model with `[1m]` in
 * its id. `limit-error`: the API named it when it refused a prompt. `compaction`: about, from where
 * Claude Code compacted.
 */
export type WindowSource =
  | 'setting'
  | 'claude-code'
  | 'model-table'
  | 'model-id'
  | 'limit-error'
  | 'compaction'
  | 'unknown';

export interface ContextWindow {
  /** Null if nobody knows. */
  tokens: number | null;
  source: WindowSource;
}

/** What the user has set, by the ids that they typed: `models.windows`. */
export type WindowSettings = Readonly<Record<string, number>>;

interface WindowInput {
  model: string;
  /** A window that holds less is not the session's. */
  tokensInUse: number;
  /** The session runs with CLAUDE_CODE_DISABLE_1M_CONTEXT. */
  isExtendedDisabled?: boolean;
  /** What the CLI reported for this session; void once the session has another model. */
  reported?: { model: string; window: number } | undefined;
  set?: WindowSettings | undefined;
  /** What this machine has learnt of a model; asked only where nothing else is known. */
  learnt?: ((model: string) => LearntWindow | undefined) | undefined;
}

interface KnownModel {
  name: string;
  window: number;
  /** It can be had with the extended window, too; transcripts do not tell. */
  hasExtended?: boolean;
  /** What the API would give it, where Claude Code takes less. */
  nativeWindow?: number;
}

/** Made at the first question: most hooks ask none. */
let models: Map<string, KnownModel> | undefined;
const UNKNOWN: ContextWindow = { tokens: null, source: 'unknown' };

export function contextWindow(input: WindowInput): ContextWindow {
  const { model, reported } = input;
  const own = windowSet(input.set, model);
  if (own !== undefined) return { tokens: own, source: 'setting' };
  const known = knownModel(model);
  const report = reported?.model === model ? believedReport(model, reported.window) : undefined;
  if (known === undefined) return learntWindow(input, report) ?? UNKNOWN;
  if (report !== undefined) return { tokens: report, source: 'claude-code' };
  return tableWindow(known, input);
}

/** No evidence is needed for a model that the table knows. */
export function isKnownModel(model: string): boolean {
  return knownModel(model) !== undefined;
}

/**
 * Claude Code takes 1,000,000 for every model that it does not know. For another vendor's model that
 * figure says nothing; believed, it would keep a session from ever being cleared.
 */
export function believedReport(model: string, window: number): number | undefined {
  const isGuess = window === table.claudeCodeDefault.window && !isClaudeModel(model);
  return isGuess ? undefined : window;
}

/** Reads the value of CLAUDE_CODE_DISABLE_1M_CONTEXT as the CLI reads its switches. */
export function isSwitchedOn(value: string | undefined): boolean {
  return !['', '0', 'false', 'no', 'off'].includes((value ?? '').toLowerCase());
}

/** Reads a value of its switches that must be set to a clear yes, such as DISABLE_AUTO_COMPACT. */
export function isSetTo(value: string): boolean {
  return ['1', 'true', 'yes', 'on'].includes(value.trim().toLowerCase());
}

/** What a session has of itself, and what the API could give the model; undefined if unknown. */
export function windowsOf(model: string): { standard: number; native: number } | undefined {
  const known = knownModel(model);
  return known && { standard: known.window, native: known.nativeWindow ?? known.window };
}

/**
 * What Claude Code itself takes the window to be, whatever the user has set here: it compacts by
 * that.
 */
export function claudeWindow(
  input: Omit<WindowInput, 'set' | 'learnt'> & { version?: string | undefined },
): number {
  const { model, reported, version } = input;
  if (reported?.model === model) return reported.window;
  const known = knownModel(model);
  const tokens = known && tableWindow(known, input).tokens;
  const isLarge =
    version === undefined || compareVersions(version, table.compaction.unknownIsLargeSince) >= 0;
  return tokens ?? (isLarge ? table.claudeCodeDefault : table.standardContext).window;
}

/** `Sonnet 4.5` for `us.anthropic.claude-sonnet-4-5-20250929-v1:0`; the id if it is unknown. */
export function modelName(model: string): string {
  const known = knownModel(model);
  if (known === undefined) return model;
  return isExtended(model) ? `${known.name} (1M)` : known.name;
}

function knownModel(model: string): KnownModel | undefined {
  models ??= new Map(Object.entries(table.models).map(([id, known]) => [modelKey(id), known]));
  return models.get(withoutExtended(modelKey(model)));
}

function windowSet(set: WindowSettings = {}, model: string): number | undefined {
  const key = modelKey(model);
  return Object.entries(set).find(([id]) => modelKey(id) === key)?.[1];
}

function tableWindow(known: KnownModel, input: WindowInput): ContextWindow {
  const source = 'model-table';
  const standard = table.standardContext.window;
  const extended = table.extendedContext.window;
  if (input.isExtendedDisabled === true)
    return { tokens: Math.min(known.window, standard), source };
  if (isExtended(input.model)) return { tokens: extended, source };
  if (input.tokensInUse <= known.window) return { tokens: known.window, source };
  // More than the standard window holds is in use.
  return known.hasExtended === true && input.tokensInUse <= extended
    ? { tokens: extended, source }
    : UNKNOWN;
}

/**
 * An API's refusal is exact, so it comes before a larger figure that Claude Code only takes the
 * model to have; and what is in use already refutes every smaller figure.
 */
function learntWindow(
  { model, tokensInUse, learnt: recall }: WindowInput,
  report: number | undefined,
): ContextWindow | undefined {
  const learnt = recall?.(model) ?? {};
  const { limit = Number.POSITIVE_INFINITY, compactedAt } = learnt;
  const reported = report ?? learnt.reported;
  const found: [number | undefined, WindowSource][] = [
    [limit < (reported ?? Number.POSITIVE_INFINITY) ? limit : undefined, 'limit-error'],
    [reported, 'claude-code'],
    [isExtended(model) ? table.extendedContext.window : undefined, 'model-id'],
    [compactedAt === undefined ? undefined : windowFromCompaction(compactedAt), 'compaction'],
  ];
  for (const [tokens, source] of found)
    if (tokens !== undefined && tokens >= tokensInUse) return { tokens, source };
  return undefined;
}
