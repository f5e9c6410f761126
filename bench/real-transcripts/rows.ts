/**
 * Reads one row of a transcript: which texts stand in it, and whose words each of them is. A row
 * is believed by its marks first (subagent, meta, origin) and by its text last.
 */

import { foreignReason, type Words, wordsOfUserText } from './words.ts';

/** A row as it was parsed: nothing about it can be relied on. */
export type Row = Record<string, unknown>;

const REFUSED = "The user doesn't want to proceed with this tool use.";
const REFUSED_WITH_WORDS = 'the user said:\n';
/** Claude Code adds this behind the user's words from about 2.1.78 on. */
const ADDED_TO_REFUSAL = /\n\nNote: The user's next message may contain a correction[\s\S]*$/;
const ACCEPTED_PLAN = 'Implement the following plan:\n\n';
const WANTS_TO_CLARIFY = 'The user wants to clarify these questions.';
/** Notices that Claude Code gives in Claude's role where the row has no other mark of it. */
const CLI_NOTICE =
  /^(?:API Error|Not logged in|Please run \/login|Invalid API key|OAuth token|Credit balance|Prompt is too long|Claude (?:AI )?usage limit|Claude Code |You've (?:hit|reached) your|You're out of|\d+-hour limit|Request timed out|Execution error)/i;

/** Claude Code writes it in Claude's role behind a prompt that wanted no reply. */
const NO_RESPONSE = 'No response requested.';

/** The texts of a row in file order. Rows without any text give one nameless entry, to be counted. */
export function wordsOfRow(row: Row): Words[] {
  switch (row.type) {
    case 'user':
      return wordsOfUserRow(row);
    case 'assistant':
      return wordsOfAssistantRow(row);
    case 'attachment':
      return wordsOfAttachment(row);
    case 'system':
      return wordsOfSystemRow(row);
    default:
      return [nobodys(`row of type ${String(row.type)}`, '')];
  }
}

function wordsOfUserRow(row: Row): Words[] {
  const blocks = blocksOf(record(row.message)?.content);
  const reason = rowReason(row);
  const isToolRow = blocks.some(({ type }) => type === 'tool_result');
  const how = promptShape(row, isToolRow);
  const words = blocks.flatMap((block) => {
    if (block.type === 'tool_result') {
      return wordsOfToolResult(row, block, reason);
    }
    if (typeof block.text !== 'string') {
      return [nobodys(`block of type ${String(block.type)}`, '')];
    }
    return reason === undefined
      ? wordsOfUserText(block.text, how)
      : [nobodys(metaReason(row, reason, block.text), block.text)];
  });
  return words.length > 0 ? words : [nobodys('empty', '')];
}

/** Claude Code makes the accepted plan the prompt; older versions do so without `planContent`. */
function isAcceptedPlan(row: Row): boolean {
  const content = record(row.message)?.content;
  return typeof row.planContent === 'string' || textOf(content).startsWith(ACCEPTED_PLAN);
}

function promptShape(row: Row, isToolRow: boolean): string {
  if (isToolRow) {
    return 'beside a tool result';
  }
  if (isAcceptedPlan(row)) {
    return 'accepted plan';
  }
  return typeof record(row.message)?.content === 'string' ? 'prompt' : 'prompt in a text block';
}

/** Why everything in a row is nobody's words, by its marks alone. */
function rowReason(row: Row): string | undefined {
  const origin = record(row.origin)?.kind;
  if (row.isSidechain === true) {
    return 'subagent';
  }
  if (row.isCompactSummary === true) {
    return 'compaction summary';
  }
  if (row.isMeta === true) {
    return 'meta row';
  }
  if (typeof origin === 'string' && origin !== 'human') {
    return `origin ${origin}`;
  }
  if (typeof row.sourceToolUseID === 'string') {
    return 'skill expansion';
  }
  const isCompanion =
    row.promptSource === 'system' ||
    row.turnCompanion === true ||
    row.isVirtual === true ||
    row.isVisibleInTranscriptOnly === true;
  return isCompanion ? 'companion of a turn' : undefined;
}

/** Meta rows say more about themselves by their text; those in blocks expand what was called. */
function metaReason(row: Row, reason: string, text: string): string {
  if (reason !== 'meta row') {
    return reason;
  }
  const isContinuation = text.trim() === 'Continue from where you left off.';
  const isExpansion = !isContinuation && Array.isArray(record(row.message)?.content);
  return foreignReason(text) ?? (isExpansion ? 'skill expansion' : reason);
}

function wordsOfToolResult(row: Row, block: Row, reason: string | undefined): Words[] {
  const text = textOf(block.content);
  const result = nobodys(reason ?? 'tool result', text);
  if (reason !== undefined) {
    return [result];
  }
  return [result, ...wordsOfRefusal(row, block, text), ...wordsOfAnswers(row)];
}

