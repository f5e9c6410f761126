/**
 * Tells what a tool call was about (L1b): the file, command, pattern or question; what else says
 * something, such as a range or a filter; and what an edit changed. Knows the tools of Claude Code
 * by name; of others it takes the arguments that tell most.
 */
import { isRecord, type JsonRecord, numberAt, stringAt } from '../../platform/text/json.ts';
import { cleanHead, type Redact } from './clean-cut.ts';
import type { ProjectRoot } from './project-root.ts';
import { changeOf, type Replacement, writtenLines } from './tool-change.ts';

export interface CallTold {
  cmd: string;
  detail?: string;
  change?: string;
  isPlan?: true;
}

const MAX_COMMAND_CHARS = 500;
const MAX_DETAIL_CHARS = 600;
/** A plan is what the next session needs most; questions are compared with what the user answers. */
const MAX_PLAN_CHARS = 4000;
const MAX_QUESTION_CHARS = 2000;
const MAX_ARGUMENT_CHARS = 120;
const MAX_ARGUMENTS = 8;
/** Of a command that is longer, its description too. */
const PLAIN_COMMAND_CHARS = 100;

/** Before redaction and cutting. */
interface RawCall {
  cmd: string;
  most?: number;
  detail?: string;
  edits?: Replacement[];
  written?: string;
  isPlan?: true;
}

type Describe = (input: JsonRecord, root: ProjectRoot) => RawCall;

export function describeCall(
  name: string,
  input: JsonRecord,
  root: ProjectRoot,
  redact: Redact,
): CallTold {
  const describe = planIn(input) ?? (Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined);
  const known = describe?.(input, root);
  // A tool of that name with other arguments is not the one that we know.
  const raw = known === undefined || known.cmd === '' ? otherCall(input, root, redact) : known;
  const detail = cleanHead(raw.detail ?? '', MAX_DETAIL_CHARS, redact);
  const change =
    raw.written === undefined
      ? changeOf(raw.edits ?? [], redact)
      : writtenLines(raw.written, redact);
  return {
    cmd: cleanHead(raw.cmd, raw.most ?? MAX_COMMAND_CHARS, redact),
    ...(detail !== '' && { detail }),
    ...(change !== '' && { change }),
    ...(raw.isPlan && { isPlan: raw.isPlan }),
  };
}

const TOOLS: Record<string, Describe> = {
  Bash: (input, root) => {
    const command = text(input, 'command');
    const isPlain = command.length <= PLAIN_COMMAND_CHARS;
    return { cmd: root.withoutCd(command), detail: isPlain ? '' : text(input, 'description') };
  },
  Read: (input, root) => ({ cmd: root.path(text(input, 'file_path')), detail: rangeOf(input) }),
  Edit: (input, root) => ({
    cmd: root.path(text(input, 'file_path')),
    detail: input.replace_all === true ? 'all occurrences' : '',
    edits: [replacementOf(input)],
  }),
  MultiEdit: (input, root) => ({
    cmd: root.path(text(input, 'file_path')),
    edits: listAt(input, 'edits').map(replacementOf),
  }),
  Write: (input, root) => ({
    cmd: root.path(text(input, 'file_path')),
    detail: lineCount(text(input, 'content')),
    written: text(input, 'content'),
  }),
  NotebookEdit: (input, root) => ({
    cmd: root.path(text(input, 'notebook_path')),
    detail: words(text(input, 'edit_mode'), text(input, 'cell_id')),
    written: text(input, 'new_source'),
  }),
  Grep: (input, root) => ({ cmd: text(input, 'pattern'), detail: filtersOf(input, root) }),
  Glob: (input, root) => ({ cmd: text(input, 'pattern'), detail: filtersOf(input, root) }),
  Task: agentCall,
  Agent: agentCall,
  WebFetch: (input) => ({ cmd: text(input, 'url'), detail: text(input, 'prompt') }),
  WebSearch: (input) => ({ cmd: text(input, 'query') }),
  Skill: (input) => ({ cmd: words(text(input, 'skill'), text(input, 'args')) }),
  TaskCreate: (input) => ({ cmd: text(input, 'subject'), detail: text(input, 'description') }),
  TaskUpdate: (input) => ({
    cmd: words(`#${text(input, 'taskId')}`, text(input, 'status')),
    detail: words(text(input, 'subject'), text(input, 'description')),
  }),
  AskUserQuestion: (input) => {
    const questions = listAt(input, 'questions');
    return {
      cmd: questions.map(({ question }) => String(question)).join('\n'),
      most: MAX_QUESTION_CHARS,
      detail: questions.map(optionsOf).join('\n'),
    };
  },
};

