/**
 * Chooses what else of a session's work is told (K2): lines that Claude said, pieces of changes and
 * calls, by the worth of the names in them that nothing before has named, until the room is full.
 */
import { shorten } from '../../platform/text/sentences.ts';
import type { L1Entry, ToolEntry } from '../log/l1-refine.ts';
import type { Budget, WorkPart } from './budget.ts';
import type { FileLines } from './changed-files.ts';
import { namesToldIn } from './name-worth.ts';
import { REPLY_CHARS, saidLines, type Talk } from './talk.ts';
import { isPlanCall, type State } from './where-it-stands.ts';
import { callLine, indented, isEdit } from './work-lines.ts';

interface Step {
  at: number;
  kind: 'edit' | 'said' | 'other';
  /** Of an edit. */
  file: string;
  text: string;
  names: Set<string>;
  /** Says what was decided or left undone. */
  isDecision?: boolean;
}

/** An edit is told in pieces of so many lines. */
const MAX_SAID_CHARS = 500;
const PIECE_LINES = 3;

const DECIDES =
  /\b(?:skip(?:ped|ping)?|deferred|decided|deliberate(?:ly)?|intentional(?:ly)?|left (?:as|out|it|alone|unchanged)|kept|keeping|not (?:needed|changed|done|implemented|fixed|yet)|because|root cause|instead of|remaining|still (?:fails?|open|missing)|out of scope|follow-up)\b|건너|보류|남은|때문|대신|결정/i;
/** What these print is long, and found again by the same command. */
const PRINTS_LONG = /^(?:git\s+(?:-C\s+\S+\s+)?(?:diff|show|status)|ls|cat|head|tail|find)\b/;
/** What it says is in no file. */
const DECISION_WORTH = 2;

function step(at: number, kind: Step['kind'], text: string, file = ''): Step {
  const names = namesToldIn(file === '' ? text : `In the file ${file}\n${text}`);
  return { at, kind, file, text, names };
}

function stepsOf(entry: L1Entry, at: number, talk: Talk): Step[] {
  if (entry.role === 'user') return [];
  if (entry.role === 'tool') return isEdit(entry) ? changeSteps(entry, at) : callSteps(entry, at);
  return saidLines(entry.text)
    .filter((line) => !talk.isTold(at, line))
    .map((line) => ({
      ...step(at, 'said', shorten(line, MAX_SAID_CHARS)),
      isDecision: DECIDES.test(line.slice(0, MAX_SAID_CHARS)),
    }));
}

/** Without and with its output. */
function callSteps(entry: ToolEntry, at: number): Step[] {
  if (isPlanCall(entry)) return [];
  const line = `- ${callLine(entry)}`;
  const hasOutput = !entry.isError && entry.output !== '' && !PRINTS_LONG.test(entry.cmd);
  const gave = entry.name === 'Read' ? 'has' : 'gave';
  const withOutput = `${line}, which ${gave}:\n${indented(entry.output)}`;
  return [step(at, 'other', line), ...(hasOutput ? [step(at, 'other', withOutput)] : [])];
}

function changeSteps({ cmd, change = '' }: ToolEntry, at: number): Step[] {
  const lines = change.split('\n');
  const pieces = Array.from({ length: Math.ceil(lines.length / PIECE_LINES) }, (_, piece) =>
    lines.slice(piece * PIECE_LINES, (piece + 1) * PIECE_LINES).join('\n'),
  );
  return pieces.map((piece) => step(at, 'edit', indented(piece), cmd));
}

/** A step whose worth has fallen below this share since the round began waits for the next. */
const STILL_WORTH = 0.7;
const ROUNDS = 8;
/** So that of two steps with the same names the longer one does not lose everything. */
const STEP_CHARS = 12;

/** Steps by worth a character, until the room is full; told in the order in which they happened. */
export function chosenSteps(
  { entries }: State,
  before: number,
  { budget, files, talk }: { budget: Budget; files: FileLines; talk: Talk },
): { changes: Step[]; said: Step[]; looked: WorkPart } {
  // Of a long change among the last steps, only its beginning stands there.
  const all = entries
    .flatMap((entry, at) => stepsOf(entry, at, talk))
    .filter(({ at, names, kind, file }) =>
      kind === 'edit' ? names.size > 0 && files.has(file) : names.size > 0 && at < before,
    );
  let waiting = all;
  const chosen = new ChosenSteps(budget);
  for (let round = 0; round < ROUNDS && waiting.length > 0; round++)
    waiting = chosen.addBest(waiting);
  const steps = all.filter((step) => chosen.has(step));
  // Of a call that was chosen without and with its output, the latter.
  const calls = new Map(steps.flatMap((step) => (step.kind === 'other' ? [[step.at, step]] : [])));
  return {
    changes: steps.filter(({ kind }) => kind === 'edit'),
    said: steps.filter(({ kind }) => kind === 'said'),
    looked: {
      title: 'What was looked at and run',
      items: [...calls.values()].map(({ text }) => text),
    },
  };
}

class ChosenSteps {
  readonly #budget: Budget;
  readonly #steps = new Set<Step>();

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
      const mark = step.kind === 'said' ? REPLY_CHARS : 1;
      if (step.text.length + mark > this.#budget.left) return [];
      if (this.#worthOf(step) < worth * STILL_WORTH) return [step];
      this.#budget.left -= mark;
      this.#budget.take(step.text);
      this.#steps.add(step);
      return [];
    });
  }

  has(step: Step): boolean {
    return this.#steps.has(step);
  }

  /** A character of it. */
  #worthOf({ names, text, isDecision }: Step): number {
    const worth = this.#budget.worth.of(names) / (text.length + STEP_CHARS);
    return isDecision ? worth * DECISION_WORTH : worth;
  }
}
