/**
 * What a session was asked and has done, for the one that goes on with it (K2): out of its L1,
 * without a model. The user's requests and the last steps always have their room; what is between
 * them fills the rest by its worth, so that nothing is told twice.
 */
import { shorten } from '../../platform/text/sentences.ts';
import { currentPlan, isLocalCommand, isOfClaudeCode, isRequest } from '../log/hand-over.ts';
import type { L1Entry, SpokenEntry, ToolEntry } from '../log/l1-refine.ts';
import { TITLE_CHARS } from './briefing-pages.ts';
import { NameWorth, namesToldIn } from './name-worth.ts';
import { callLine, indented, inOneLine, isEdit, wholeCall } from './work-lines.ts';

export interface WorkPart {
  title: string;
  items: string[];
  /** How many more there were. */
  more?: number;
}

const REQUESTS_SHARE = 0.3;
const NEWEST_SHARE = 0.2;
const PLAN_SHARE = 0.15;
const LAST_STEPS_SHARE = 0.3;
const MAX_STEP_CHARS = 2500;
/** Of one request; the first at which all of them fit. */
const REQUEST_CHARS = [500, 400, 340, 300, 260, 220, 180, 140, 100, 75];

/**
 * `room`: characters for all parts together. `written`: what the model wrote before the clear; it
 * stands behind the user's own words. Only that if the user asked for nothing.
 */
export function sessionWork(
  all: readonly L1Entry[],
  room: number,
  written: readonly WorkPart[] = [],
): WorkPart[] {
  const entries = all.filter((entry) => !isLocalCommand(entry) && !isOfClaudeCode(entry));
  const asked = entries.filter((entry): entry is SpokenEntry => entry.role === 'user');
  const newest = asked.findLast(isRequest) ?? asked.at(-1);
  if (newest === undefined) return [...written];
  const own = room - written.flatMap(({ items }) => items).join('\n').length;
  const budget = new Budget(room, new NameWorth(entries.map(allText)));
  const others = asked.filter((entry) => entry !== newest);
  const fixed = [
    requestsPart(others, questionsBefore(entries), own * REQUESTS_SHARE),
    part('The newest request', shorten(newest.text.trim(), own * NEWEST_SHARE)),
    ...written,
    part('The plan, as it stands', shorten(planIn(entries), own * PLAN_SHARE)),
  ].map((each) => budget.taken(each));
  const from = lastStepsFrom(entries, own * LAST_STEPS_SHARE);
  const last = budget.taken({
    title: 'The last steps',
    items: entries.slice(from).map((entry) => stepText(entry, own * LAST_STEPS_SHARE)),
  });
  const before = entries.slice(0, from);
  const failed = budget.taken(failuresPart(before, budget.left * FAILED_SHARE));
  const { changed, talk } = chosenSteps(before, budget);
  return [...fixed, changed, failed, ...talk, last].filter(
    ({ items, more = 0 }) => items.length + more > 0,
  );
}

const part = (title: string, text: string): WorkPart => ({
  title,
  items: text === '' ? [] : [text],
});

function planIn(entries: readonly L1Entry[]): string {
  return currentPlan(entries.filter((entry) => entry.role === 'tool'));
}

/** What is left of the room, and what the reader knows already. */
class Budget {
  left: number;
  readonly worth: NameWorth;

  constructor(room: number, worth: NameWorth) {
    this.left = room;
    this.worth = worth;
  }

  taken(part: WorkPart): WorkPart {
    if (part.items.length > 0) this.left -= part.title.length + TITLE_CHARS;
    for (const item of part.items) this.take(item);
    return part;
  }

  take(text: string): void {
    this.left -= text.length + 1;
    this.worth.tell(text);
  }
}

function allText(entry: L1Entry): string {
  if (entry.role !== 'tool') return entry.text;
  const { cmd, detail = '', change = '', output, isError } = entry;
  return [cmd, detail, change, isError ? output : ''].join('\n');
}

