/**
 * Parses one line of Claude Code's transcript into a typed row. A line can hold anything: a torn
 * write, a type that came with yesterday's release, a field of another kind. None of it is an
 * error: such a row is `other` or `broken`, and the reader goes on.
 */
import table from '../../../resources/models.json' with { type: 'json' };
import { parseJson } from '../../platform/store/attempt.ts';
import {
  isRecord,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
} from '../../platform/text/json.ts';
import { type DialogWords, dialogWords } from './dialog-words.ts';
import { limitInError } from './limit-error.ts';

interface RowBase {
  uuid: string | undefined;
  /** ISO time at which the CLI wrote the row. */
  at: string | undefined;
  /** Of a subagent, not of the conversation. */
  isSidechain: boolean;
}

/** Text in the user's role. */
export interface UserTextRow extends RowBase {
  /**
   * `prompt`: what the user typed, at the prompt or while Claude was at work. `command`: a slash
   * command or `!` shell line, in the CLI's tags. `note`: not the user's words, but hints of the
   * CLI, command output, interruptions, compaction summaries.
   */
  kind: 'prompt' | 'command' | 'note';
  text: string;
}

export interface ToolResultRow extends RowBase {
  kind: 'tool-result';
  results: { toolUseId: string; text: string; isError: boolean }[];
  /** What the user said in a dialog about the call. */
  dialogWords?: DialogWords[];
}

export type AssistantBlock =
  | { type: 'text'; text: string }
  | { type: 'tool-use'; id: string; name: string; input: JsonRecord }
  | { type: 'other' };

/** One or more rows make a reply, and each repeats the usage of the whole reply (B9). */
export interface AssistantRow extends RowBase {
  kind: 'assistant';
  /** As requested, with the `[1m]` that the API's own answer leaves out; of an alias what answered. */
  model: string;
  /** Absent for what the CLI itself says in the assistant's role, such as API errors. */
  contextTokens?: number;
  /** The CLI says that the conversation no longer fits into the window (A9). */
  isTooLong?: boolean;
  /** What the API named as the most that fits in (L1e). */
  limit?: number;
  blocks: AssistantBlock[];
}

/** The context starts again here, at `postTokens`. */
interface CompactionRow extends RowBase {
  kind: 'compaction';
  postTokens: number | undefined;
  /** The context that Claude Code found too large by itself; undefined if the user asked for it. */
  compactedAt?: number;
}

export type TranscriptRow =
  | UserTextRow
  | ToolResultRow
  | AssistantRow
  | CompactionRow
  /** Rows around the conversation, and those of a kind or form that we do not know. */
  | (RowBase & { kind: 'other' })
  | { kind: 'broken' };