/** A plan, or a to-do list with a cross at finished items. */
function planIn(input: JsonRecord): Describe | undefined {
  const plan =
    stringAt(input, 'plan') ?? (Array.isArray(input.todos) ? todoList(input) : undefined);
  return plan === undefined
    ? undefined
    : () => ({ cmd: plan, most: MAX_PLAN_CHARS, isPlan: true as const });
}

function todoList(input: JsonRecord): string {
  return listAt(input, 'todos')
    .map(({ status, content }) => {
      const mark = status === 'completed' ? 'x' : ' ';
      return `[${mark}] ${String(content ?? '')}${status === 'in_progress' ? ' (in progress)' : ''}`;
    })
    .join('\n');
}

function agentCall(input: JsonRecord): RawCall {
  const [agent, prompt] = [text(input, 'subagent_type'), text(input, 'prompt')];
  return { cmd: text(input, 'description'), detail: agent === '' ? prompt : `${agent}: ${prompt}` };
}

function replacementOf(input: JsonRecord): Replacement {
  return { before: text(input, 'old_string'), after: text(input, 'new_string') };
}

function rangeOf(input: JsonRecord): string {
  const [from = 1, count] = [countAt(input, 'offset'), countAt(input, 'limit')];
  if (typeof input.pages === 'string') return `pages ${input.pages}`;
  if (count !== undefined) return `lines ${from}-${from + count - 1}`;
  return from > 1 ? `from line ${from}` : '';
}

/** Older versions of Claude Code let the model pass numbers as text. */
function countAt(input: JsonRecord, field: string): number | undefined {
  const count = numberAt(input, field) ?? Number(stringAt(input, field) || Number.NaN);
  return Number.isSafeInteger(count) ? count : undefined;
}

function filtersOf(input: JsonRecord, root: ProjectRoot): string {
  const path = root.path(text(input, 'path'));
  const parts = [
    path === '' || path === '.' ? '' : `in ${path}`,
    text(input, 'glob'),
    text(input, 'type') && `type ${text(input, 'type')}`,
    input['-i'] === true ? 'any case' : '',
    text(input, 'output_mode') && `output_mode ${text(input, 'output_mode')}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function lineCount(content: string): string {
  let count = content === '' || content.endsWith('\n') ? 0 : 1;
  for (let at = content.indexOf('\n'); at >= 0; at = content.indexOf('\n', at + 1)) count++;
  return count === 1 ? '1 line' : `${count} lines`;
}

function optionsOf(question: JsonRecord): string {
  return listAt(question, 'options')
    .map((option) => text(option, 'label'))
    .filter((label) => label !== '')
    .join(' | ');
}

/** The argument that says most about a call of another tool: the first of these that it has. */
const TELLING_ARGUMENTS =
  'command file_path notebook_path filePath path pattern query url subject title name description prompt skill'.split(
    ' ',
  );

function otherCall(input: JsonRecord, root: ProjectRoot, redact: Redact): RawCall {
  const telling = TELLING_ARGUMENTS.find((argument) => text(input, argument) !== '');
  const others = Object.keys(input)
    .filter((name) => name !== telling)
    .slice(0, MAX_ARGUMENTS)
    .flatMap((name) => argumentText(name, input[name], redact));
  return telling === undefined
    ? { cmd: others.join(', ') }
    : { cmd: root.path(text(input, telling)), detail: others.join(', ') };
}

/** With its name, by which a password is known as one. Empty values tell nothing. */
function argumentText(name: string, value: unknown, redact: Redact): string[] {
  if (value === null || value === undefined || value === '' || value === false) return [];
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  return [cleanHead(`${name}: ${shown}`, MAX_ARGUMENT_CHARS, redact)];
}

function text(input: JsonRecord, field: string): string {
  return stringAt(input, field) ?? '';
}

function words(...parts: string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

function listAt(input: JsonRecord, field: string): JsonRecord[] {
  const list = input[field];
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
