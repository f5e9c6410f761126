/**
 * Parses one line of Claude Code's transcript into a typed row, for the context figures and as the
 * fallback of spoken-rows.ts. A line can hold anything: a torn write, a type that came with
 * yesterday's release, a field of another kind. None of it is an error: such a row is `unknown` or
 * `broken`, and the reader goes on.
 */

import {
  isRecord,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
} from '../../platform/text/json.ts';
import { type DialogWords, dialogWords } from './dialog-words.ts';
import { contextTokens } from './usage.ts';

interface RowBase {
  uuid?: string;
  /** ISO time at which the CLI wrote the row. */
  at?: string;
  /** Of a subagent, not of the conversation. */
  isSidechain: boolean;
}

/** What the user typed, at the prompt or while Claude was at work. */
export interface PromptRow extends RowBase {
  kind: 'prompt';
  text: string;
}

/** A slash command or `!` shell line of the user, in the CLI's tags. */
export interface CommandRow extends RowBase {
  kind: 'command';
  text: string;
}

/**
 * In the user's role, but not the user's words: hints of the CLI, command output, interruptions,
 * compaction summaries.
 */
export interface NoteRow extends RowBase {
  kind: 'note';
  text: string;
  isCompactSummary: boolean;
}

export interface ToolResultRow extends RowBase {
  kind: 'tool-result';
  results: { toolUseId: string; text: string; isError: boolean }[];
  /** What the user said in a dialog about the call. */
  said?: DialogWords[];
}

export type AssistantBlock =
  | { type: 'text'; text: string }
  | { type: 'tool-use'; id: string; name: string; input: JsonRecord }
  | { type: 'other'; name: string };

/**
 * One or more rows make a reply; they share `messageId`, and each repeats the usage of the whole
 * reply (B9).
 */
export interface AssistantRow extends RowBase {
  kind: 'assistant';
  messageId: string;
  /** As asked for, with the `[1m]` that the API's own answer leaves out. */
  model: string;
  /** Absent for what the CLI itself says in the assistant's role, such as API errors. */
  contextTokens?: number;
  /** The CLI says that the conversation does not fit into the window any more (A9). */
  isTooLong?: boolean;
  blocks: AssistantBlock[];
}

/** From here on the context begins anew, at `postTokens`. */
export interface CompactionRow extends RowBase {
  kind: 'compaction';
  preTokens?: number;
  postTokens?: number;
}

export interface SystemRow extends RowBase {
  kind: 'system';
  subtype: string;
}

/** Known rows around the conversation that carry nothing of it. */
export interface BookkeepingRow extends RowBase {
  kind: 'bookkeeping';
  type: string;
}

export interface UnknownRow extends RowBase {
  kind: 'unknown';
  type: string;
}

export interface BrokenRow {
  kind: 'broken';
  reason: string;
}

export type TranscriptRow =
  | PromptRow
  | CommandRow
  | NoteRow
  | ToolResultRow
  | AssistantRow
  | CompactionRow
  | SystemRow
  | BookkeepingRow
  | UnknownRow
  | BrokenRow;

/**
 * Seen in transcripts of 2.1.325 or named in its code; whatever else comes is `unknown` and skipped
 * the same way.
 */
const BOOKKEEPING_TYPES = new Set([
  'agent-color', 'agent-name', 'ai-title', 'api-request', 'api-request-blob', 'api-request-shape', 'atis-latch', 'attachment',
  'bridge-session', 'content-replacement', 'cost-state', 'custom-title', 'derived-from', 'file-history-snapshot', 'frame-link',
  'isolation-latch', 'last-prompt', 'memory-mode', 'mode', 'permission-mode', 'pr-link', 'progress', 'queue-operation',
  'session-owner', 'summary', 'tag', 'tools-used', 'worktree-state',
]); // biome-ignore format: a list to read, not a column

