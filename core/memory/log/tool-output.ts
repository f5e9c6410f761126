/**
 * Tells what came of a tool call (L1b): of a failure the lines that say why, wherever they stand; of
 * a command's success its first and last lines; of a file that was read its first lines with code or
 * words; of other tools the beginning. What every such call answers ("has been updated") is dropped.
 */
import { cleanHead, LOOK_AHEAD_CHARS, maySpanLines, type Redact } from './clean-cut.ts';

export interface ToolResult {
  text: string;
  isError: boolean;
}

const MAX_SUCCESS_CHARS = 300;
/** Of a longer output of a command: its first and its last lines. */
const MAX_FIRST_CHARS = 90;
const MAX_LAST_CHARS = 200;
const MAX_FOUND_CHARS = 200;
const MAX_READ_CHARS = 400;
const MAX_REPORT_CHARS = 700;
const MAX_FAILURE_CHARS = 700;
const MAX_LINE_CHARS = 200;
/** A failure up to this length is redacted as a whole; of a longer one only lines that may be kept. */
const MAX_WHOLE_CHARS = 32 * 1024;
const MAX_SCANNED_CHARS = 256 * 1024;

/**
 * How much of a success the reader must pass on. Three of four outputs of commands are shorter; of
 * longer ones only the beginning is known. Failures it must pass on as a whole.
 */
export const OUTPUT_CHARS = 1024 + LOOK_AHEAD_CHARS;

/** What these tools say of a success tells nothing that the call does not tell. */
const SILENT_TOOLS = new Set(
  `Edit EnterPlanMode MultiEdit NotebookEdit NotebookRead Skill TaskUpdate TodoWrite Write`.split(
    ' ',
  ),
);
/** What they found is long, and found again by the same call. */
const FINDING_TOOLS = new Set(['Grep', 'Glob', 'LS', 'ToolSearch']);
/** What they report is found nowhere else. */
const REPORTING_TOOLS = new Set(['Agent', 'Task', 'TaskList', 'TaskOutput', 'WebFetch']);
const COMMAND_TOOLS = new Set(['Bash', 'BashOutput', 'PowerShell']);

/** Whether a success of this tool is told at all: else nobody needs to read it. */
export function tellsOutput(name: string): boolean {
  return !SILENT_TOOLS.has(name);
}

export function toldOutput(name: string, result: ToolResult, redact: Redact): string {
  const { isError } = result;
  if (!isError && SILENT_TOOLS.has(name)) return '';
  const text = result.text.trim();
  if (text === '' || NO_OUTPUT.test(text)) return '';
  if (isError) return failure(text.replace(REPEATED_CALL, '$1').replace(KNOWN_WORDS, ''), redact);
  if (name === 'Read') return linesRead(text, redact);
  if (FINDING_TOOLS.has(name)) return plain(cleanHead(text, MAX_FOUND_CHARS, redact));
  if (REPORTING_TOOLS.has(name))
    return plain(cleanHead(text.replace(TASK_TAGS, ''), MAX_REPORT_CHARS, redact));
  if (COMMAND_TOOLS.has(name) && text.length > MAX_SUCCESS_CHARS) {
    // The reader may have cut it: then its end is not known.
    const isWhole = result.text.length < OUTPUT_CHARS;
    return isWhole ? endsOf(text, redact) : plain(cleanHead(text, MAX_SUCCESS_CHARS, redact));
  }
  const shown = plain(cleanHead(text, MAX_SUCCESS_CHARS, redact));
  return FIRST_SENTENCE.get(name)?.exec(shown)?.[0] ?? shown;
}

