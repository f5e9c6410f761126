/**
 * Finds the rows of a transcript that may become L1 entries: prompts, replies, tool results, the
 * queue; and compactions, behind which some of these are written again. Rows of every version of Claude Code are read in the same way, whatever the order of their
 * fields: `wanted-json` picks what `rows` looks at, and steps over what L1 drops anyway, such as
 * most of a tool's result.
 *
 * Inside a JSON string every quote has a backslash before it, so `}{"` never stands in a line of one
 * row: it tells where a row was glued to one that had been left without its newline.
 */
import { isRecord, type JsonRecord } from '../../platform/text/json.ts';
import { parseRow, type SpokenRow, spokenRowOf } from './rows.ts';
import { TodaysRows } from './todays-rows.ts';
import {
  type IsEnough,
  isAt,
  likely,
  Names,
  NotJson,
  type Wanted,
  WantedReader,
  WHOLE,
  wantedFields,
} from './wanted-json.ts';
import { isLikeNotice, SYNTHETIC_MODEL } from './whose-words.ts';

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const GLUE = Buffer.from('}{"');
/** How far back from its end a line is searched: most rows say nothing, and some are huge. */
const GLUED_BYTES = 2048;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** How the names of `isMeta`, `isApiErrorMessage` and the like begin. */
const MARK = Buffer.from('"is');
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

export interface RowsWanted {
  /** A tool result is cut at the first blank after so many characters. */
  resultChars: number;
  /** Called for one row after the other, as they are read: none is kept meanwhile. */
  take: (row: SpokenRow) => void;
  /** Whether anybody wants to know what a call returned; asked when `take` has seen all rows before. */
  isResultWanted?: (toolUseId: string) => boolean;
}

export function spokenRows(lines: Buffer, resultChars: number): SpokenRow[] {
  const rows: SpokenRow[] = [];
  takeSpokenRows(lines, { resultChars, take: (row) => rows.push(row) });
  return rows;
}

export function takeSpokenRows(lines: Buffer, wanted: RowsWanted): void {
  const { resultChars } = wanted;
  if (lastReader?.resultChars !== resultChars) lastReader = new RowReader(resultChars);
  const reader = lastReader;
  reader.begin(lines, wanted);
  const mark = lines.subarray(0, BYTE_ORDER_MARK.length);
  let start = mark.equals(BYTE_ORDER_MARK) ? mark.length : 0;
  while (start < lines.length) {
    const newline = lines.indexOf(NEWLINE, start);
    const next = newline < 0 ? lines.length : newline;
    const end = lines[next - 1] === RETURN ? next - 1 : next;
    if (start < end) reader.line(start, end);
    start = next + 1;
  }
  reader.begin(NOTHING, TAKE_NOTHING);
}

/** A long transcript is read in many pieces: what is wanted of its rows is told once. */
let lastReader: RowReader | undefined;
const NOTHING = Buffer.alloc(0);
const TAKE_NOTHING: RowsWanted = { resultChars: 0, take: () => undefined };