/** All of them, each as long as it can be; of very many the newest. */
function requestsPart(
  requests: readonly SpokenEntry[],
  questions: ReadonlyMap<L1Entry, string>,
  room: number,
): WorkPart {
  const title = 'What the user asked before, in their own words, oldest first';
  const lines = (chars: number) =>
    requests.map((request) => requestLine(request, questions.get(request), chars));
  const length = (items: readonly string[]) =>
    items.reduce((sum, item) => sum + item.length + 1, 0);
  const items =
    REQUEST_CHARS.map(lines).find((some) => length(some) <= room) ??
    lines(REQUEST_CHARS.at(-1) as number);
  let all = length(items);
  let first = 0;
  for (; first < items.length && all > room; first++) all -= (items[first]?.length ?? 0) + 1;
  return { title, items: items.slice(first), ...(first > 0 && { more: first }) };
}

function requestLine({ text }: SpokenEntry, question: string | undefined, chars: number): string {
  const asked = question === undefined ? '' : `(to “${shorten(question, MAX_QUESTION_CHARS)}”) `;
  return `- ${asked}${shorten(inOneLine(text), chars)}`;
}

/** "Yes", "B": these say nothing without what they answer. */
const SHORT_ANSWER_CHARS = 40;
const MAX_QUESTION_CHARS = 120;

/** What Claude had said last before each short answer. */
function questionsBefore(entries: readonly L1Entry[]): Map<L1Entry, string> {
  const questions = new Map<L1Entry, string>();
  let last = '';
  for (const entry of entries) {
    if (entry.role === 'assistant') last = lastLine(entry.text);
    else if (entry.role === 'tool')
      last = entry.name === 'AskUserQuestion' ? inOneLine(entry.cmd) : last;
    else if (last !== '' && (entry.isAnswer || entry.text.length <= SHORT_ANSWER_CHARS))
      questions.set(entry, last);
  }
  return questions;
}

const lastLine = (text: string): string => inOneLine(text.trim().split('\n').at(-1) ?? '');

function lastStepsFrom(entries: readonly L1Entry[], room: number): number {
  let left = room;
  for (let at = entries.length - 1; at >= 0; at--) {
    left -= stepText(entries[at] as L1Entry, room).length + 1;
    if (left < 0) return Math.min(at + 1, entries.length - 1);
  }
  return 0;
}

function stepText(entry: L1Entry, room: number): string {
  const limit = Math.min(MAX_STEP_CHARS, room);
  if (entry.role === 'tool') return shorten(`- ${wholeCall(entry)}`, limit);
  const who = entry.role === 'user' ? 'The user' : 'Claude';
  return shorten(`${who} said: ${entry.text.trim()}`, limit);
}

const FAILED_SHARE = 0.2;

/** Tools that only look: when they fail, nothing is broken. */
const LOOKING = new Set(['Read', 'Grep', 'Glob', 'LS', 'WebFetch', 'WebSearch']);

/** Commands and edits whose last run failed, the newest first. */
function failuresPart(entries: readonly L1Entry[], room: number): WorkPart {
  const last = new Map<string, ToolEntry>();
  for (const entry of entries)
    if (entry.role === 'tool' && !entry.isRefused && !LOOKING.has(entry.name))
      last.set(keyOf(entry), entry);
  const failed = [...last.values()].filter(({ isError }) => isError).reverse();
  const items: string[] = [];
  let left = room;
  for (const entry of failed) {
    const item = `- ${callLine(entry)} failed:\n${indented(entry.output)}`;
    if (item.length + 1 > left) continue;
    left -= item.length + 1;
    items.push(item);
  }
  const more = failed.length - items.length;
  const title = 'What failed and has not been seen to work since';
  return { title, items, ...(more > 0 && { more }) };
}

const keyOf = ({ name, cmd }: ToolEntry): string => `${name} ${cmd}`;

interface Step {
  at: number;
  kind: 'edit' | 'said' | 'other';
  /** Of an edit. */
  file: string;
  text: string;
  names: Set<string>;
}

/** Lines are told without those around them, whose numbers would say nothing. */
const LIST_MARK = /^\s*(?:[-*+•]|\d{1,2}[.)]|#{1,6}|>)\s+/;
const MIN_SAID_CHARS = 15;
const MAX_SAID_CHARS = 500;
/** An edit is told in pieces of so many lines. */
const PIECE_LINES = 6;