const SYNTHETIC_MODEL = '<synthetic>';
const TOO_LONG = /^Prompt is too long/;
const COMMAND_TAG = /^\s*<(command-name|command-message|bash-input)>/;
const NOTE_TAG =
  /^\s*(<(local-command-|bash-std|task-notification|system-reminder)|\[Request interrupted by user)/;

export function parseRow(line: string): TranscriptRow {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch (error) {
    return { kind: 'broken', reason: (error as Error).message };
  }
  if (!isRecord(json)) return { kind: 'broken', reason: 'not a JSON object' };
  const base = rowBase(json);
  const type = stringAt(json, 'type') ?? '';
  if (type === 'assistant') return assistantRow(base, json) ?? { ...base, kind: 'unknown', type };
  if (type === 'user') return userRow(base, json) ?? { ...base, kind: 'unknown', type };
  if (type === 'system') return systemRow(base, json);
  if (type === 'attachment')
    return queuedPrompt(base, json) ?? { ...base, kind: 'bookkeeping', type };
  return { ...base, kind: BOOKKEEPING_TYPES.has(type) ? 'bookkeeping' : 'unknown', type };
}

function rowBase(json: JsonRecord): RowBase {
  const uuid = stringAt(json, 'uuid');
  const at = stringAt(json, 'timestamp');
  return {
    isSidechain: json.isSidechain === true,
    ...(uuid !== undefined && { uuid }),
    ...(at !== undefined && { at }),
  };
}

function assistantRow(base: RowBase, json: JsonRecord): AssistantRow | undefined {
  const message = recordAt(json, 'message');
  const messageId = message && stringAt(message, 'id');
  if (message === undefined || messageId === undefined) return undefined;
  const answered = stringAt(message, 'model') ?? '';
  const requested = stringAt(json, 'requestedModel');
  const usage = recordAt(message, 'usage');
  const fromTheModel = answered !== SYNTHETIC_MODEL && json.isApiErrorMessage !== true;
  const tokens = fromTheModel && usage !== undefined ? contextTokens(usage) : undefined;
  const blocks = assistantBlocks(message.content);
  const isTooLong =
    json.isApiErrorMessage === true &&
    blocks.some((block) => block.type === 'text' && TOO_LONG.test(block.text));
  return {
    ...base,
    kind: 'assistant',
    messageId,
    model: requested ?? answered,
    ...(tokens !== undefined && { contextTokens: tokens }),
    ...(isTooLong && { isTooLong }),
    blocks,
  };
}

export function assistantBlocks(content: unknown): AssistantBlock[] {
  return Array.isArray(content) ? content.filter(isRecord).map(assistantBlock) : [];
}

function assistantBlock(block: JsonRecord): AssistantBlock {
  const type = stringAt(block, 'type') ?? '';
  if (type === 'text') return { type, text: stringAt(block, 'text') ?? '' };
  if (type === 'tool_use')
    return {
      type: 'tool-use',
      id: stringAt(block, 'id') ?? '',
      name: stringAt(block, 'name') ?? '',
      input: recordAt(block, 'input') ?? {},
    };
  return { type: 'other', name: type };
}

function userRow(
  base: RowBase,
  json: JsonRecord,
): PromptRow | CommandRow | NoteRow | ToolResultRow | undefined {
  const message = recordAt(json, 'message');
  if (message === undefined) return undefined;
  const blocks = contentBlocks(message);
  if (blocks.some(({ type }) => type === 'tool_result')) return toolResultRow(base, json, blocks);
  const isCompactSummary = json.isCompactSummary === true;
  const said = saidRow(base, blockText(message.content));
  const isNote = said.kind === 'prompt' && (json.isMeta === true || isCompactSummary);
  return isNote || said.kind === 'note'
    ? { ...base, kind: 'note', text: said.text, isCompactSummary }
    : said;
}

/** Text in the user's role. */
export function saidRow(base: RowBase, text: string): PromptRow | CommandRow | NoteRow {
  if (COMMAND_TAG.test(text)) return { ...base, kind: 'command', text };
  if (NOTE_TAG.test(text)) return { ...base, kind: 'note', text, isCompactSummary: false };
  return { ...base, kind: 'prompt', text };
}

/**
 * What is typed while tools run reaches Claude in the middle of the turn and is written nowhere
 * else but in this attachment.
 */
function queuedPrompt(base: RowBase, json: JsonRecord): PromptRow | undefined {
  const attachment = recordAt(json, 'attachment');
  if (
    attachment === undefined ||
    attachment.type !== 'queued_command' ||
    attachment.commandMode !== 'prompt'
  )
    return undefined;
  const origin = recordAt(attachment, 'origin');
  if (origin !== undefined && origin.kind !== 'human') return undefined; // a notification of the CLI to itself
  return { ...base, kind: 'prompt', text: blockText(attachment.prompt) };
}

function toolResultRow(
  base: RowBase,
  json: JsonRecord,
  blocks: readonly JsonRecord[],
): ToolResultRow {
  const results = blocks.filter(({ type }) => type === 'tool_result').map(toolResult);
  const said = dialogWords(json, blocks).filter(
    ({ text }) => saidRow(base, text).kind === 'prompt',
  );
  return { ...base, kind: 'tool-result', results, ...(said.length > 0 && { said }) };
}

function toolResult(block: JsonRecord): ToolResultRow['results'][number] {
  return {
    toolUseId: stringAt(block, 'tool_use_id') ?? '',
    text: blockText(block.content),
    isError: block.is_error === true,
  };
}

function systemRow(base: RowBase, json: JsonRecord): SystemRow | CompactionRow {
  const subtype = stringAt(json, 'subtype') ?? '';
  if (subtype !== 'compact_boundary') return { ...base, kind: 'system', subtype };
  const metadata = recordAt(json, 'compactMetadata') ?? {};
  const preTokens = numberAt(metadata, 'preTokens');
  const postTokens = numberAt(metadata, 'postTokens');
  return {
    ...base,
    kind: 'compaction',
    ...(preTokens !== undefined && { preTokens }),
    ...(postTokens !== undefined && { postTokens }),
  };
}

function contentBlocks(message: JsonRecord): JsonRecord[] {
  return Array.isArray(message.content) ? message.content.filter(isRecord) : [];
}

/**
 * Content is a string when typed and a list of blocks otherwise; images and the like have no text.
 */
function blockText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter(isRecord)
    .flatMap((block) => (block.type === 'text' ? (stringAt(block, 'text') ?? []) : []))
    .join('\n');
}
