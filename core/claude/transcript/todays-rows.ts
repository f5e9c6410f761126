/**
 * Reads the most frequent rows (prompts, replies, results, the queue) if their fields stand in the
 * order in which Claude Code writes them today: it takes half the time if nobody has to find out
 * where a field stands. Gives the fields that `wanted-json` would, and undefined for every row that
 * is written otherwise.
 */
import type { JsonRecord } from '../../platform/text/json.ts';
import {
  beginningBetween,
  endOfNested,
  endOfString,
  isAt,
  parsed,
  stringBetween,
} from './wanted-json.ts';

const QUOTE = 0x22;
const LESS_THAN = 0x3c;
const LIST = 0x5b;
const OBJECT_END = 0x7d;

/** A part of a row; `#` stands for a string. */
class Template {
  /** Of the last match: where each string begins and ends, without its quotes. */
  readonly from: number[] = [];
  readonly to: number[] = [];
  readonly #parts: readonly Buffer[];

  constructor(part: string) {
    this.#parts = part.split('#').map((between) => Buffer.from(between));
  }

  /** Where the row goes on behind it; -1 if something else stands there. */
  match(bytes: Buffer, start: number, end: number): number {
    const parts = this.#parts;
    let at = start;
    for (let n = 0; n < parts.length; n++) {
      const part = parts[n] as Buffer;
      if (n > 0) {
        if (bytes[at] !== QUOTE) return -1;
        this.from[n - 1] = at + 1;
        at = endOfString(bytes, at + 1, end);
        this.to[n - 1] = at - 1;
      }
      if (!isAt(bytes, at, part)) return -1;
      at += part.length;
    }
    return at;
  }

  string(bytes: Buffer, n: number): string {
    return stringBetween(bytes, this.from[n] as number, this.to[n] as number);
  }
}

const HEAD = new Template('{"parentUuid":#,"isSidechain":false,"');
const USER = new Template('promptId":#,"type":"user","message":{"role":"user","content":');
const PROMPT = new Template('#},"uuid":#,"timestamp":#,');
const RESULT = new Template('[{"tool_use_id":#,"type":"tool_result","content":#');
const BEHIND_RESULT = new Template('}]},"uuid":#,"timestamp":#,');
const BEHIND_SUCCESS = new Template(',"is_error":false}]},"uuid":#,"timestamp":#,');
/** In the order of the API, and in that of others who stand in for it. */
const REPLIES = [
  'message":{"model":#,"id":#,"type":"message","role":"assistant","content":[',
  'message":{"id":#,"type":"message","role":"assistant","model":#,"content":[',
].map((reply) => new Template(reply));
const TEXT = new Template('{"type":"text","text":#}],"stop_reason":');
const CALL = new Template('{"type":"tool_use","id":#,"name":#,"input":');
const BEHIND_CALL = new Template('}],"stop_reason":');
const QUEUED = new Template('{"type":"queue-operation","operation":#,"timestamp":#,"sessionId":#');
const QUEUED_TEXT = new Template(',"content":#');

/** Behind the figures of a reply. */
const UUID = ',"type":"assistant","uuid":"';
const UUID_CHARS = 36;
const TIME = '","timestamp":"';
const TIME_CHARS = 24;
/** Fields that tell of Claude Code begin so, and so does a field of each row that may be glued to one. */
const MARK = ',"is';

export class TodaysRows {
  /** Up to here the last row was read. */
  at = 0;
  /** Nothing else of the last row matters. */
  isEnough = false;
  readonly #charsOf: (block: JsonRecord) => number;

  /** `charsOf`: how many characters of a result are wanted. */
  constructor(charsOf: (block: JsonRecord) => number) {
    this.#charsOf = charsOf;
  }

  read(bytes: Buffer, start: number, end: number): JsonRecord | undefined {
    this.isEnough = false;
    const head = HEAD.match(bytes, start, end);
    if (head < 0) return this.#queued(bytes, start, end);
    const user = USER.match(bytes, head, end);
    if (user < 0) return this.#reply(bytes, head, end);
    return bytes[user] === LIST ? this.#result(bytes, user, end) : this.#prompt(bytes, user, end);
  }

