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
import {
  type IsEnough,
  likely,
  type Names,
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
const OBJECT_END = 0x7d;
const BACKSLASH = 0x5c;
/** How the names of `isMeta`, `isApiErrorMessage` and the like begin. */
const MARK = Buffer.from('"is');
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** A tool result is cut at the first blank after `resultChars` characters. */
export function spokenRows(lines: Buffer, resultChars: number): SpokenRow[] {
  if (lastReader?.resultChars !== resultChars) lastReader = new RowReader(resultChars);
  const reader = lastReader;
  reader.lines = lines;
  const rows: SpokenRow[] = [];
  const mark = lines.subarray(0, BYTE_ORDER_MARK.length);
  let start = mark.equals(BYTE_ORDER_MARK) ? mark.length : 0;
  while (start < lines.length) {
    const newline = lines.indexOf(NEWLINE, start);
    const next = newline < 0 ? lines.length : newline;
    const end = lines[next - 1] === RETURN ? next - 1 : next;
    if (start < end) reader.line(start, end, rows);
    start = next + 1;
  }
  reader.lines = NOTHING;
  return rows;
}

/** A long transcript is read in many pieces: what is wanted of its rows is told once. */
let lastReader: RowReader | undefined;
const NOTHING = Buffer.alloc(0);

const SPEAKING_TYPES = new Set(['user', 'assistant', 'attachment', 'system', 'queue-operation']);
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

class RowReader {
  lines: Buffer = NOTHING;
  readonly resultChars: number;
  readonly #wanted: Names<Wanted>;
  readonly #reader = new WantedReader();
  #end = 0;
  /** The rest of the row was left unread. */
  #isLeft = false;
  #canJump = false;

  constructor(resultChars: number) {
    this.resultChars = resultChars;
    this.#wanted = wantedOfRow(resultChars, this.#hasWords);
  }

  /** Adds the rows of a line that may say something: one at most, as a rule. */
  line(start: number, end: number, rows: SpokenRow[]): void {
    const json = this.#quickly(start, end) ?? this.#read(start, end, this.#isEnough);
    if (json === undefined) this.#gluedRows(start, end, rows);
    else if (!isSilent(json)) {
      this.#spoken(json, start, end, rows);
      if (!this.#isLeft && !this.#reader.isAtEnd) this.#gluedRows(this.#reader.at, end, rows);
    } else if (this.#isGlued(end)) this.#gluedRows(start, end, rows);
  }

  /** A reply without its figures: undefined if that cannot be read for certain. */
  #quickly(start: number, end: number): JsonRecord | undefined {
    this.#canJump = true;
    const json = this.#read(start, end, this.#isEnough);
    const hasJumped = !this.#canJump;
    this.#canJump = false;
    if (json === undefined || !hasJumped) return json;
    return json.type === 'assistant' && json.uuid !== undefined && json.timestamp !== undefined
      ? json
      : undefined;
  }

  /**
   * Behind Claude's words a reply has its figures, and then fields without any brace. If what is
   * left out names no field that tells of Claude Code, the reader goes on behind the last brace.
   */
  readonly #hasWords: IsEnough = (message, next) => {
    if (!this.#canJump || next !== undefined || !('content' in message && 'model' in message))
      return false;
    const { at } = this.#reader;
    const last = this.lines.lastIndexOf(OBJECT_END, this.#end - 2);
    if (last < at) return false;
    const left = this.lines.subarray(at, last);
    if (left.includes(MARK) || left.includes(BACKSLASH)) return false;
    this.#canJump = false;
    this.#reader.endOfInner = last + 1;
    return true;
  };

  /** Whether a row is glued to one that says nothing; a long prompt is not looked for. */
  #isGlued(end: number): boolean {
    const from = Math.max(this.#reader.at, end - GLUED_BYTES);
    return this.lines.subarray(from, end).includes(GLUE);
  }

  /** Two rows or more in one line, or what is left of them. */
  #gluedRows(start: number, end: number, rows: SpokenRow[]): void {
    for (let at = start; at < end; ) {
      const json = this.#read(at, end);
      const rowEnd = json === undefined ? this.#nextRow(at + 1, end) : this.#reader.at;
      if (json !== undefined && !isSilent(json)) this.#spoken(json, at, rowEnd, rows);
      at = rowEnd;
    }
  }

  #read(start: number, end: number, isEnough?: IsEnough): JsonRecord | undefined {
    this.#end = end;
    this.#isLeft = false;
    this.#reader.start(this.lines, start, end);
    try {
      return this.#reader.fields(this.#wanted, isEnough);
    } catch (error) {
      if (error instanceof NotJson) return undefined;
      throw error;
    }
  }

  #spoken(json: JsonRecord, start: number, end: number, rows: SpokenRow[]): void {
    const line = () => this.lines.toString('utf8', start, end);
    // Of what went wrong all is wanted: what the user said about it, what it cost.
    const row = hasError(json) || mayBeNotice(json) ? parseRow(line()) : spokenRowOf(json, line);
    if (!SILENT_KINDS.has(row.kind)) rows.push(row);
  }

  /** Whether what follows in the row cannot matter. */
  readonly #isEnough: IsEnough = (json, next) => {
    if (next === undefined) return isSilent(json);
    if (next !== HEAVY) return false;
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

/** As far as it is read. */
function isSilent({ type, subtype, isSidechain }: JsonRecord): boolean {
  if (isSidechain === true) return true;
  if (type === undefined || type === 'user' || type === 'assistant') return false;
  if (type === 'system')
    return subtype !== undefined && !SYSTEM_SUBTYPES.includes(subtype as string);
  return !SPEAKING_TYPES.has(type as string);
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
function wantedOfRow(resultChars: number, hasWords: IsEnough): Names<Wanted> {
  const whole = (names: string) =>
    Object.fromEntries(names.split(/\s+/).map((name) => [name, WHOLE]));
  const type = likely(...SPEAKING_TYPES, 'progress', 'text', 'thinking', 'tool_use', 'tool_result');
  const result = { chars: resultChars };
  const block = wantedFields({
    ...whole('text id input tool_use_id is_error'),
    type,
    name: likely(...COMMON_TOOLS),
    content: { ...result, items: { fields: wantedFields({ type, text: result }) } },
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
