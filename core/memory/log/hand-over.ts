/**
 * Finds in a session's L1 what a summary without a model is made of (M12, M16): the last request and
 * reply, the plan or task list, and the files and commands of the work.
 */
import { parseJson } from '../../platform/store/attempt.ts';
import { isRecord, stringAt } from '../../platform/text/json.ts';
import type { L1Entry, SpokenEntry, ToolEntry } from './l1-refine.ts';

export interface HandOver {
  lastRequest: string;
  lastReply: string;
  /** Newest first. */
  files: string[];
  commands: string[];
  /** The newest plan or task list; empty if there was none. */
  plan: string;
}

const MAX_REQUEST_CHARS = 2000;
const MAX_REPLY_CHARS = 1500;
const MAX_PLAN_CHARS = 2000;
const MAX_REASON_CHARS = 160;
const MAX_FILES = 30;
const MAX_COMMANDS = 8;
const FILE_TOOLS = new Set(['Edit', 'MultiEdit', 'Write', 'Read', 'NotebookEdit']);

export function handOver(entries: readonly L1Entry[]): HandOver | undefined {
  const spoken = entries
    .filter((entry) => entry.role !== 'tool')
    .filter((entry) => !isLocalCommand(entry) && !isOfClaudeCode(entry));
  const request = spoken.findLast(isRequest) ?? spoken.findLast((entry) => entry.role === 'user');
  if (request === undefined) return undefined;
  const reply = spoken.findLast((entry) => entry.role === 'assistant');
  const calls = entries.filter((entry) => entry.role === 'tool');
  const files = calls.flatMap(({ name, cmd }) => (FILE_TOOLS.has(name) ? [cmd] : []));
  const commands = calls.flatMap((call) => (call.name === 'Bash' ? [commandText(call)] : []));
  return {
    lastRequest: cut(request.text, MAX_REQUEST_CHARS),
    lastReply: cut(reply?.text ?? '', MAX_REPLY_CHARS),
    files: newest(files, MAX_FILES),
    commands: newest(commands, MAX_COMMANDS),
    plan: currentPlan(calls),
  };
}

/** Of one that failed also the first line that says why. */
function commandText({ cmd, output, isError, isRefused }: ToolEntry): string {
  const [command = ''] = cmd.split('\n');
  if (!isError || isRefused) return command;
  const why = output.split('\n').find((line) => !/^(?:Exit code \d+|…|\s*)$/.test(line)) ?? '';
  return `${command} (failed${why === '' ? '' : `: ${cut(why.trim(), MAX_REASON_CHARS)}`})`;
}

/** A plan or the task list: whichever was touched last. */
export function currentPlan(calls: readonly ToolEntry[]): string {
  const last = calls.findLast((call) => isTaskCall(call) || call.isPlan === true);
  if (last === undefined) return '';
  return isTaskCall(last) ? taskList(calls) : cut(last.cmd, MAX_PLAN_CHARS);
}

/** A user's answer to a question of Claude ("the blue one") says nothing by itself. */
export function isRequest(entry: L1Entry): entry is SpokenEntry {
  return entry.role === 'user' && entry.isAnswer !== true;
}

/** `/clear` itself is no request. */
export function isLocalCommand(entry: L1Entry): boolean {
  return 'text' in entry && /^[/!]\S*$/.test(entry.text.trim());
}

/** Claude Code's own words, when a request failed. */
export function isOfClaudeCode(entry: L1Entry): boolean {
  return (
    entry.role === 'assistant' && /^(?:Prompt is too long|API Error: \d{3}\b)/.test(entry.text)
  );
}

/** Newest first. */
function newest(values: readonly string[], limit: number): string[] {
  return [...new Set(values.toReversed())].slice(0, limit);
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}…`;
}

interface Task {
  subject: string;
  status: string;
}

function isTaskCall({ name }: ToolEntry): boolean {
  return name === 'TaskCreate' || name === 'TaskUpdate';
}

/** One line for each task; if that is too long, finished tasks are left out. */
export function taskList(calls: readonly ToolEntry[]): string {
  const tasks = new Map<string, Task>();
  for (const { name, cmd, output } of calls.filter(isTaskCall)) {
    if (name === 'TaskCreate') createTask(tasks, cmd, output);
    else updateTask(tasks, cmd);
  }
  const all = [...tasks.values()];
  const text = taskLines(all);
  return text.length <= MAX_PLAN_CHARS
    ? text
    : taskLines(all.filter(({ status }) => status !== 'completed'));
}

/** Claude Code answers `Task #1 created successfully: …`. */
function createTask(tasks: Map<string, Task>, subject: string, answer: string): void {
  const [, id] = /^Task #(\w+) created/.exec(answer) ?? [];
  if (id !== undefined) tasks.set(id, { subject, status: 'pending' });
}

/** `#1 completed`; earlier versions kept `{"taskId": "1", "status": "completed"}`, maybe cut short. */
function updateTask(tasks: Map<string, Task>, told: string): void {
  const [, id, status] = /^#(\S+)(?: (\w+))?/.exec(told) ?? updateIn(told);
  const task = tasks.get(id ?? '');
  if (status === 'deleted') tasks.delete(id ?? '');
  else if (task !== undefined && status !== undefined) task.status = status;
}

function updateIn(json: string): (string | undefined)[] {
  const update = parseJson(json);
  return isRecord(update) ? [json, String(update.taskId), stringAt(update, 'status')] : [];
}

function taskLines(tasks: readonly Task[]): string {
  return tasks
    .map(({ subject, status }) => {
      const mark = status === 'completed' ? '[x]' : '[ ]';
      return `${mark} ${subject}${status === 'in_progress' ? ' (in progress)' : ''}`;
    })
    .join('\n');
}
