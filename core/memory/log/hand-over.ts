/**
 * What the next session needs to go on where the last one stopped (M13): out of its L1 the last
 * request, what was being done, and the files that were touched.
 */
import type { L1Entry, SpokenEntry, ToolEntry } from './l1-refine.ts';
import { isTaskCall, taskList } from './task-list.ts';

export interface HandOver {
  lastRequest: string;
  lastAnswer: string;
  /** Newest first. */
  files: string[];
  commands: string[];
  /** The newest plan or list of what is to be done; empty if there was none. */
  plan: string;
}

const MAX_REQUEST_CHARS = 2000;
const MAX_ANSWER_CHARS = 1500;
const MAX_FILES = 30;
const MAX_COMMANDS = 8;
const FILE_TOOLS = new Set(['Edit', 'MultiEdit', 'Write', 'Read', 'NotebookEdit']);

export function handOver(entries: readonly L1Entry[]): HandOver | undefined {
  const spoken = entries.filter((entry) => !isLocalCommand(entry) && !isOfClaudeCode(entry));
  const said = (role: 'user' | 'assistant') => spoken.findLast((entry) => entry.role === role);
  const request = spoken.findLast(isRequest) ?? said('user');
  if (request === undefined || !('text' in request)) return undefined;
  const answer = said('assistant');
  const calls = entries.filter((entry) => entry.role === 'tool').reverse();
  return {
    lastRequest: cut(request.text, MAX_REQUEST_CHARS),
    lastAnswer: answer !== undefined && 'text' in answer ? cut(answer.text, MAX_ANSWER_CHARS) : '',
    files: newest(
      calls.flatMap((call) => (FILE_TOOLS.has(call.name) ? [call.cmd] : [])),
      MAX_FILES,
    ),
    commands: newest(
      calls.flatMap((call) => (call.name === 'Bash' ? [firstLine(call.cmd)] : [])),
      MAX_COMMANDS,
    ),
    plan: planAsItStands([...calls].reverse()),
  };
}

/** A plan that was put forward, or the list of tasks: whichever was touched last. */
function planAsItStands(calls: readonly ToolEntry[]): string {
  const last = calls.findLast((call) => isTaskCall(call) || call.isPlan === true);
  if (last === undefined) return '';
  return isTaskCall(last) ? taskList(calls) : last.cmd;
}

/** What was answered to a question of Claude ("the blue one") says nothing by itself. */
export function isRequest(entry: L1Entry): entry is SpokenEntry {
  return entry.role === 'user' && entry.isAnswer !== true;
}

/** `/clear` itself is not what the user wanted done. */
export function isLocalCommand(entry: L1Entry): boolean {
  return 'text' in entry && /^[/!]\S*$/.test(entry.text.trim());
}

/** In Claude's place, when a request failed. */
function isOfClaudeCode(entry: L1Entry): boolean {
  return (
    entry.role === 'assistant' && /^(?:Prompt is too long|API Error: \d{3}\b)/.test(entry.text)
  );
}

function newest(values: readonly string[], limit: number): string[] {
  return [...new Set(values)].slice(0, limit);
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}…`;
}
