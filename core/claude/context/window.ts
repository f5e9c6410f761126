/**
 * Finds the size of a session's context window (C2). What Claude Code itself reports wins; else the
 * model table decides: data in resources/models.json, which tests/e2e check against the real CLI.
 */
import table from '../../../resources/models.json' with { type: 'json' };

/** Where a window, and with it a percentage, comes from. */
export type WindowSource = 'claude-code' | 'model-table' | 'assumed';

export interface ContextWindow {
  tokens: number;
  source: WindowSource;
}

interface WindowInput {
  model: string;
  /** More than the table's window proves that the window is the extended one. */
  tokensInUse: number;
  /** The session runs with CLAUDE_CODE_DISABLE_1M_CONTEXT. */
  isExtendedDisabled?: boolean;
  /** What the CLI reported for this session; void once the session has another model. */
  reported?: { model: string; window: number } | undefined;
}

const models = new Map(Object.entries(table.models));

export function contextWindow(input: WindowInput): ContextWindow {
  const { model, reported, tokensInUse, isExtendedDisabled } = input;
  if (reported?.model === model) return { tokens: reported.window, source: 'claude-code' };
  const known = models.get(modelKey(model));
  const source = known === undefined ? 'assumed' : 'model-table';
  const standard = table.standardContext.window;
  const extended = table.extendedContext.window;
  if (isExtendedDisabled === true)
    return { tokens: Math.min(known?.window ?? standard, standard), source };
  if (/\[1m\]/i.test(model)) return { tokens: extended, source };
  const tokens = known?.window ?? table.unknownModel.window;
  return tokensInUse > tokens ? { tokens: extended, source: 'assumed' } : { tokens, source };
}

/** Reads the value of CLAUDE_CODE_DISABLE_1M_CONTEXT as the CLI reads its switches. */
export function isSwitchedOn(value: string | undefined): boolean {
  return !['', '0', 'false', 'no', 'off'].includes((value ?? '').toLowerCase());
}

/** `Sonnet 4.5` for `us.anthropic.claude-sonnet-4-5-20250929-v1:0`; the id if it is unknown. */
export function modelName(model: string): string {
  const known = models.get(modelKey(model));
  if (known === undefined) return model;
  return /\[1m\]/i.test(model) ? `${known.name} (1M)` : known.name;
}

/** Cloud providers put a region in front and a version behind; releases carry a date. */
function modelKey(model: string): string {
  return model
    .toLowerCase()
    .replace(/\[1m\]$/, '')
    .replace(/^.*(?=claude-)/, '')
    .replace(/-v\d+(:\d+)?$/, '')
    .replace(/[-@]\d{8}$/, '')
    .replace(/-latest$/, '');
}
