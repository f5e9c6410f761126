/**
 * Where the work stands, in a few lines (K2): whether the newest request was answered, what Claude
 * was about to do, which checks passed and failed last, and what is open in the plan. Also the
 * failures that have not been seen to work since, and what is done for good.
 */
import { shorten } from '../../platform/text/sentences.ts';
import { currentPlan, isRequest } from '../log/hand-over.ts';
import type { L1Entry, ToolEntry } from '../log/l1-refine.ts';
import { type ChangedFile, changedFilesOf } from './changed-files.ts';
import { type Check, checkIn, isCutOff, isLook, outcomeOf, shortCall } from './commands.ts';
import { callLine, indented, inOneLine, isEdit } from './work-lines.ts';

export interface CheckRun extends Check {
  entry: ToolEntry;
  at: number;
}

export interface Plan {
  text: string;
  /** The user has asked for something else since. */
  isOlder: boolean;
  /** The user did not approve it as it is. */
  isRefused: boolean;
}

export interface State {
  entries: readonly L1Entry[];
  newest: L1Entry;
  files: ChangedFile[];
  /** The last run of each command, the newest first. */
  checks: CheckRun[];
  plan: Plan;
  outcomes: { at: number; text: string; isCommit: boolean }[];
}

export function stateOf(entries: readonly L1Entry[], newest: L1Entry): State {
  const runs = new Map<string, CheckRun>();
  const outcomes: State['outcomes'] = [];
  let lastPlan = -1;
  entries.forEach((entry, at) => {
    if (entry.role !== 'tool') return;
    const check = checkIn(entry);
    if (check !== undefined) {
      runs.delete(check.command);
      runs.set(check.command, { ...check, entry, at });
    }
    const text = outcomeOf(entry);
    if (text !== undefined) outcomes.push({ at, text, isCommit: text.startsWith('Committed') });
    if (isPlanCall(entry)) lastPlan = at;
  });
  const calls = entries.filter((entry) => entry.role === 'tool');
  const askedAt = entries.findLastIndex((entry) => isRequest(entry));
  return {
    entries,
    newest,
    files: changedFilesOf(entries),
    checks: withoutCovered([...runs.values()].reverse()),
    plan: {
      text: withDetails(currentPlan(calls), calls),
      isOlder: lastPlan < askedAt,
      isRefused: isRefused(entries[lastPlan]),
    },
    outcomes,
  };
}

const isRefused = (entry: L1Entry | undefined): boolean =>
  entry?.role === 'tool' && entry.isRefused === true;

export function isPlanCall({ name, isPlan }: ToolEntry): boolean {
  return isPlan === true || name === 'TaskCreate' || name === 'TaskUpdate' || name === 'TaskList';
}

const MAX_TASK_CHARS = 300;

/** Open tasks with what was noted of them when they were made; states as Claude's tool names them. */
function withDetails(plan: string, calls: readonly ToolEntry[]): string {
  const details = new Map(
    calls.flatMap(({ name, cmd, detail }) =>
      name === 'TaskCreate' && detail !== undefined ? [[cmd, detail] as const] : [],
    ),
  );
  return plan
    .split('\n')
    .map((line) => {
      const [, subject = '', state = ''] = /^\[ \] (.*?)( \(in progress\))?$/.exec(line) ?? [];
      const detail = inOneLine(details.get(subject) ?? '');
      if (subject === '') return line;
      const more = detail === '' ? '' : `: ${shorten(detail, MAX_TASK_CHARS)}`;
      return `[ ] ${subject}${state === '' ? '' : ' (in_progress)'}${more}`;
    })
    .join('\n');
}

/** What a later pass of the same or a broader check has shown is not told. */
function withoutCovered(newestFirst: readonly CheckRun[]): CheckRun[] {
  const shortest = new Map<string, number>();
  return newestFirst.filter(({ kinds, command, hasPassed }) => {
    const isCovered = kinds.every((kind) => (shortest.get(kind) ?? Infinity) <= command.length);
    if (hasPassed)
      for (const kind of kinds)
        shortest.set(kind, Math.min(shortest.get(kind) ?? Infinity, command.length));
    return !isCovered;
  });
}

const MAX_LAST_WORDS_CHARS = 300;
const MAX_CHECKS = 4;
const MAX_FILES_NAMED = 8;

/** One line each. */
export function standing(state: State): string[] {
  return [turnLine(state), checksLine(state), planLine(state), commitLine(state)].filter(
    (line) => line !== '',
  );
}

/** What the newest request has come to. */
function turnLine({ entries }: State): string {
  const last = entries.at(-1);
  if (last?.role === 'user')
    return last.isAnswer
      ? '- The user has just answered a question of Claude; nothing was done since.'
      : '- The newest request has not been answered yet.';
  if (last?.role === 'assistant') {
    const question = inOneLine(last.text.trim().split('\n').at(-1) ?? '');
    return question.endsWith('?')
      ? `- Claude has answered, and asked the user: “${shorten(question, MAX_LAST_WORDS_CHARS)}”`
      : `- Claude spoke last: “${lastWords(last.text)}”`;
  }
  const at = entries.findLastIndex(({ role }) => role !== 'tool');
  const words = entries[at];
  const said =
    words?.role === 'assistant' ? ` Claude’s last words were: “${lastWords(words.text)}”` : '';
  const step = last === undefined ? '' : shortCall(last as ToolEntry);
  return `- Claude was still at work on the newest request; the last step: ${step}.${said}`;
}

