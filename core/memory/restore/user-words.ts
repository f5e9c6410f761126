/**
 * The user's own words in a briefing (K2): every request, with what a short one answers, and
 * sentences of the whole task that rule something out or insist on it, in English or Korean.
 */
import { shorten } from '../../platform/text/sentences.ts';
import type { L1Entry, SpokenEntry, ToolEntry } from '../log/l1-refine.ts';
import { callLine, inOneLine, isEdit } from './work-lines.ts';

/** "Yes", "B": these say nothing without what they answer. */
const SHORT_ANSWER_CHARS = 25;
const MAX_ANSWER_CHARS = 120;
const MAX_QUESTION_CHARS = 160;

/** What Claude had said last before each short answer, or the choice that the answer names. */
export function whatIsAnswered(entries: readonly L1Entry[]): Map<L1Entry, string> {
  const questions = new Map<L1Entry, string>();
  let reply = '';
  let question = '';
  for (const entry of entries) {
    if (entry.role === 'assistant') reply = entry.text.slice(-MAX_OFFER_CHARS);
    question = questionIn(entry) ?? question;
    if (entry.role !== 'user') continue;
    const answers = choiceIn(entry.text, reply) ?? (isAnswer(entry, question) ? question : '');
    if (answers !== '') questions.set(entry, answers);
  }
  return questions;
}

function questionIn(entry: L1Entry): string | undefined {
  if (entry.role === 'assistant') return lastLine(entry.text);
  return entry.role === 'tool' && entry.name === 'AskUserQuestion'
    ? inOneLine(entry.cmd)
    : undefined;
}

function isAnswer({ text, isAnswer: isMarked }: SpokenEntry, question: string): boolean {
  if (question === '') return false;
  const most = question.endsWith('?') ? MAX_ANSWER_CHARS : SHORT_ANSWER_CHARS;
  return isMarked === true || text.length <= most;
}

const lastLine = (text: string): string => inOneLine(text.trim().split('\n').at(-1) ?? '');

const CHOICE =
  /\boption\s+#?(\d|[a-e])\b|^\W*(\d|[a-e])\W*$|\b(?:with|do|take|like|think|prefer|choose|pick)\s+(\d|[b-e])\b|(\d)\s*번/i;
/** A longer text says by itself what is meant. */
const MAX_CHOICE_CHARS = 400;
/** What is offered stands at the end of a reply. */
const MAX_OFFER_CHARS = 6000;

