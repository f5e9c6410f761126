/** Rebuilds Claude's list of tasks from the tool calls in L1, oldest first (M13). */

import { attempt } from '../../platform/store/attempt.ts';
import { isRecord } from '../../platform/text/json.ts';
import type { ToolEntry } from './l1-refine.ts';

const MAX_CHARS = 2000;

interface Task {
  subject: string;
  status: string;
}

export function isTaskCall({ name }: ToolEntry): boolean {
  return name === 'TaskCreate' || name === 'TaskUpdate';
}

/**
 * One line for each task, with a cross at what is done; empty if there are none. If it is too long,
 * what is done is left out.
 */
export function taskList(calls: readonly ToolEntry[]): string {
  const tasks = new Map<string, Task>();
  for (const { name, cmd, output } of calls.filter(isTaskCall)) {
    if (name === 'TaskCreate') create(tasks, cmd, output);
    else update(tasks, cmd);
  }
  const all = lines([...tasks.values()]);
  return all.length <= MAX_CHARS
    ? all
    : lines([...tasks.values()].filter(({ status }) => status !== 'completed'));
}

/** Claude Code answers `Task #1 created successfully: …`. */
function create(tasks: Map<string, Task>, subject: string, answer: string): void {
  const [, id] = /^Task #(\w+) created/.exec(answer) ?? [];
  if (id !== undefined) tasks.set(id, { subject, status: 'pending' });
}

/** `{"taskId": "1", "status": "completed"}` */
function update(tasks: Map<string, Task>, input: string): void {
  // cut short, or of another shape
  const told = attempt(() => JSON.parse(input) as unknown, undefined);
  const task = isRecord(told) ? tasks.get(String(told.taskId)) : undefined;
  if (task === undefined || !isRecord(told)) return;
  if (told.status === 'deleted') tasks.delete(String(told.taskId));
  else if (typeof told.status === 'string') task.status = told.status;
}

function lines(tasks: readonly Task[]): string {
  const mark = (status: string) => (status === 'completed' ? '[x]' : '[ ]');
  return tasks
    .map(
      ({ subject, status }) =>
        `${mark(status)} ${subject}${status === 'in_progress' ? ' (in progress)' : ''}`,
    )
    .join('\n');
}
