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

export interface WindowFacts {
  model: string;
  /** Context in use; more than the table's window proves that the window is the extended one. */
  tokensInUse: number;
  /** The session runs with CLAUDE_CODE_DISABLE_1M_CONTEXT. */
  isExtendedDisabled?: boolean;
  /** What the CLI reported for this session; of no use once the session has another model. */
  reported?: { model: string; window: number } | undefined;
}

const models = new Map(Object.entries(table.models));

export function contextWindow(facts: WindowFacts): ContextWindow {
  if (facts.reported?.model === facts.model)
    return { tokens: facts.reported.window, source: 'claude-code' };
  const known = models.get(modelKey(facts.model));
  const source = known === undefined ? 'assumed' : 'model-table';
  const { standardContext, extendedContext, unknownModel } = table;
  if (facts.isExtendedDisabled === true)
    return {
      tokens: Math.min(known?.window ?? standardContext.window, standardContext.window),
      source,
    };
  if (/\[1m\]/i.test(facts.model)) return { tokens: extendedContext.window, source };
  const window = known?.window ?? unknownModel.window;
  return facts.tokensInUse > window
    ? { tokens: extendedContext.window, source: 'assumed' }
    : { tokens: window, source };
}

/** The value of CLAUDE_CODE_DISABLE_1M_CONTEXT, read as the CLI reads its switches. */
export function isSwitchedOn(value: string | undefined): boolean {
  return !['', '0', 'false', 'no', 'off'].includes((value ?? '').toLowerCase());
}

/**
 * `Sonnet 4.5` for `us.anthropic.claude-sonnet-4-5-20250929-v1:0`; the id itself if the table does
 * not know it.
 */
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
