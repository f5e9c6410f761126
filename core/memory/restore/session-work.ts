/**
 * What a session was asked and has done, for the one that goes on with it (K2): out of its L1,
 * without a model. First what is wanted now and where it stands, then the user's words, the state
 * of the work and the last steps; what is between them fills the rest by its worth, so that
 * nothing is told twice.
 */
import { shorten } from '../../platform/text/sentences.ts';
import { isLocalCommand, isOfClaudeCode, isRequest } from '../log/hand-over.ts';
import type { L1Entry, SpokenEntry, ToolEntry } from '../log/l1-refine.ts';
import { Budget, lastWithin, type WorkPart } from './budget.ts';
import { FileLines } from './changed-files.ts';
import { NameWorth } from './name-worth.ts';
import { chosenSteps } from './steps.ts';
import { Talk } from './talk.ts';
import { answering, requestLines, ruledOut, whatIsAnswered } from './user-words.ts';
import { failures, isPlanCall, type State, standing, stateOf } from './where-it-stands.ts';
import { inOneLine, wholeCall } from './work-lines.ts';

const REQUESTS_SHARE = 0.3;
const NEWEST_SHARE = 0.2;
const RULES_SHARE = 0.07;
const PLAN_SHARE = 0.12;
const REPLIES_SHARE = 0.06;
const OUTCOMES_SHARE = 0.08;
const FILES_SHARE = 0.2;
const FAILED_SHARE = 0.1;
const LAST_STEPS_SHARE = 0.27;
const MAX_STEP_CHARS = 2500;

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
  const within = (share: number) => Math.max(0, Math.min(own * share, budget.left));
  const state = stateOf(entries, newest);
  const answered = whatIsAnswered(entries);

  const wanted = [
    budget.taken(part(NOW, [newestText(asked, newest, { answered, room: within(NEWEST_SHARE) })])),
    budget.taken(part('Where things stand', standing(state))),
    budget.taken(
      part(
        'What the user ruled out or insisted on, in their own words',
        ruledOut(entries, newest, answered, within(RULES_SHARE)),
      ),
    ),
  ];
  const others = asked.filter((entry) => entry !== newest);
  const requests = requestLines(others, answered, within(REQUESTS_SHARE));
  for (const line of requests.lines.values()) budget.take(line);
  const fixed = [...written, planPart(state, within(PLAN_SHARE))].map((each) => budget.taken(each));
  const before = lastStepsFrom(state, within(LAST_STEPS_SHARE));
  const last = budget.taken(lastPart(state, before, within(LAST_STEPS_SHARE)));
  const failed = budget.taken({
    title: 'What fails',
    ...failures(state, before, within(FAILED_SHARE)),
  });
  const done = budget.taken(outcomesPart(state, within(OUTCOMES_SHARE)));
  const files = new FileLines(state.files, within(FILES_SHARE));
  for (const line of files.lines) budget.take(line);
  const talk = new Talk(state, requests.lines, before);
  talk.addReplies(within(REPLIES_SHARE), budget);
  const { changes, said, looked } = chosenSteps(state, before, { budget, files, talk });
  return [
    ...wanted,
    { ...talk.part(said), ...(requests.more > 0 && { more: requests.more }) },
    ...fixed,
    done,
    files.part(changes),
    failed,
    looked,
    last,
  ].filter(({ items, more = 0 }) => items.length + more > 0);
}

const NOW = 'What the user wants now';

function part(title: string, items: string[]): WorkPart {
  return { title, items: items.filter((item) => item !== '') };
}

/** "Yes" or "go on" belongs to what was asked before it. */
const SHORT_REQUEST_CHARS = 160;
const MIN_EARLIER_CHARS = 40;
const MAX_EARLIER_CHARS = 300;

function newestText(
  asked: readonly SpokenEntry[],
  newest: SpokenEntry,
  { answered, room }: { answered: ReadonlyMap<L1Entry, string>; room: number },
): string {
  const at = asked.indexOf(newest);
  // What the user chose when Claude asked back belongs to what is wanted.
  const chosen = asked
    .slice(at + 1)
    .slice(-MAX_CHOSEN)
    .map((entry) => {
      const text = shorten(inOneLine(entry.text), MAX_EARLIER_CHARS);
      return `(Then the user answered: ${answering(answered.get(entry))}${text})`;
    });
  const text = answering(answered.get(newest)) + shorten(newest.text.trim(), room);
  return [text, ...earlierThan(asked.slice(0, at), newest), ...chosen].join('\n');
}

const MAX_CHOSEN = 4;

function earlierThan(before: readonly SpokenEntry[], { text }: SpokenEntry): string[] {
  if (text.length > SHORT_REQUEST_CHARS) return [];
  const earlier = before.findLast(
    (entry) => entry.text.length > MIN_EARLIER_CHARS && entry.text !== text,
  );
  if (earlier === undefined) return [];
  const told = shorten(inOneLine(earlier.text), MAX_EARLIER_CHARS);
  return [`(Before that the user had said: “${told}”)`];
}

function planPart({ plan: { text, isOlder, isRefused } }: State, room: number): WorkPart {
  const title = isRefused
    ? 'The plan, which the user did not approve as it is'
    : isOlder
      ? 'The plan, made before the newest request'
      : 'The plan, as it stands';
  return part(title, [shorten(text, room)]);
}

/** The newest, as far as there is room. */
function outcomesPart({ outcomes }: State, room: number): WorkPart {
  const lines = [...new Set(outcomes.map(({ text }) => `- ${text}`))];
  const title = 'Commits, pull requests, issues, and what agents reported';
  return { title, ...lastWithin(lines, room) };
}

function allText(entry: L1Entry): string {
  if (entry.role !== 'tool') return entry.text;
  const { cmd, detail = '', change = '', output, isError } = entry;
  return [cmd, detail, change, isError ? output : ''].join('\n');
}

function lastStepsFrom(state: State, room: number): number {
  let left = room;
  for (let at = state.entries.length - 1; at >= 0; at--) {
    left -= stepText(state, at, room).length + 1;
    if (left < 0) return Math.min(at + 1, state.entries.length - 1);
  }
  return 0;
}

function lastPart(state: State, from: number, room: number): WorkPart {
  const steps = state.entries.slice(from).map((_, at) => stepText(state, from + at, room));
  return part(
    'The last steps',
    steps.filter((step, at) => step !== steps[at - 1]),
  );
}

const MAX_JSON_CHARS = 120;

/** An answer for a program: its beginning says what it is. */
function withoutJson(entry: ToolEntry): ToolEntry {
  const isJson = /^[[{]\s*["{]/.test(entry.output) && !entry.isError;
  return isJson ? { ...entry, output: shorten(inOneLine(entry.output), MAX_JSON_CHARS) } : entry;
}

/** Empty for what stands elsewhere: the plan, and a request that is the newest. */
function stepText({ entries, newest }: State, at: number, room: number): string {
  const entry = entries[at] as L1Entry;
  const limit = Math.min(MAX_STEP_CHARS, room);
  if (entry.role === 'tool')
    return isPlanCall(entry) ? '' : shorten(`- ${wholeCall(withoutJson(entry))}`, limit);
  if (entry === newest) return 'The user made the newest request (above).';
  const who = entry.role === 'user' ? 'The user' : 'Claude';
  return shorten(`${who} said: ${entry.text.trim()}`, limit);
}
