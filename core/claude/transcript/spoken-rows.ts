/**
 * Finds the rows of a transcript that may become L1 entries: prompts, replies, tool results. It
 * parses neither other rows nor parts that L1 drops, such as most of a tool's result.
 *
 * It reads lines as Latin-1, one character per byte, because JSON's own signs are ASCII, and only
 * the head of long ones, because most of the time goes into moving bytes. Inside a JSON string every
 * quote has a backslash before it, so a bare `,"` is never part of the words. A row that is not
 * exactly as Claude Code writes it today is parsed as a whole (`parseRow`): another order of fields
 * costs time, never a word.
 */
import { parseJson } from '../../platform/store/attempt.ts';
import {
  type AssistantRow,
  assistantBlocks,
  parseRow,
  type ToolResultRow,
  type TranscriptRow,
  type UserTextRow,
  userTextRow,
} from './rows.ts';

/** What a reader of words needs from a row. */
export type SpokenRow =
  | Exclude<TranscriptRow, AssistantRow>
  | Pick<AssistantRow, 'kind' | 'uuid' | 'at' | 'isSidechain' | 'blocks'>;

const NEWLINE = 0x0a;
const RETURN = 0x0d;
/** Most lines with words fit into it. */
const HEAD_BYTES = 1600;

interface Line {
  lines: Buffer;
  start: number;
  end: number;
  /** As much of it as fits. */
  head: string;
}

/** A tool result is cut at the first blank after `resultChars` characters. */
export function spokenRows(lines: Buffer, resultChars: number): SpokenRow[] {
  const rows: SpokenRow[] = [];
  for (let start = 0; start < lines.length; ) {
    const newline = lines.indexOf(NEWLINE, start);
    const next = newline < 0 ? lines.length : newline;
    const end = lines[next - 1] === RETURN ? next - 1 : next;
    if (!isSurelySilent(lines, start, end)) {
      const head = lines.toString('latin1', start, Math.min(end, start + HEAD_BYTES));
      const row = rowIn({ lines, start, end, head }, resultChars);
      if (row !== undefined) rows.push(row);
    }
    start = next + 1;
  }
  return rows;
}

const TYPE_FIRST = '{"type":"';
const SPEAKING_TYPES = ['user', 'assistant', 'attachment'];
const LONGEST_TYPE = 40;
const T = 0x74;

/** Whether the line is empty, or its first field names another kind of row. */
function isSurelySilent(lines: Buffer, start: number, end: number): boolean {
  if (lines[start + 2] !== T) return start >= end;
  const headEnd = Math.min(end, start + TYPE_FIRST.length + LONGEST_TYPE);
  const head = lines.toString('latin1', start, headEnd);
  const quote = head.indexOf('"', TYPE_FIRST.length);
  if (!head.startsWith(TYPE_FIRST) || quote < 0) return false;
  const type = head.slice(TYPE_FIRST.length, quote);
  return !SPEAKING_TYPES.includes(type) && !type.includes('\\');
}