/** The end of what was said is what comes next. */
function lastWords(text: string): string {
  const line = inOneLine(text.trim().split('\n\n').at(-1) ?? '');
  if (line.length <= MAX_LAST_WORDS_CHARS) return line;
  const end = line.slice(-MAX_LAST_WORDS_CHARS);
  return `…${end.slice(end.indexOf(' ') + 1)}`;
}

/** What was run before the last change may not hold any more. */
function checksLine({ checks, files }: State): string {
  const lastEdit = files.at(-1)?.at ?? -1;
  if (checks.length === 0)
    return lastEdit < 0 ? '' : '- No test, build or lint has been run on the changes.';
  const shown = checks.slice(0, MAX_CHECKS);
  const since = shown.filter(({ at }) => at > lastEdit).map(checkText);
  const before = shown.filter(({ at }) => at <= lastEdit).map(checkText);
  const told = [
    since.length > 0 ? since.join('; ') : 'none since the last change',
    before.length > 0 ? `before it: ${before.join('; ')}` : '',
  ];
  return `- Checks, the newest first: ${told.filter((text) => text !== '').join('; ')}.`;
}

function checkText({ command, hasPassed, isUnsure, entry }: CheckRun): string {
  if (hasPassed) return `\`${command}\` ${isUnsure ? 'showed no failure' : 'passed'}`;
  const error = entry.output.split('\n').find((line) => TELLS_ERROR.test(line.slice(0, 300)));
  const why = error === undefined ? '' : ` (${shorten(inOneLine(error), MAX_ERROR_CHARS)})`;
  return `\`${command}\` FAILED${why}`;
}

const MAX_ERROR_CHARS = 160;
const TELLS_ERROR =
  /error(?! task)|fail(?!ed$)|expected|want|panic|undefined|cannot|\.\w{1,5}:\d+/i;

const MAX_ITEM_CHARS = 100;

function planLine({ plan: { text, isOlder } }: State): string {
  const items = text.split('\n').filter((line) => /^\s*(?:[-*] )?\[[ x]\] /.test(line));
  if (items.length === 0 || isOlder) return '';
  const open = items.filter((item) => !/^\s*(?:[-*] )?\[x\]/.test(item));
  const next = open
    .slice(0, 2)
    .map((item) => shorten(item.replace(/^.*?\[ \] /, ''), MAX_ITEM_CHARS));
  const done = `${items.length - open.length} of ${items.length} done`;
  return open.length === 0
    ? `- The plan: all ${items.length} done.`
    : `- The plan: ${done}; next: ${next.join('; then: ')}.`;
}

function commitLine({ outcomes, files }: State): string {
  const last = outcomes.findLast(({ isCommit }) => isCommit);
  if (last === undefined) return '';
  const since = files.filter(({ at }) => at > last.at);
  if (since.length === 0) return '- Nothing was changed after the last commit.';
  const names = since.slice(-MAX_FILES_NAMED).map(({ path }) => path.split('/').at(-1));
  const more = since.length > names.length ? ` and ${since.length - names.length} more` : '';
  return `- Changed after the last commit: ${names.join(', ')}${more}.`;
}

const MAX_FAILURE_CHARS = 600;

/** Checks and steps whose last run failed, the newest first, each with its error. */
export function failures(
  { entries, checks, files }: State,
  before: number,
  room: number,
): { items: string[]; more: number } {
  const failed = [
    ...checks.filter(({ hasPassed }) => !hasPassed),
    ...failedSteps(entries, files),
  ].sort((one, other) => other.at - one.at);
  const items: string[] = [];
  let left = room;
  for (const { entry, at } of failed) {
    // The last steps tell their errors themselves.
    const error = at >= before ? ' (its error stands in the last steps)' : `:\n${errorOf(entry)}`;
    const item = `- ${callLine(entry)} failed${error}`;
    if (item.length + 1 > left) continue;
    left -= item.length + 1;
    items.push(item);
  }
  return { items, more: failed.length - items.length };
}

const errorOf = ({ output }: ToolEntry): string => indented(shorten(output, MAX_FAILURE_CHARS));

/** A step that failed further back, for an earlier request, was got round in some way. */
const MAX_STEPS_BACK = 40;

function failedSteps(
  entries: readonly L1Entry[],
  files: readonly ChangedFile[],
): { entry: ToolEntry; at: number }[] {
  const since = Math.min(
    entries.findLastIndex((entry) => isRequest(entry)),
    entries.length - MAX_STEPS_BACK,
  );
  const changed = new Map(files.map(({ path, at }) => [path, at]));
  const last = new Map<string, { entry: ToolEntry; at: number }>();
  entries.forEach((entry, at) => {
    if (entry.role !== 'tool' || entry.isRefused || checkIn(entry) !== undefined) return;
    last.set(`${entry.name} ${entry.cmd}`, { entry, at });
  });
  return [...last.values()].filter(({ entry, at }) => {
    if (!entry.isError || at < since || isLook(entry) || isCutOff(entry)) return false;
    const isEditing = isEdit({ name: entry.name });
    return !isEditing || (changed.get(entry.cmd) ?? -1) < at;
  });
}