const SPEAKING_TYPES = new Set(['user', 'assistant', 'attachment', 'system', 'queue-operation']);
const SPEAKING = new Names([...SPEAKING_TYPES].map((type) => [type, type] as const));
const TYPE_FIRST = Buffer.from('{"type":"');
const SILENT_KINDS = new Set(['other', 'note']);
const SYSTEM_SUBTYPES = ['local_command', 'compact_boundary'];
/** What a tool returned, as data: the largest part of most rows. */
const HEAVY = 'toolUseResult';
/** The fields of it that may hold words of the user. */
const OF_USER = ['"answers"', '"planWasEdited"'].map((field) => Buffer.from(field));
/** How the results of Claude Code's own tools begin; those of questions and plans do not. */
const FIRST_OF_OTHERS =
  /^(?:["[]|\{"(?:type|filePath|stdout|file|mode|filenames|oldTodos|bytes|query|status|isImage)")/;
const FIRST_NAME_CHARS = 16;
/** Every row that may speak has it. */
const TIME = '"timestamp"';
/** Where a row's last fields stand, if a row is glued to a torn one. */
const TAIL_BYTES = 1024;
/** Below it nothing is gained by leaving the rest of a row unread. */
const HEAVY_BYTES = 2048;

const SILENT = { type: 'none that speaks' };

class RowReader {
  lines: Buffer = NOTHING;
  readonly resultChars: number;
  readonly #wanted: Names<Wanted>;
  readonly #reader = new WantedReader();
  readonly #todays: TodaysRows;
  readonly #nextMark = new NextPlace(MARK);
  readonly #nextBackslash = new NextPlace(BACKSLASH);
  #take = TAKE_NOTHING.take;
  #isResultWanted: RowsWanted['isResultWanted'];
  #end = 0;
  /** The rest of the row was left unread. */
  #isLeft = false;
  #canJump = false;
  /** Behind Claude's words no field tells of Claude Code. */
  #isPlainReply = false;

  constructor(resultChars: number) {
    this.resultChars = resultChars;
    this.#todays = new TodaysRows(this.#charsOfResult);
    this.#wanted = wantedOfRow(resultChars, this.#charsOfResult, this.#hasWords);
  }

  begin(lines: Buffer, { take, isResultWanted }: RowsWanted): void {
    this.lines = lines;
    this.#nextMark.lines = lines;
    this.#nextBackslash.lines = lines;
    this.#take = take;
    this.#isResultWanted = isResultWanted;
  }

  /** Takes the rows of a line that may say something: one at most, as a rule. */
  line(start: number, end: number): void {
    const json = this.#isOfSilentType(start, end) ? SILENT : this.#json(start, end);
    if (json === undefined) this.#gluedRows(start, end);
    else if (!isSilent(json)) {
      this.#spoken(json, start, end);
      if (!this.#isLeft && !this.#reader.isAtEnd) this.#gluedRows(this.#reader.at, end);
    } else if (this.#isGlued(start, end)) this.#gluedRows(start, end);
  }

  /** Whether the first field says that the row is none that speaks, as it does in most rows. */
  #isOfSilentType(start: number, end: number): boolean {
    const { lines } = this;
    if (!isAt(lines, start, TYPE_FIRST)) return false;
    const from = start + TYPE_FIRST.length;
    let to = from;
    while (to < end && lines[to] !== QUOTE && lines[to] !== BACKSLASH) to++;
    return lines[to] === QUOTE && SPEAKING.at(lines, from, to) === undefined;
  }

  #json(start: number, end: number): JsonRecord | undefined {
    return (
      this.#today(start, end) ?? this.#quickly(start, end) ?? this.#read(start, end, this.#isEnough)
    );
  }

  /** A row whose fields stand in today's order: what is left of it is read as in any other. */
  #today(start: number, end: number): JsonRecord | undefined {
    return this.#ifJson(end, () => {
      const json = this.#todays.read(this.lines, start, end);
      if (json === undefined) return undefined;
      this.#isLeft = this.#todays.isEnough;
      if (this.#isLeft) return json;
      this.#reader.start(this.lines, this.#todays.at, end);
      return this.#reader.rest(this.#wanted, json, this.#isEnough);
    });
  }

  /** An error is read as a whole, later. */
  readonly #charsOfResult = ({ tool_use_id: id }: JsonRecord): number =>
    typeof id === 'string' && this.#isResultWanted?.(id) === false ? 0 : this.resultChars;

  /** A reply without its figures: undefined if that cannot be read for certain. */
  #quickly(start: number, end: number): JsonRecord | undefined {
    this.#canJump = true;
    this.#isPlainReply = false;
    const json = this.#read(start, end, this.#isEnough);
    const hasJumped = !this.#canJump;
    this.#canJump = false;
    this.#isPlainReply = false;
    if (json === undefined || !hasJumped) return json;
    return json.type === 'assistant' && json.uuid !== undefined && json.timestamp !== undefined
      ? json
      : undefined;
  }

  /**
   * Behind Claude's words a reply has its figures, and then fields without any brace. If what is
   * left out names no field that tells of Claude Code, the reader goes on behind the last brace; and
   * if no field behind that does, it stops at the row's id and time.
   */
  readonly #hasWords: IsEnough = (message, _, isRead) => {
    if (!this.#canJump || !isRead || !('content' in message && 'model' in message)) return false;
    const { at } = this.#reader;
    const last = this.lines.lastIndexOf(OBJECT_END, this.#end - 2);
    if (last < at) return false;
    const mark = this.#nextMark.from(at);
    if (mark < last || this.#nextBackslash.from(at) < last) return false;
    this.#canJump = false;
    this.#isPlainReply = mark >= this.#end && this.lines[this.#end - 1] === OBJECT_END;
    this.#reader.endOfInner = last + 1;
    return true;
  };

  /** Whether a row is glued to one that says nothing; a long prompt is not looked for. */
  #isGlued(start: number, end: number): boolean {
    if (this.lines.lastIndexOf(OBJECT, end - 1) === start) return false;
    const from = Math.max(start, end - GLUED_BYTES);
    return this.lines.subarray(from, end).includes(GLUE);
  }

  /** Two rows or more in one line, or what is left of them. */
  #gluedRows(start: number, end: number): void {
    for (let at = start; at < end; ) {
      const json = this.#read(at, end);
      const rowEnd = json === undefined ? this.#nextRow(at + 1, end) : this.#reader.at;
      if (json !== undefined && !isSilent(json)) this.#spoken(json, at, rowEnd);
      at = rowEnd;
    }
  }

  #read(start: number, end: number, isEnough?: IsEnough): JsonRecord | undefined {
    return this.#ifJson(end, () => {
      this.#reader.start(this.lines, start, end);
      return this.#reader.fields(this.#wanted, isEnough);
    });
  }

  #ifJson(end: number, read: () => JsonRecord | undefined): JsonRecord | undefined {
    this.#end = end;
    this.#isLeft = false;
    try {
      return read();
    } catch (error) {
      if (error instanceof NotJson) return undefined;
      throw error;
    }
  }

  #spoken(json: JsonRecord, start: number, end: number): void {
    const line = () => this.lines.toString('utf8', start, end);
    // Of what went wrong all is wanted: what the user said about it, what it cost.
    const row = hasError(json) || mayBeNotice(json) ? parseRow(line()) : spokenRowOf(json, line);
    if (!SILENT_KINDS.has(row.kind)) this.#take(row);
  }

  /** Whether what follows in the row cannot matter. */
  readonly #isEnough: IsEnough = (json, field, isRead) => {
    if (isRead) {
      if (this.#isPlainReply && isKnownReply(json)) this.#isLeft = true;
      return this.#isLeft || (TELL_SILENCE.has(field) && isSilent(json));
    }
    if (field !== HEAVY) return false;
    this.#isLeft = isPlainResult(json) && this.#isNothingBehind(this.#reader.at);
    return this.#isLeft;
  };

  /** Whether a long rest of the row has neither answers of the user nor another row in it. */
  #isNothingBehind(from: number): boolean {
    if (this.#end - from < HEAVY_BYTES) return false;
    const tailFrom = Math.max(from, this.#end - TAIL_BYTES);
    const tail = this.lines.toString('latin1', tailFrom, this.#end);
    if (tail.includes(TIME) || !tail.endsWith('}')) return false;
    const first = this.lines.toString('latin1', from, from + FIRST_NAME_CHARS);
    if (FIRST_OF_OTHERS.test(first)) return true;
    const rest = this.lines.subarray(from, this.#end);
    return !OF_USER.some((field) => rest.includes(field));
  }

  /** A row was torn; where another one may begin behind it. */
  #nextRow(from: number, end: number): number {
    const places = ROW_STARTS.map((start) => this.lines.indexOf(start, from));
    return Math.min(end, ...places.filter((place) => place >= 0));
  }
}

const ROW_STARTS = ['{"parentUuid":', '{"type":"'].map((start) => Buffer.from(start));

/** Where something stands next, looked for once however often it is asked. */
class NextPlace {
  readonly #what: Buffer | number;
  #lines: Buffer = NOTHING;
  #from = 0;
  #place = 0;

  constructor(what: Buffer | number) {
    this.#what = what;
  }

  set lines(lines: Buffer) {
    this.#lines = lines;
    this.#from = 0;
    this.#place = -1;
  }

  /** At or behind `from`; endless if it stands nowhere. */
  from(from: number): number {
    if (from < this.#from || from > this.#place) {
      const place = this.#lines.indexOf(this.#what, from);
      this.#from = from;
      this.#place = place < 0 ? Number.POSITIVE_INFINITY : place;
    }
    return this.#place;
  }
}

function isKnownReply({ type, uuid, timestamp, isSidechain }: JsonRecord): boolean {
  return (
    type === 'assistant' && uuid !== undefined && timestamp !== undefined && isSidechain === false
  );
}

/** The fields that `isSilent` looks at. */
const TELL_SILENCE = new Set(['type', 'subtype', 'isSidechain', 'attachment']);

/** As far as it is read. */
function isSilent({ type, subtype, isSidechain, attachment }: JsonRecord): boolean {
  if (isSidechain === true) return true;
  if (type === undefined || type === 'user' || type === 'assistant') return false;
  if (type === 'attachment') return isRecord(attachment) && !isQueued(attachment);
  if (type === 'system')
    return subtype !== undefined && !SYSTEM_SUBTYPES.includes(subtype as string);
  return !SPEAKING_TYPES.has(type as string);
}

/** Nothing else that is attached is anybody's word; undefined is not known yet. */
function isQueued({ type }: JsonRecord): boolean {
  return type === undefined || type === 'queued_command';
}

/** A tool's result without an error and without words beside it, in a row that is known so far. */
function isPlainResult({ type, uuid, timestamp, isSidechain, message }: JsonRecord): boolean {
  const isKnown =
    type === 'user' &&
    typeof uuid === 'string' &&
    typeof timestamp === 'string' &&
    isSidechain === false;
  if (!isKnown || !isRecord(message) || !Array.isArray(message.content)) return false;
  return message.content.every(
    (block) => isRecord(block) && block.type === 'tool_result' && block.is_error !== true,
  );
}

function hasError({ type, message }: JsonRecord): boolean {
  if (type !== 'user' || !isRecord(message) || !Array.isArray(message.content)) return false;
  return message.content.some((block) => isRecord(block) && block.is_error === true);
}

/** Whether Claude Code may speak in Claude's role: what the reply cost tells. */
function mayBeNotice({ type, message }: JsonRecord): boolean {
  if (type !== 'assistant' || !isRecord(message) || !Array.isArray(message.content)) return false;
  return message.content.some(
    (block) => isRecord(block) && typeof block.text === 'string' && isLikeNotice(block.text),
  );
}

const COMMON_TOOLS = 'Bash Edit Glob Grep Read Task TaskUpdate TodoWrite Write'.split(' ');

/** All that `spokenRowOf` looks at. */
function wantedOfRow(
  resultChars: number,
  charsOfResult: (block: JsonRecord) => number,
  hasWords: IsEnough,
): Names<Wanted> {
  const whole = (names: string) =>
    Object.fromEntries(names.split(/\s+/).map((name) => [name, WHOLE]));
  const type = likely(...SPEAKING_TYPES, 'progress', 'text', 'thinking', 'tool_use', 'tool_result');
  const result = { chars: resultChars };
  const block = wantedFields({
    ...whole('text id input tool_use_id is_error'),
    type,
    name: likely(...COMMON_TOOLS),
    content: {
      ...result,
      charsOf: charsOfResult,
      items: { fields: wantedFields({ type, text: result }) },
    },
  });
  return wantedFields({
    ...whole(`subtype uuid timestamp isSidechain isMeta isCompactSummary isVirtual
      isVisibleInTranscriptOnly turnCompanion promptSource origin sourceToolUseID content operation
      userFeedback toolDenialKind permissionDecision isApiErrorMessage`),
    type,
    message: {
      isEnough: hasWords,
      fields: wantedFields({
        model: { ...likely(SYNTHETIC_MODEL), onlyLikely: true },
        content: { items: { fields: block } },
      }),
    },
    attachment: { fields: wantedFields(whole('type prompt commandMode origin isMeta')) },
    [HEAVY]: {
      onlyFields: true,
      fields: wantedFields(whole('questions answers annotations response plan planWasEdited')),
    },
  });
}