const ROW_HEAD =
  /\{"parentUuid":(?:null|"[^"\\]*"),"isSidechain":false,(?:"promptId":"[^"\\]*",)?"(?:type":"user","message|message|attachment)":\{/y;
const USER_MESSAGE = '"user","message":{';
const MESSAGE = '"message":{';

/** Undefined if the row surely holds no words. */
function rowIn(line: Line, resultChars: number): SpokenRow | undefined {
  const from = endOf(ROW_HEAD, line.head, 0);
  if (from > 0 && line.head.startsWith(USER_MESSAGE, from - USER_MESSAGE.length))
    return resultIn(line, from, resultChars) ?? saidIn(wholeOf(line), from) ?? parsed(line);
  if (from > 0 && line.head.startsWith(MESSAGE, from - MESSAGE.length))
    return replyIn(wholeOf(line), from) ?? parsed(line);
  const isOther = from > 0 && endOf(ATTACHMENT_TYPE, line.head, from) > 0;
  return (isOther && isAttachment(line, from)) || isSilent(line, isOther)
    ? undefined
    : parsed(line);
}

function wholeOf({ lines, start, end, head }: Line): string {
  return head.length === end - start ? head : lines.toString('latin1', start, end);
}

function parsed(line: Line): TranscriptRow {
  return parseRow(utf8(wholeOf(line)));
}

/** `isOther`: what is attached is not a prompt. */
function isSilent({ lines, start, end }: Line, isOther: boolean): boolean {
  const line = lines.subarray(start, end);
  return !line.includes('"message"') && (isOther || !line.includes('"queued_command"'));
}

const RESULT_HEAD =
  /"role":"user","content":\[\{"tool_use_id":"[\w-]*","type":"tool_result","content":"/y;
const BEFORE_TOOL_ID = '"role":"user","content":[{"tool_use_id":"';
const BEHIND_TOOL_ID = '","type":"tool_result","content":"';
/** No error, and behind the row's id and time no answers to questions. */
const RESULT_END =
  /"(?:,"is_error":false)?\}\]\},"uuid":"[\w-]{36}","timestamp":"[\w:.-]{24}","toolUseResult":(?:["[]|\{"(?!questions|answers|annotations|response)\w)/y;
const CLOSING = '"}]}';
const NEXT_FIELD = Buffer.from(',"');
const RESULT_END_BYTES = 192;

/** The text result of one tool. It has no words of the user: a call they refuse ends in an error. */
function resultIn(line: Line, message: number, resultChars: number): ToolResultRow | undefined {
  const result = endOf(RESULT_HEAD, line.head, message);
  if (result === 0) return undefined;
  const { lines, start, end, head } = line;
  const from = start + result;
  const next = lines.indexOf(NEXT_FIELD, from);
  if (next < 0 || next >= end) return undefined;
  // The quote that ends the result is just before the comma, or before the closing brackets.
  const tailEnd = Math.min(end, next + RESULT_END_BYTES);
  const tail = lines.toString('latin1', next - CLOSING.length, tailEnd);
  const quote = tail.startsWith(CLOSING) ? next - CLOSING.length : next - 1;
  if (quote < from || endOf(RESULT_END, tail, quote - next + CLOSING.length) === 0)
    return undefined;
  const text = beginningOf(lines, from, quote, resultChars);
  if (text === undefined) return undefined;
  const id = head.slice(message + BEFORE_TOOL_ID.length, result - BEHIND_TOOL_ID.length);
  return {
    kind: 'tool-result',
    uuid: '',
    at: undefined,
    isSidechain: false,
    results: [{ toolUseId: copied(id), text, isError: false }],
  };
}

/** Most characters are one byte; if they are more or escaped, twice as many bytes are tried. */
function beginningOf(lines: Buffer, from: number, end: number, chars: number): string | undefined {
  for (let bytes = chars + (chars >> 3); ; bytes *= 2) {
    // A blank is never part of another character or of an escape.
    const blank = from + bytes < end ? lines.indexOf(BLANK, from + bytes) : -1;
    const to = blank < 0 || blank > end ? end : blank;
    const beginning = stringIn(lines.toString('latin1', from, to));
    if (beginning === undefined || beginning.length >= chars || to === end) return beginning;
  }
}

const BLANK = 0x20;
/** Of all attachments, only what the user typed while Claude was at work has words. */
const ATTACHMENT_TYPE = /"type":"(?!queued_command)\w+"/y;
const ATTACHMENT_TAIL = ',"type":"attachment","uuid":"';
/** The fields after a row's type are shorter. */
const TAIL_BYTES = 768;

/** Whether the row's last fields say that it is an attachment. */
function isAttachment({ lines, start, end }: Line, attachment: number): boolean {
  const tail = lines.toString('latin1', Math.max(start + attachment, end - TAIL_BYTES), end);
  return isClosedBy(tail, tail.lastIndexOf(ATTACHMENT_TAIL));
}

/** Whether only the row itself ends after `at`: then the fields there are the row's own. */
function isClosedBy(text: string, at: number): boolean {
  return at >= 0 && text.indexOf('}', at) === text.length - 1;
}

const SAID_HEAD = '"role":"user","content":"';
const SAID_TAIL_START = '"},"uuid":"';
const NOT_SAID = /"is(?:Meta|CompactSummary)"/;

/** What the user typed, or the CLI wrote in the user's role. */
function saidIn(text: string, message: number): UserTextRow | undefined {
  if (!text.startsWith(SAID_HEAD, message)) return undefined;
  const from = message + SAID_HEAD.length;
  const quote = text.indexOf(',"', from) - 2;
  if (quote < from) return undefined;
  const base = text.startsWith(SAID_TAIL_START, quote)
    ? identityAt(text, quote + SAID_TAIL_START.length)
    : undefined;
  if (base === undefined || NOT_SAID.test(text.slice(quote))) return undefined;
  const said = stringIn(text.slice(from, quote));
  return said === undefined ? undefined : userTextRow(base, said);
}

const MESSAGE_HEAD =
  /(?:"(?:type|role|model)":"[^"\\]*",)*"id":"[^"\\]*",(?:"(?:type|role|model)":"[^"\\]*",)*"content":(?=\[)/y;
const CONTENT_END = '],"stop_reason":';
const REPLY_TAIL_START = ',"type":"assistant","uuid":"';

/** A reply of Claude. */
function replyIn(text: string, message: number): SpokenRow | undefined {
  const from = endOf(MESSAGE_HEAD, text, message);
  const to = from === 0 ? 0 : text.indexOf(CONTENT_END, from) + 1;
  if (to === 0) return undefined;
  const tail = text.indexOf(REPLY_TAIL_START, Math.max(to, text.length - TAIL_BYTES));
  const base = isClosedBy(text, tail)
    ? identityAt(text, tail + REPLY_TAIL_START.length)
    : undefined;
  if (base === undefined) return undefined;
  const content = parseJson(utf8(text.slice(from, to)));
  if (!Array.isArray(content)) return undefined;
  const { uuid, at } = base;
  return { kind: 'assistant', uuid, at, isSidechain: false, blocks: assistantBlocks(content) };
}

const IDENTITY = /[\w-]{36}","timestamp":"[\w:.-]{24}"/y;
const UUID_CHARS = 36;
const TIME_CHARS = 24;

/** `<uuid>","timestamp":"<time>"`, in today's lengths. */
function identityAt(
  text: string,
  from: number,
): { uuid: string; at: string; isSidechain: false } | undefined {
  const end = endOf(IDENTITY, text, from);
  if (end === 0) return undefined;
  return {
    uuid: text.slice(from, from + UUID_CHARS),
    at: copied(text.slice(end - 1 - TIME_CHARS, end - 1)),
    isSidechain: false,
  };
}

/** Where a match that begins at `at` ends; 0 if there is none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : 0;
}

/** The value of what is between the quotes of a JSON string; undefined if it is not valid. */
function stringIn(latin1: string): string | undefined {
  const value = parseJson(`"${utf8(latin1)}"`);
  return typeof value === 'string' ? value : undefined;
}

/** A slice would keep the whole string in memory. */
function copied(part: string): string {
  return ` ${part}`.slice(1);
}

const BEYOND_ASCII = /[\x80-\xff]/;

function utf8(latin1: string): string {
  return BEYOND_ASCII.test(latin1) ? Buffer.from(latin1, 'latin1').toString('utf8') : latin1;
}