/** "I think 2 is right": the line that Claude had offered under that number. */
function choiceIn(answer: string, reply: string): string | undefined {
  if (answer.length > MAX_CHOICE_CHARS) return undefined;
  const [, ...found] = CHOICE.exec(answer) ?? [];
  const mark = found.find((each) => each !== undefined);
  if (mark === undefined) return undefined;
  const lines = reply.split('\n').map((line) => line.slice(0, MAX_CHOICE_CHARS));
  const named = new RegExp(`^\\W*(?:option|approach|scenario|variant|choice)\\s*${mark}\\b`, 'i');
  const numbered = new RegExp(`^\\W*${mark}\\s*[.):*—–-]`, 'i');
  const line =
    lines.findLast((each) => named.test(each)) ?? lines.findLast((each) => numbered.test(each));
  return line === undefined ? undefined : inOneLine(line.replace(/[*#|]/g, ' '));
}

/** Of one request in characters; the first at which all of them fit. */
const REQUEST_CHARS = [500, 400, 340, 300, 260, 220, 180, 140, 100, 75];

export interface RequestLines {
  lines: Map<SpokenEntry, string>;
  /** The oldest, for which there was no room. */
  more: number;
}

/** All of them, each as long as it can be; of very many the newest. */
export function requestLines(
  requests: readonly SpokenEntry[],
  answered: ReadonlyMap<L1Entry, string>,
  room: number,
): RequestLines {
  const all = (chars: number) =>
    requests.map((request) => requestLine(request, answered.get(request), chars));
  const length = (items: readonly string[]) =>
    items.reduce((sum, item) => sum + item.length + 1, 0);
  const items =
    REQUEST_CHARS.map(all).find((some) => length(some) <= room) ??
    all(REQUEST_CHARS.at(-1) as number);
  let left = length(items);
  let more = 0;
  for (; more < items.length && left > room; more++) left -= (items[more]?.length ?? 0) + 1;
  const shown = requests.map((request, at) => [request, items[at] ?? ''] as const).slice(more);
  return { lines: new Map(shown), more };
}

function requestLine({ text }: SpokenEntry, question: string | undefined, chars: number): string {
  return `- ${answering(question)}${bothEnds(inOneLine(text), chars)}`;
}

export function answering(question: string | undefined): string {
  return question === undefined ? '' : `(to “${shorten(question, MAX_QUESTION_CHARS)}”) `;
}

/** What is wanted often stands at the end, behind what was pasted. */
const END_SHARE = 0.2;
const MIN_ENDS_CHARS = 200;

function bothEnds(text: string, limit: number): string {
  if (text.length <= limit || limit < MIN_ENDS_CHARS) return shorten(text, limit);
  const end = text.slice(-Math.floor(limit * END_SHARE));
  const sentence = /[.!?。]\s+(?=\S)/.exec(end);
  const from = sentence === null ? end.indexOf(' ') + 1 : sentence.index + sentence[0].length;
  return `${shorten(text, Math.floor(limit * (1 - END_SHARE)) - 1)} ${end.slice(from)}`;
}

const RULES_OUT = [
  /(?:^|[,;:.]\s*|\b(?:please|should|must|can|and|but|so|to|we|you)\s+)never\s(?!\w+ed\b)/i,
  /\b(?:do not|don['’]?t|skip|must ?n[o']t|mustn['’]t|should ?n[o']t|shouldn['’]t|let['’]?s not|not yet|avoid|no need (?:to|for)|hold off|leave .{1,40} (?:alone|as)|forbid|stop (?:\w+ing|it|that)|(?:isn['’]?t|not) what i)\b/i,
  /지\s*(?:마|말|않)|말고|말아|금지|안\s*(?:돼|되|됩)|절대|빼고|제외|그만|필요\s*없/,
];
const INSISTS = [
  /\b(?:always|must|make sure|ensure|only (?:use|change|do|touch|edit|add|run|fix)|rather|prefer|keep|has to|have to|for now|defer)\b/i,
  /반드시|꼭|항상|유지|대신|먼저/,
];
/** "I don't know", "why don't we …": nothing is ruled out. */
const NO_RULE =
  /\b(?:i|we|you|they|it) (?:really )?(?:do not|don['’]?t) (?:know|think|see|understand|get|remember|have|believe|recall|care|mind|find)\b|\bwhy (?:do|did|does|is|are)n['’]?t\b|\bif (?:you|it|we|they|i) (?:do not|don['’]?t)\b/i;
/** A question rules nothing out, unless it begins like an order: "Don't wait, just send it?" */
const QUESTION = /^(?!(?:please\s+)?(?:do not|don['’]?t|never)\b).*\?$/i;
/** Not behind the letter of a choice: "A. is fine". */
const SENTENCE_END = /(?<=[^\s.][^\s.][.!?。])\s+/;
const [MIN_RULE_CHARS, MAX_RULE_CHARS] = [8, 260];
/** A text longer than this was pasted for the most part; what it rules out stands in it anyway. */
const MAX_TYPED_CHARS = 4000;
/** What is insisted on stands in words that were typed; what was pasted is full of "must". */
const MAX_INSISTING_CHARS = 500;
const MAX_RULES_OF_ONE = 4;

/**
 * What the user ruled out or insists on, the oldest first: sentences as they were said, and steps
 * that were not allowed. As many as there is room for, what is ruled out and what is new first.
 */
export function ruledOut(
  entries: readonly L1Entry[],
  newest: L1Entry,
  answered: ReadonlyMap<L1Entry, string>,
  room: number,
): string[] {
  const allowed = new Set(
    entries.flatMap((entry) => (entry.role === 'tool' && !entry.isRefused ? stepKey(entry) : [])),
  );
  const found = entries.flatMap((entry, at) => {
    if (entry === newest) return [];
    if (entry.role === 'tool' && !allowed.has(stepKey(entry)))
      return refusedStep(entry).map((text) => ({ at, rank: 1, text }));
    return entry.role === 'user'
      ? rulesIn(entry, answered.get(entry)).map((rule) => ({ at, ...rule }))
      : [];
  });
  const byWorth = found.toReversed().sort((one, other) => one.rank - other.rank);
  const chosen = new Set<(typeof found)[number]>();
  let left = room;
  for (const rule of byWorth) {
    left -= rule.text.length + 1;
    if (left < 0) break;
    chosen.add(rule);
  }
  return found.filter((rule) => chosen.has(rule)).map(({ text }) => text);
}

const stepKey = ({ name, cmd }: ToolEntry): string => `${name} ${cmd}`;

function rulesIn(
  { text }: SpokenEntry,
  question: string | undefined,
): { rank: number; text: string }[] {
  if (text.length > MAX_TYPED_CHARS) return [];
  const rules = sentencesIn(text).flatMap((sentence) => {
    const patterns = text.length <= MAX_INSISTING_CHARS ? [RULES_OUT, INSISTS] : [RULES_OUT];
    const rank =
      NO_RULE.test(sentence) || QUESTION.test(sentence)
        ? -1
        : patterns.findIndex((some) => some.some((pattern) => pattern.test(sentence)));
    return rank < 0 ? [] : [{ rank, text: `- ${answering(question)}“${sentence}”` }];
  });
  return rules.sort((one, other) => one.rank - other.rank).slice(0, MAX_RULES_OF_ONE);
}

/** Without code and quotes, and without what is too long to be typed. */
function sentencesIn(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => !/^\s*(?:>|```|\||\d+→|[-+] {2,})/.test(line))
    .flatMap((line) => line.split(SENTENCE_END))
    .map(inOneLine)
    .filter(({ length }) => length >= MIN_RULE_CHARS && length <= MAX_RULE_CHARS);
}

/** A refused plan or question was talked about; any other step was not wanted. */
function refusedStep(entry: ToolEntry): string[] {
  if (!entry.isRefused || entry.isPlan || entry.name === 'AskUserQuestion') return [];
  const what = isEdit({ name: entry.name })
    ? `${callLine(entry)}: ${shorten(inOneLine(entry.change ?? ''), MAX_QUESTION_CHARS)}`
    : callLine(entry);
  return [`- The user did not allow this step: ${what}`];
}
