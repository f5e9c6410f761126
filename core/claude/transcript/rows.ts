/**
 * Parses one line of Claude Code's transcript into a typed row. A line can hold anything: a torn
 * write, a type that came with yesterday's release, a field of another kind. None of it is an
 * error: such a row is `other` or `broken`, and the reader goes on.
 */
import table from '../../../resources/models.json' with { type: 'json' };
import { parseJson } from '../../platform/store/attempt.ts';
import { shortHash } from '../../platform/store/owner.ts';
import {
  isRecord,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
} from '../../platform/text/json.ts';
import { type DialogWords, dialogWords } from './dialog-words.ts';
import { limitInError } from './limit-error.ts';
import {
  isNoteByFields,
  isNoticeOfCli,
  isOfCli,
  type UserWords,
  userWords,
} from './whose-words.ts';

interface RowBase {
  /** Of a row without one it is made of what the row holds, if that can be words. */
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
  /** It was typed while Claude was at work, and went along with a tool's result. */
  isSentAlong?: true;
}

/** The queue of prompts that are typed while Claude is at work. Only `enqueue` holds the text. */
export interface QueueRow extends RowBase {
  kind: 'queue';
  operation: string;
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
  preTokens: number | undefined;
  postTokens: number | undefined;
  /** The context that Claude Code found too large by itself; undefined if the user asked for it. */
  compactedAt?: number;
}

type KnownRow = UserTextRow | ToolResultRow | AssistantRow | CompactionRow | QueueRow;

export type TranscriptRow =
  | KnownRow
  /** Rows around the conversation, and those of a kind or form that we do not know. */
  | (RowBase & { kind: 'other' })
  | { kind: 'broken' };

const TOO_LONG = /^Prompt is too long/;
/** Which model it means depends on the version of the CLI and on the provider. */
const ALIAS = new RegExp(String.raw`^(?:${table.aliases.join('|')})(\[1m\])?$`, 'i');
/** What a reader of words needs from a row. */
export type SpokenRow =
  | Exclude<TranscriptRow, AssistantRow>
  | Pick<AssistantRow, 'kind' | 'uuid' | 'at' | 'isSidechain' | 'blocks'>;

export function parseRow(line: string): TranscriptRow {
  const json = parseJson(line);
  return isRecord(json) ? rowOf(json, () => line) : { kind: 'broken' };
}

function rowOf(json: JsonRecord, line: () => string): TranscriptRow {
  const base = baseOf(json);
  const known = knownRow(base, json);
  return known === undefined ? { ...base, kind: 'other' } : named(known, line);
}

/** The same for readers of words. `line` is what the row stands in. */
export function spokenRowOf(json: JsonRecord, line: () => string): SpokenRow {
  const message = json.type === 'assistant' ? recordAt(json, 'message') : undefined;
  if (message === undefined) return rowOf(json, line);
  const blocks = blocksOfClaude(json, message);
  return named({ ...baseOf(json), kind: 'assistant' as const, blocks }, line);
}

function baseOf(json: JsonRecord): RowBase {
  return {
    uuid: stringAt(json, 'uuid'),
    at: stringAt(json, 'timestamp'),
    isSidechain: json.isSidechain === true,
  };
}

/** A row of words without an id gets one. */
function named<T extends RowBase & { kind: string; text?: string }>(row: T, line: () => string): T {
  const isNameless = row.uuid === undefined && MAY_SPEAK.has(row.kind) && row.text !== '';
  return isNameless ? { ...row, uuid: madeId(line().trim()) } : row;
}

const MAY_SPEAK = new Set(['prompt', 'command', 'tool-result', 'assistant']);
const LENGTH_DIGITS = 8;

/** The same whenever the line is read again. */
function madeId(line: string): string {
  return `${shortHash(line)}${line.length.toString(16).padStart(LENGTH_DIGITS, '0')}`;
}

function knownRow(base: RowBase, json: JsonRecord): KnownRow | undefined {
  if (json.type === 'assistant') return assistantRow(base, json);
  if (json.type === 'user') return userRow(base, json);
  if (json.type === 'attachment') return queuedPrompt(base, json);
  if (json.type === 'queue-operation') return queueRow(base, json);
  return json.type === 'system' ? systemRow(base, json) : undefined;
}

function systemRow(base: RowBase, json: JsonRecord): KnownRow | undefined {
  if (json.subtype === 'local_command') return typedCommand(base, json);
  if (json.subtype !== 'compact_boundary') return undefined;
  const facts = recordAt(json, 'compactMetadata') ?? {};
  const compactedAt = facts.trigger === 'auto' ? numberAt(facts, 'preTokens') : undefined;
  return {
    ...base,
    kind: 'compaction',
    preTokens: numberAt(facts, 'preTokens'),
    postTokens: numberAt(facts, 'postTokens'),
    ...(compactedAt !== undefined && { compactedAt }),
  };
}

