/**
 * Finds out which model an id means (C2, L1e): providers put regions, accounts and routes in front
 * and dates, versions and modes behind, and write the version before or after the name. What the
 * parser does not understand as a whole stays an id of its own, so that no window is guessed for it.
 */
import table from '../../../resources/models.json' with { type: 'json' };

const EXTENDED = /\[1m\]/i;
/** What the CLI writes in place of a model for its own words. */
const NO_MODEL = '<synthetic>';

const FAMILY = `(?:${table.families.join('|')})`;
/** `4`, `4-5`, `4.5`; the digits of a date are no version. */
const VERSION = String.raw`\d{1,2}(?!\d)(?:[-._]\d{1,2}(?!\d))?`;
/** `-20250929`, `@20241022`, `-v1:0`, `-thinking-32000`, `:beta`. */
const SUFFIX = String.raw`[-@:.](?:v?\d+|${table.suffixes.join('|')})`;

/**
 * The name begins the id or follows a provider, so `qwen3-claude-…` is none of Anthropic's. Every
 * part ends at a separator that no part contains, so the time is linear.
 */
const CLAUDE = new RegExp(
  `(?:^|[/.:])claude-(?:(${FAMILY})-(${VERSION})|(${VERSION})-(${FAMILY}))(?:${SUFFIX})*$`,
);

/**
 * One name for all ids of the same model: `claude-sonnet-4-5` for `anthropic/claude-4.5-sonnet` and
 * `us.anthropic.claude-sonnet-4-5-20250929-v1:0`. Other ids are only lower-cased. `[1m]` stays,
 * because it is another window. Empty for what is no model.
 */
export function modelKey(id: string): string {
  const lower = id.trim().toLowerCase();
  if (lower === NO_MODEL) return '';
  const plain = lower.replace(EXTENDED, '');
  const key = claudeKey(plain) ?? plain;
  return isExtended(lower) ? `${key}[1m]` : key;
}

/** Whether Anthropic made the model, known to the table or not; an alias is one of theirs. */
export function isClaudeModel(id: string): boolean {
  const plain = withoutExtended(modelKey(id));
  return claudeKey(plain) !== undefined || table.aliases.includes(plain);
}

/** The user has asked for the extended window in the id itself. */
export function isExtended(id: string): boolean {
  return EXTENDED.test(id);
}

export function withoutExtended(key: string): string {
  return key.replace(EXTENDED, '');
}

function claudeKey(lower: string): string | undefined {
  const match = CLAUDE.exec(lower);
  if (match === null) return undefined;
  const provider = lower.slice(0, match.index);
  if (table.narrowingProviders.some((name) => provider.includes(name))) return undefined;
  const [, family, version, earlyVersion = '', earlyFamily] = match;
  const number = (version ?? earlyVersion).replace(/[._]/, '-').replace(/-0$/, '');
  return `claude-${family ?? earlyFamily}-${number}`;
}