const SYNTHETIC_MODEL = '<synthetic>';
const TOO_LONG = /^Prompt is too long/;
/** Which model it means depends on the version of the CLI and on the provider. */
const ALIAS = new RegExp(String.raw`^(?:${table.aliases.join('|')})(\[1m\])?$`, 'i');
const COMMAND_TAG = /^\s*<(command-name|command-message|bash-input)>/;
const NOTE_TAG =
  /^\s*(<(local-command-|bash-std|task-notification|system-reminder)|\[Request interrupted by user)/;

export function parseRow(line: string): TranscriptRow {
  const json = parseJson(line);
  if (!isRecord(json)) return { kind: 'broken' };
  const base = {
    uuid: stringAt(json, 'uuid'),
    at: stringAt(json, 'timestamp'),
    isSidechain: json.isSidechain === true,
  };
  return knownRow(base, json) ?? { ...base, kind: 'other' };
}

function knownRow(base: RowBase, json: JsonRecord): TranscriptRow | undefined {
  if (json.type === 'assistant') return assistantRow(base, json);
  if (json.type === 'user') return userRow(base, json);
  if (json.type === 'attachment') return queuedPrompt(base, json);
  if (json.type !== 'system' || json.subtype !== 'compact_boundary') return undefined;
  const facts = recordAt(json, 'compactMetadata') ?? {};
  const compactedAt = facts.trigger === 'auto' ? numberAt(facts, 'preTokens') : undefined;
  return {
    ...base,
    kind: 'compaction',
    postTokens: numberAt(facts, 'postTokens'),
    ...(compactedAt !== undefined && { compactedAt }),
  };
}

function assistantRow(base: RowBase, json: JsonRecord): AssistantRow | undefined {
  const message = recordAt(json, 'message');
  if (message === undefined || typeof message.id !== 'string') return undefined;
  const answered = stringAt(message, 'model') ?? '';
  const requested = stringAt(json, 'requestedModel');
  const usage = recordAt(message, 'usage');
  const isFromModel = answered !== SYNTHETIC_MODEL && json.isApiErrorMessage !== true;
  const tokens = isFromModel && usage !== undefined ? contextTokens(usage) : undefined;
  const blocks = assistantBlocks(message.content);
  return {
    ...base,
    kind: 'assistant',
    model: modelOf(answered, requested),
    ...(tokens !== undefined && { contextTokens: tokens }),
    ...(json.isApiErrorMessage === true && refusal(json, blocks)),
    blocks,
  };
}

/** `opus` says less than the id that answered, and `[1m]` stands only in what was requested. */
function modelOf(answered: string, requested = answered): string {
  const alias = ALIAS.exec(requested);
  return alias === null || answered === '' ? requested : `${answered}${alias[1] ?? ''}`;
}

/** The CLI says it in three words; what the API said stands in `errorDetails`, or in the text. */
function refusal(
  json: JsonRecord,
  blocks: readonly AssistantBlock[],
): Pick<AssistantRow, 'isTooLong' | 'limit'> {
  const texts = blocks.flatMap((block) => (block.type === 'text' ? block.text : []));
  const words = [stringAt(json, 'errorDetails') ?? '', ...texts];
  const limit = words.map(limitInError).find((found) => found !== undefined);
  const isTooLong = limit !== undefined || texts.some((text) => TOO_LONG.test(text));
  return { ...(isTooLong && { isTooLong }), ...(limit !== undefined && { limit }) };
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
  return { type: 'other' };
}

/** Side questions inside one reply, whose tokens are not the conversation's. */
const SIDE_QUESTIONS = ['advisor_message', 'advisor', 'compaction'];

/** C1: input + cache creation + cache read, of the last iteration that asked the model itself. */
function contextTokens(usage: JsonRecord): number | undefined {
  const iterations = Array.isArray(usage.iterations) ? usage.iterations.filter(isRecord) : [];
  const last = iterations.findLast(({ type }) => !SIDE_QUESTIONS.includes(String(type)));
  return inputTokens(last ?? usage) ?? inputTokens(usage);
}

function inputTokens(usage: JsonRecord): number | undefined {
  const fields = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'];
  const parts = fields.flatMap((field) => numberAt(usage, field) ?? []);
  if (parts.length === 0) return undefined;
  const total = parts.reduce((sum, part) => sum + Math.max(0, part), 0);
  return Number.isSafeInteger(total) ? total : undefined;
}

function userRow(base: RowBase, json: JsonRecord): UserTextRow | ToolResultRow | undefined {
  const message = recordAt(json, 'message');
  if (message === undefined) return undefined;
  const blocks = Array.isArray(message.content) ? message.content.filter(isRecord) : [];
  if (blocks.some(({ type }) => type === 'tool_result')) return toolResultRow(base, json, blocks);
  const row = userTextRow(base, blockText(message.content));
  const isNote = json.isMeta === true || json.isCompactSummary === true;
  return row.kind === 'prompt' && isNote ? { ...row, kind: 'note' } : row;
}

export function userTextRow(base: RowBase, text: string): UserTextRow {
  const kind = COMMAND_TAG.test(text) ? 'command' : NOTE_TAG.test(text) ? 'note' : 'prompt';
  return { ...base, kind, text };
}

/** A prompt typed while tools run is written nowhere else but in this attachment. */
function queuedPrompt(base: RowBase, json: JsonRecord): UserTextRow | undefined {
  const attachment = recordAt(json, 'attachment') ?? {};
  if (attachment.type !== 'queued_command' || attachment.commandMode !== 'prompt') return undefined;
  const origin = recordAt(attachment, 'origin');
  if (origin !== undefined && origin.kind !== 'human') return undefined; // a notification of the CLI to itself
  return { ...base, kind: 'prompt', text: blockText(attachment.prompt) };
}

function toolResultRow(base: RowBase, json: JsonRecord, blocks: JsonRecord[]): ToolResultRow {
  const results = blocks
    .filter(({ type }) => type === 'tool_result')
    .map((block) => ({
      toolUseId: stringAt(block, 'tool_use_id') ?? '',
      text: blockText(block.content),
      isError: block.is_error === true,
    }));
  const said = dialogWords(json, blocks).filter(
    ({ text }) => userTextRow(base, text).kind === 'prompt',
  );
  return { ...base, kind: 'tool-result', results, ...(said.length > 0 && { dialogWords: said }) };
}

/** Content is a string when typed, else a list of blocks; images and the like have no text. */
function blockText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter(isRecord)
    .flatMap((block) => (block.type === 'text' ? (stringAt(block, 'text') ?? []) : []))
    .join('\n');
}