/** A command that opens a dialog may stand nowhere else. Its output is a row of the same kind. */
function typedCommand(base: RowBase, json: JsonRecord): UserTextRow | undefined {
  if (json.isMeta === true) return undefined;
  const words = userWords(stringAt(json, 'content') ?? '');
  return words.kind === 'command' ? { ...base, ...words } : undefined;
}

function queueRow(base: RowBase, json: JsonRecord): QueueRow {
  const operation = stringAt(json, 'operation') ?? '';
  const words = json.content === undefined ? undefined : spokenText(json.content);
  const text = words === undefined || words.kind === 'note' ? '' : words.text;
  return { ...base, kind: 'queue', operation, text };
}

function assistantRow(base: RowBase, json: JsonRecord): AssistantRow | undefined {
  const message = recordAt(json, 'message');
  if (message === undefined) return undefined;
  // Some programs that write transcripts leave out the id.
  if (typeof message.id !== 'string' && message.content === undefined) return undefined;
  const answered = stringAt(message, 'model') ?? '';
  const requested = stringAt(json, 'requestedModel');
  const usage = recordAt(message, 'usage');
  const isFromModel = !isOfCli(json, message);
  const tokens = isFromModel && usage !== undefined ? contextTokens(usage) : undefined;
  return {
    ...base,
    kind: 'assistant',
    model: modelOf(answered, requested),
    ...(tokens !== undefined && { contextTokens: tokens }),
    ...(json.isApiErrorMessage === true && refusal(json, assistantBlocks(message.content))),
    blocks: blocksOfClaude(json, message),
  };
}

/** Without what Claude Code says in Claude's role. */
function blocksOfClaude(json: JsonRecord, message: JsonRecord): AssistantBlock[] {
  if (isOfCli(json, message)) return [];
  return assistantBlocks(message.content).map((block) => {
    const isNotice = block.type === 'text' && isNoticeOfCli(block.text, message);
    return isNotice ? { type: 'other' } : block;
  });
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

function assistantBlocks(content: unknown): AssistantBlock[] {
  return blocksOf(content).map(assistantBlock);
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
  const blocks = blocksOf(message.content);
  if (blocks.some(({ type }) => type === 'tool_result')) return toolResultRow(base, json, blocks);
  const { kind, text } = spokenText(message.content);
  return { ...base, kind: isNoteByFields(json) ? 'note' : kind, text };
}

/** Each block is somebody's: an editor's note comes in one, what was typed in the next. */
function spokenText(content: unknown): UserWords {
  if (typeof content === 'string') return userWords(content);
  const texts = blocksOf(content).flatMap((block) => textOf(block) ?? []);
  const [first, ...more] = texts.map(userWords);
  if (first === undefined || more.length === 0) return first ?? { kind: 'prompt', text: '' };
  const own = [first, ...more].filter(({ kind }) => kind !== 'note');
  const kind = own.some((words) => words.kind === 'prompt') ? 'prompt' : own[0]?.kind;
  if (kind === undefined) return { kind: 'note', text: texts.join('\n') };
  return { kind, text: own.map(({ text }) => text).join('\n') };
}

/** A prompt typed while tools run; before 2.1.101 it is written nowhere but in the queue. */
function queuedPrompt(base: RowBase, json: JsonRecord): UserTextRow | undefined {
  const attachment = recordAt(json, 'attachment') ?? {};
  if (attachment.type !== 'queued_command') return undefined;
  const { commandMode: mode } = attachment;
  const isTyped = mode === undefined || mode === 'prompt' || mode === 'bash';
  // Claude Code also queues notifications to itself.
  if (!isTyped || isNoteByFields(attachment) || isNoteByFields(json)) return undefined;
  const words = spokenText(attachment.prompt);
  const text = mode === 'bash' && words.kind === 'prompt' ? `!${words.text}` : words.text;
  return { ...base, ...words, text, isSentAlong: true };
}

function toolResultRow(base: RowBase, json: JsonRecord, blocks: JsonRecord[]): ToolResultRow {
  const results = blocks
    .filter(({ type }) => type === 'tool_result')
    .map((block) => ({
      toolUseId: stringAt(block, 'tool_use_id') ?? '',
      text: blockText(block.content),
      isError: block.is_error === true,
    }));
  const said = dialogWords(json, blocks).filter(({ text }) => userWords(text).kind === 'prompt');
  return { ...base, kind: 'tool-result', results, ...(said.length > 0 && { dialogWords: said }) };
}

/** Content is a string when typed, else a list of blocks, or of strings among blocks. */
function blocksOf(content: unknown): JsonRecord[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return [];
  if (content.every(isRecord)) return content;
  return content.flatMap((block) => {
    if (typeof block === 'string') return [{ type: 'text', text: block }];
    return isRecord(block) ? [block] : [];
  });
}

/** Images and the like have no text. */
function textOf(block: JsonRecord): string | undefined {
  return block.type === 'text' ? stringAt(block, 'text') : undefined;
}

function blockText(content: unknown): string {
  if (typeof content === 'string') return content;
  return blocksOf(content)
    .flatMap((block) => textOf(block) ?? [])
    .join('\n');
}