  #queued(bytes: Buffer, start: number, end: number): JsonRecord | undefined {
    this.at = QUEUED.match(bytes, start, end);
    if (this.at < 0) return undefined;
    const behindText = QUEUED_TEXT.match(bytes, this.at, end);
    if (behindText >= 0) this.at = behindText;
    return {
      type: 'queue-operation',
      operation: QUEUED.string(bytes, 0),
      timestamp: QUEUED.string(bytes, 1),
      content: behindText < 0 ? undefined : QUEUED_TEXT.string(bytes, 0),
    };
  }

  #prompt(bytes: Buffer, start: number, end: number): JsonRecord | undefined {
    this.at = PROMPT.match(bytes, start, end);
    if (this.at < 0) return undefined;
    const [uuid, timestamp] = [PROMPT.string(bytes, 1), PROMPT.string(bytes, 2)];
    return rowOf('user', uuid, timestamp, PROMPT.string(bytes, 0));
  }

  #result(bytes: Buffer, start: number, end: number): JsonRecord | undefined {
    const behind = RESULT.match(bytes, start, end);
    if (behind < 0) return undefined;
    const ids = bytes[behind] === OBJECT_END ? BEHIND_RESULT : BEHIND_SUCCESS;
    this.at = ids.match(bytes, behind, end);
    if (this.at < 0) return undefined;
    const block: JsonRecord = { type: 'tool_result', tool_use_id: RESULT.string(bytes, 0) };
    const chars = this.#charsOf(block);
    const [from, to] = [RESULT.from[1] as number, RESULT.to[1] as number];
    block.content = chars === 0 ? '' : beginningBetween(bytes, from, to, chars);
    return rowOf('user', ids.string(bytes, 0), ids.string(bytes, 1), [block]);
  }

  #reply(bytes: Buffer, start: number, end: number): JsonRecord | undefined {
    const content = endOfReplyHead(bytes, start, end);
    if (content < 0) return undefined;
    const block = this.#text(bytes, content, end) ?? this.#call(bytes, content, end);
    if (block === undefined) return undefined;
    const rest = bytes.toString('latin1', this.at, end);
    const place = rest.indexOf(UUID);
    const backslash = rest.indexOf('\\');
    // Behind the last inner brace fields are the row's own.
    const isPlain =
      place >= 0 &&
      rest.indexOf('}', place) === rest.length - 1 &&
      !(backslash >= 0 && backslash < place) &&
      !rest.includes(MARK);
    if (!isPlain) return undefined;
    const uuidEnd = place + UUID.length + UUID_CHARS;
    const timeEnd = uuidEnd + TIME.length + TIME_CHARS;
    if (!rest.startsWith(TIME, uuidEnd) || rest[timeEnd] !== '"') return undefined;
    this.isEnough = true;
    const [uuid, time] = [
      rest.slice(uuidEnd - UUID_CHARS, uuidEnd),
      rest.slice(timeEnd - TIME_CHARS, timeEnd),
    ];
    return uuid.includes('"') || time.includes('"')
      ? undefined
      : rowOf('assistant', uuid, time, [block]);
  }

  #text(bytes: Buffer, start: number, end: number): JsonRecord | undefined {
    this.at = TEXT.match(bytes, start, end);
    return this.at < 0 ? undefined : { type: 'text', text: TEXT.string(bytes, 0) };
  }

  #call(bytes: Buffer, start: number, end: number): JsonRecord | undefined {
    const input = CALL.match(bytes, start, end);
    if (input < 0) return undefined;
    const inputEnd = endOfNested(bytes, input, end);
    this.at = BEHIND_CALL.match(bytes, inputEnd, end);
    if (this.at < 0) return undefined;
    return {
      type: 'tool_use',
      id: CALL.string(bytes, 0),
      name: CALL.string(bytes, 1),
      input: parsed(bytes.toString('utf8', input, inputEnd)),
    };
  }
}

function endOfReplyHead(bytes: Buffer, start: number, end: number): number {
  for (const reply of REPLIES) {
    const at = reply.match(bytes, start, end);
    // `<synthetic>` is no model.
    if (at >= 0) return reply.from.some((from) => bytes[from] === LESS_THAN) ? -1 : at;
  }
  return -1;
}

function rowOf(type: string, uuid: string, timestamp: string, content: unknown): JsonRecord {
  return { type, uuid, timestamp, isSidechain: false, message: { content } };
}