function wordsOfRefusal(row: Row, block: Row, text: string): Words[] {
  if (typeof row.userFeedback === 'string' && row.userFeedback.trim() !== '') {
    return [{ kind: 'user', how: 'refusal', text: row.userFeedback }];
  }
  const at = text.indexOf(REFUSED_WITH_WORDS);
  if (block.is_error !== true || !text.startsWith(REFUSED) || at === -1) {
    return [];
  }
  const said = text.slice(at + REFUSED_WITH_WORDS.length).replace(ADDED_TO_REFUSAL, '');
  return said.startsWith(WANTS_TO_CLARIFY)
    ? [nobodys('wish to clarify questions', said), ...answersWithinClarification(said)]
    : [{ kind: 'user', how: 'refusal', text: said }];
}

function answersWithinClarification(said: string): Words[] {
  return [...said.matchAll(/\n {2}Answer: ([\s\S]*?)(?=\n- "|$)/g)].map((match) => ({
    kind: 'user',
    how: 'answer',
    text: match[1] ?? '',
  }));
}

function wordsOfAnswers(row: Row): Words[] {
  const result = record(row.toolUseResult);
  const answers = record(result?.answers);
  if (answers === undefined) {
    return [];
  }
  const notes = record(result?.annotations) ?? {};
  return Object.entries(answers).flatMap(([question, answer]) => {
    const given = (Array.isArray(answer) ? answer : [answer]).filter(isFilled);
    const note = record(notes[question])?.notes;
    const texts = isFilled(note) && !given.includes(note) ? [...given, note] : given;
    return texts.map((text): Words => ({ kind: 'user', how: 'answer', text }));
  });
}

function wordsOfAssistantRow(row: Row): Words[] {
  const message = record(row.message);
  const words = blocksOf(message?.content).map((block): Words => {
    if (typeof block.text !== 'string' || block.type !== 'text') {
      return nobodys(`block of type ${String(block.type)}`, '');
    }
    const reason = assistantReason(row, message, block.text);
    return reason === undefined
      ? { kind: 'assistant', how: 'text', text: block.text }
      : nobodys(reason, block.text);
  });
  return words.length > 0 ? words : [nobodys('empty', '')];
}

function assistantReason(row: Row, message: Row | undefined, text: string): string | undefined {
  if (row.isSidechain === true) {
    return 'subagent';
  }
  if (row.isApiErrorMessage === true) {
    return 'CLI error';
  }
  if (row.isMeta === true || row.isVirtual === true) {
    return 'meta row';
  }
  if (text.trim() === '' || text.trim() === '(no content)') {
    return 'empty';
  }
  if (text.trim() === NO_RESPONSE) {
    return 'CLI placeholder';
  }
  if (message?.model === '<synthetic>') {
    return CLI_NOTICE.test(text) ? 'CLI error' : 'synthetic message';
  }
  return cameFromModel(message) || !CLI_NOTICE.test(text) ? undefined : 'CLI error';
}

/** Claude Code's own messages cost nothing; Claude may well speak of an "API Error" itself. */
function cameFromModel(message: Row | undefined): boolean {
  const usage = record(message?.usage);
  return Number(usage?.output_tokens ?? 0) > 0;
}

function wordsOfAttachment(row: Row): Words[] {
  const attachment = record(row.attachment);
  if (attachment?.type !== 'queued_command') {
    return [nobodys(`attachment ${String(attachment?.type)}`, '')];
  }
  const reason = rowReason(row) ?? rowReason(attachment) ?? machineMode(attachment);
  return blocksOf(attachment.prompt).flatMap((block) => {
    if (typeof block.text !== 'string') {
      return [nobodys(`block of type ${String(block.type)}`, '')];
    }
    const how = attachment.commandMode === 'bash' ? 'queued bash input' : 'queued (attachment)';
    return reason === undefined
      ? wordsOfUserText(block.text, how)
      : [nobodys(metaReason(row, reason, block.text), block.text)];
  });
}

function machineMode({ commandMode }: Row): string | undefined {
  const isTyped = commandMode === undefined || commandMode === 'prompt' || commandMode === 'bash';
  return isTyped ? undefined : `queued ${String(commandMode)}`;
}

/** A slash command that opens a dialog stands only in a system row. */
function wordsOfSystemRow(row: Row): Words[] {
  const text = typeof row.content === 'string' ? row.content : '';
  const reason = `system row ${String(row.subtype)}`;
  if (row.subtype !== 'local_command' || row.isSidechain === true || row.isMeta === true) {
    return [nobodys(reason, text)];
  }
  const words = wordsOfUserText(text, 'system');
  return words.map((word) => (word.how === 'system' ? nobodys(reason, word.text) : word));
}

/** Content is a string, or blocks, or strings among blocks. */
function blocksOf(content: unknown): Row[] {
  const list = Array.isArray(content) ? content : [content];
  return list.flatMap((block): Row[] => {
    if (typeof block === 'string') {
      return block.trim() === '' ? [] : [{ type: 'text', text: block }];
    }
    const known = record(block);
    return known === undefined ? [] : [known];
  });
}

export function textOf(content: unknown): string {
  return blocksOf(content)
    .flatMap(({ text }) => (typeof text === 'string' ? text : []))
    .join('\n');
}

function record(value: unknown): Row | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Row)
    : undefined;
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function nobodys(how: string, text: string): Words {
  return { kind: 'none', how, text };
}