function stepsOf(entry: L1Entry, at: number): Step[] {
  const step = (kind: Step['kind'], text: string, file = ''): Step => ({
    at,
    kind,
    file,
    text,
    names: namesToldIn(file === '' ? text : `${fileLine(file)}\n${text}`),
  });
  if (entry.role !== 'tool') {
    const lines = entry.role === 'user' ? [] : withoutCode(entry.text).split('\n');
    return lines
      .map((line) => line.replace(LIST_MARK, '').trim())
      .filter((line) => line.length >= MIN_SAID_CHARS)
      .map((line) => step('said', `- ${shorten(line, MAX_SAID_CHARS)}`));
  }
  if (!isEdit(entry)) {
    const line = `- ${callLine(entry)}`;
    const hasOutput = !entry.isError && entry.output !== '';
    const withOutput = `${line}, which gave:\n${indented(entry.output)}`;
    return [step('other', line), ...(hasOutput ? [step('other', withOutput)] : [])];
  }
  const lines = (entry.change ?? '').split('\n');
  const pieces = Array.from({ length: Math.ceil(lines.length / PIECE_LINES) }, (_, piece) =>
    lines.slice(piece * PIECE_LINES, (piece + 1) * PIECE_LINES).join('\n'),
  );
  return pieces.map((piece) => step('edit', indented(piece), entry.cmd));
}

/** A line of code says little without those around it. */
function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, '');
}

/** A step whose worth has fallen below this share since the round began waits for the next. */
const STILL_WORTH = 0.7;
const ROUNDS = 8;
/** So that of two steps with the same names the longer one does not lose everything. */
const STEP_CHARS = 12;

/** Steps by worth a character, until the room is full; told in the order in which they happened. */
function chosenSteps(
  entries: readonly L1Entry[],
  budget: Budget,
): { changed: WorkPart; talk: WorkPart[] } {
  const all = entries.flatMap(stepsOf).filter(({ names }) => names.size > 0);
  let waiting = all;
  const chosen = new ChosenSteps(budget);
  for (let round = 0; round < ROUNDS && waiting.length > 0; round++)
    waiting = chosen.addBest(waiting);
  const steps = all.filter((step) => chosen.has(step));
  // Of a call that was chosen without and with its output, the latter.
  const calls = new Map(steps.flatMap((step) => (step.kind === 'other' ? [[step.at, step]] : [])));
  return {
    changed: { title: 'Files changed, with what was changed', items: changedFiles(steps) },
    talk: [
      {
        title: 'What Claude said on the way',
        items: steps.flatMap(({ kind, text }) => (kind === 'said' ? text : [])),
      },
      { title: 'What was looked at and run', items: [...calls.values()].map(({ text }) => text) },
    ],
  };
}

class ChosenSteps {
  readonly #budget: Budget;
  readonly #steps = new Set<Step>();
  readonly #files = new Set<string>();

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Returns those that are worth less now than they were, because of what was chosen before them. */
  addBest(steps: readonly Step[]): Step[] {
    const ranked = steps
      .map((step) => ({ step, worth: this.#worthOf(step) }))
      .filter(({ worth }) => worth > 0)
      .sort((one, other) => other.worth - one.worth);
    return ranked.flatMap(({ step, worth }) => {
      if (this.#charsOf(step) > this.#budget.left - RESERVED_CHARS) return [];
      if (this.#worthOf(step) < worth * STILL_WORTH) return [step];
      this.#add(step);
      return [];
    });
  }

  has(step: Step): boolean {
    return this.#steps.has(step);
  }

  #add(step: Step): void {
    this.#budget.left -= this.#charsOf(step) - step.text.length;
    this.#budget.take(step.text);
    if (step.kind === 'edit') this.#files.add(step.file);
    this.#steps.add(step);
  }

  /** A character of it. */
  #worthOf({ names, text }: Step): number {
    return this.#budget.worth.of(names) / (text.length + STEP_CHARS);
  }

  /** A file is named before its first change. */
  #charsOf({ kind, file, text }: Step): number {
    const isNewFile = kind === 'edit' && !this.#files.has(file);
    return text.length + (isNewFile ? file.length + FILE_CHARS : 0);
  }
}

const fileLine = (file: string): string => `- In the file ${file}:`;
const FILE_CHARS = fileLine('').length + 1;
/** For the titles of the parts. */
const RESERVED_CHARS = 120;

function changedFiles(steps: readonly Step[]): string[] {
  const files = new Map<string, string>();
  for (const { kind, file, text } of steps)
    if (kind === 'edit') files.set(file, `${files.get(file) ?? fileLine(file)}\n${text}`);
  return [...files.values()];
}