const NO_OUTPUT = /^\((?:Bash|PowerShell) completed with no output\)$|^\(no content\)$/i;
/** Claude Code's own words around the answer of an agent in the background. */
const TASK_TAGS = /^(?:<(retrieval_status|task_id|task_type)>[^<\n]*<\/\1>\s*)+/;
/** What follows repeats the call, or tells Claude how to go on. */
const FIRST_SENTENCE = new Map([
  ['ExitPlanMode', /^User has approved your plan/],
  ['TaskCreate', /^Task #\w+ created/],
]);

/** The text that an edit did not find stands in the call. */
const REPEATED_CALL = /^(<tool_use_error>[^\n]*)\nString: [\s\S]*/;
/** Told to Claude with every refusal. */
const KNOWN_WORDS =
  / The tool use was rejected \(eg\. if it was a file edit, the new_string was NOT written to the file\)\.| STOP what you are doing and wait for the user to tell you how to proceed\.|\n\nNote: The user's next message may contain a correction or preference\.[\s\S]*/g;

const LINE_NUMBER = /^ *\d+(?:→|\t)/;
/** Imports, comments, brackets: what a file begins with and what tells nothing of its own. */
const TELLS_NOTHING =
  /^(?:import\b|from\s|package\s|use\s|using\s|#include|#!|\/[/*]|\*|"[^"]*"[,)]?$|\W*$)/;

/** What the file has in it, so that whoever goes on knows it without reading it again. */
function linesRead(text: string, redact: Redact): string {
  const lines = text.split('\n').map((line) => line.replace(LINE_NUMBER, '').trim());
  const telling = lines.filter((line) => !TELLS_NOTHING.test(line));
  return plain(cleanHead(telling.join('\n'), MAX_READ_CHARS, redact));
}

/** The beginning says what it is, the end what came of it. */
function endsOf(text: string, redact: Redact): string {
  const clean = plain(redact(text));
  if (clean.length <= MAX_SUCCESS_CHARS) return clean;
  const lineEnd = clean.lastIndexOf('\n', MAX_FIRST_CHARS);
  const first = clean.slice(0, lineEnd > 0 ? lineEnd : MAX_FIRST_CHARS);
  const lineStart = clean.indexOf('\n', clean.length - MAX_LAST_CHARS) + 1;
  return `${first}\n…\n${clean.slice(lineStart > 0 ? lineStart : -MAX_LAST_CHARS)}`;
}

function failure(text: string, redact: Redact): string {
  if (text.length <= MAX_WHOLE_CHARS) return shortFailure(plain(redact(text)));
  if (maySpanLines(text)) return plain(cleanHead(text, MAX_FAILURE_CHARS, redact));
  const half = MAX_SCANNED_CHARS / 2;
  const scanned =
    text.length <= MAX_SCANNED_CHARS ? text : `${text.slice(0, half)}\n${text.slice(-half)}`;
  return shortFailure(plain(redact(tellingLines(scanned.split('\n'), 4 * MAX_FAILURE_CHARS))));
}

function shortFailure(text: string): string {
  return text.length <= MAX_FAILURE_CHARS
    ? text
    : tellingLines(text.split('\n'), MAX_FAILURE_CHARS);
}

/** The line by itself says that something failed: an error with its words, or a place in a file. */
const SURE_ERROR =
  /\b(?:error|fatal|panic|exception|traceback)\b.{0,40}:|\w(?:Error|Exception)\b|^\s*(?:FAIL|ERROR|not ok|--- FAIL|E {2}|[✗✖✘×●])|\.\w{1,5}(?::\d+|\(\d+,\d+\)|", line \d+)|command not found|No such file|permission denied/i;
const MAYBE_ERROR =
  /\b(?:errors?|fail(?:ed|ures?|s|ing)?|fatal|cannot|can't|could not|couldn't|unable|undefined|unexpected|unknown|invalid|missing|mismatch|denied|refused|rejected|timed? ?out|not found|expected|received|actual|got|want|killed|aborted|conflict)\b/i;
/** Of a stack, only its end is worth the room. */
const NO_ERROR =
  /\b(?:0|no) (?:errors?|fail(?:ed|ures?)?|problems|issues)\b|^\s*(?:ok|PASS|[✓✔√]|at|File)\s|\b(?:INFO|DEBUG)\b/;
const EXIT_CODE = /^(?:Exit code \d+|Error: Exit code \d+)/;

/** Lines that tell why, in their order, with `…` for what is left out. The last line is kept too. */
function tellingLines(all: readonly string[], limit: number): string {
  const lines = all.map((line) => line.trimEnd()).filter((line) => line.trim() !== '');
  const excerpt = new Excerpt(lines, limit);
  const last = lines.length - 1;
  if (EXIT_CODE.test(lines[0] ?? '')) excerpt.keep(0);
  // A traceback ends with its error; where it arose stands before it.
  excerpt.keepLast(SURE_ERROR.test(lines[last] ?? '') ? 3 : 1);
  const { size } = excerpt;
  for (const pattern of [SURE_ERROR, MAYBE_ERROR])
    for (const [at, line] of lines.entries()) if (isErrorLine(line, pattern)) excerpt.keep(at);
  if (excerpt.size === size) excerpt.keepLast(MAX_LAST_LINES);
  return excerpt.text;
}

/** If no line tells of an error, the last ones say most. */
const MAX_LAST_LINES = 8;

function isErrorLine(line: string, pattern: RegExp): boolean {
  const beginning = line.slice(0, MAX_LINE_CHARS);
  return pattern.test(beginning) && !NO_ERROR.test(beginning);
}

/** Lines of a text as far as there is room, each once. */
class Excerpt {
  readonly #lines: readonly string[];
  readonly #kept = new Set<number>();
  readonly #seen = new Set<string>();
  #room: number;

  constructor(lines: readonly string[], limit: number) {
    this.#lines = lines;
    this.#room = limit;
  }

  get size(): number {
    return this.#kept.size;
  }

  keepLast(count: number): void {
    for (let back = 1; back <= count; back++) this.keep(this.#lines.length - back);
  }

  keep(at: number): void {
    const line = (this.#lines[at] ?? '').trim().slice(0, MAX_LINE_CHARS);
    if (line === '' || this.#seen.has(line) || line.length > this.#room) return;
    this.#room -= line.length + 2;
    this.#kept.add(at);
    this.#seen.add(line);
  }

  get text(): string {
    let before = -1;
    const shown = [...this.#kept].sort((a, b) => a - b);
    return shown
      .map((at) => {
        const line = this.#lines[at] ?? '';
        const gap = at === before + 1 ? '' : '…\n';
        before = at;
        return line.length <= MAX_LINE_CHARS
          ? gap + line
          : `${gap}${line.trim().slice(0, MAX_LINE_CHARS)}…`;
      })
      .join('\n');
  }
}

/** Without colours, and without Claude Code's own words around what a tool said. */
function plain(text: string): string {
  const colourless = text.includes(ESCAPE) ? text.replace(COLOURS, '') : text;
  return colourless.includes('<')
    ? colourless.replace(REMINDER, '').replace(ERROR_TAG, '').trim()
    : colourless.trim();
}

const ESCAPE = '\x1b';
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const COLOURS = /\x1b\[[\d;?]*[A-Za-z]/g;
const REMINDER = /<system-reminder>[\s\S]*?(?:<\/system-reminder>|$)/g;
const ERROR_TAG = /<\/?(?:tool_use_error|persisted-output)>/g;
