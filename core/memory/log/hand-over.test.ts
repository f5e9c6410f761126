import { expect, it } from 'vitest';
import { handOver, taskList } from './hand-over.ts';
import type { L1Entry, ToolEntry } from './l1-refine.ts';

let count = 0;
const tool = (name: string, cmd: string, output = ''): ToolEntry => ({
  id: `t${++count}`,
  ts: '',
  role: 'tool',
  name,
  cmd,
  output,
});
const create = (number: number, subject: string) =>
  tool('TaskCreate', subject, `Task #${number} created successfully: ${subject}`);
const update = (taskId: string, status: string) =>
  tool('TaskUpdate', JSON.stringify({ taskId, status }), `Updated task #${taskId}`);

it('M13 rebuilds the current task list', () => {
  const entries = [
    create(1, 'Write the test'),
    create(2, 'Mend the form'),
    create(3, '문서를 고친다'),
    create(4, 'Not needed'),
    update('1', 'completed'),
    update('2', 'in_progress'),
    update('4', 'deleted'),
    update('9', 'completed'),
    tool('TaskUpdate', '{"taskId": "3", "stat…'),
    tool('TaskCreate', 'refused', 'InputValidationError'),
  ];
  expect(taskList(entries)).toBe(
    '[x] Write the test\n[ ] Mend the form (in progress)\n[ ] 문서를 고친다',
  );
});

it('L1b M13 knows tasks as they are told now, too', () => {
  const entries = [
    tool('TaskCreate', 'Write the test', 'Task #1 created'),
    tool('TaskCreate', 'Mend the form', 'Task #2 created'),
    tool('TaskUpdate', '#1 completed'),
    tool('TaskUpdate', '#2'),
  ];
  expect(taskList(entries)).toBe('[x] Write the test\n[ ] Mend the form');
});

it('L1b M13 says of a command that failed why it did', () => {
  const request: L1Entry = { id: 'u', ts: '', role: 'user', text: 'go' };
  const failed = (cmd: string, output: string, more = {}): ToolEntry => ({
    ...{ ...tool('Bash', cmd, output), isError: true },
    ...more,
  });
  const entries = [
    request,
    tool('Bash', 'ls', 'error: none'),
    failed('npm test', 'Exit code 1\n…\nError: no such table\n1 failed'),
    failed('false', 'Exit code 1'),
    failed('rm -r db', "The user doesn't want to proceed.", { isRefused: true }),
  ];
  expect(handOver(entries)?.commands).toEqual([
    'rm -r db',
    'false (failed)',
    'npm test (failed: Error: no such table)',
    'ls',
  ]);
});

it('M13 leaves finished tasks out of a long list', () => {
  const entries = Array.from({ length: 100 }, (_, index) =>
    create(index, `Task with a rather long subject, ${index}`),
  );
  const done = Array.from({ length: 97 }, (_, index) => update(String(index), 'completed'));
  expect(taskList([...entries, ...done]).split('\n')).toHaveLength(3);
});

it('M13 hands over the plan or the tasks, whichever was touched last', () => {
  const request: L1Entry = { id: 'u', ts: '', role: 'user', text: 'go' };
  const plan: L1Entry = {
    id: 'p',
    ts: '',
    role: 'tool',
    name: 'TodoWrite',
    cmd: '[ ] the plan',
    output: '',
    isPlan: true,
  };
  expect(handOver([request, create(1, 'a task'), plan])?.plan).toBe('[ ] the plan');
  expect(handOver([request, plan, create(1, 'a task')])?.plan).toBe('[ ] a task');
  expect(handOver([request])?.plan).toBe('');
});
