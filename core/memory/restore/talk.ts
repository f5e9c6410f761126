/**
 * The talk of a session (K2): every request in the user's words and under it what Claude said to it,
 * each marked as whose words they are. What was offered and not taken is left out.
 */
import { shorten } from '../../platform/text/sentences.ts';
import type { L1Entry, SpokenEntry } from '../log/l1-refine.ts';
import type { Budget, WorkPart } from './budget.ts';
import type { State } from './where-it-stands.ts';

interface Said {
  at: number;
  text: string;
}

/** Requests in their order, and under each what Claude said to it. */
export class Talk {
  readonly #state: State;
  readonly #requests: ReadonlyMap<SpokenEntry, string>;
  readonly #before: number;
  /** Lines of replies that are told, by their text. */
  readonly #replies = new Map<number, string[]>();

  constructor(state: State, requests: ReadonlyMap<SpokenEntry, string>, before: number) {
    this.#state = state;
    this.#requests = requests;
    this.#before = before;
  }

  /** What each request came to: how Claude’s last words on it begin. The newest first. */
  addReplies(room: number, budget: Budget): void {
    let left = room;
    let isLastOfTurn = true;
    for (let at = this.#state.entries.length - 1; at >= 0; at--) {
      const entry = this.#state.entries[at] as L1Entry;
      if (entry.role === 'user') isLastOfTurn = true;
      if (entry.role !== 'assistant' || !isLastOfTurn) continue;
      isLastOfTurn = false;
      if (at >= this.#before) continue;
      const lines = beginningOf(entry.text);
      const length = lines.join('\n').length + lines.length * REPLY_CHARS;
      if (length > left || length > budget.left) return;
      left -= length;
      budget.left -= lines.length * REPLY_CHARS;
      for (const line of lines) budget.take(line);
      this.#replies.set(at, lines);
    }
  }

  isTold(at: number, line: string): boolean {
    return this.#replies.get(at)?.includes(line) ?? false;
  }

  part(said: readonly Said[]): WorkPart {
    const byEntry = new Map<number, string[]>(this.#replies);
    for (const { at, text } of said) byEntry.set(at, [...(byEntry.get(at) ?? []), text]);
    const items: string[] = [];
    const newestAt = this.#state.entries.indexOf(this.#state.newest);
    const add = (lines: readonly string[]) => {
      const before = items.pop();
      items.push([...(before === undefined ? [] : [before]), ...lines].join('\n'));
    };
    this.#state.entries.forEach((entry, at) => {
      const request = entry.role === 'user' ? this.#requests.get(entry) : undefined;
      if (request !== undefined) items.push(request);
      const [first, ...others] = byEntry.get(at) ?? [];
      if (first === undefined) return;
      if (at > newestAt && !items.at(-1)?.startsWith(NEWEST)) items.push(NEWEST);
      else if (items.length === 0) items.push('- (before that)');
      add([`  Claude: ${first}`, ...others.map((line) => `  - ${line}`)]);
    });
    return {
      title: 'What the user asked before, in their own words, with Claude’s answers',
      items,
    };
  }
}

const NEWEST = '- (the newest request, above)';
/** `  Claude: ` and the end of the line. */
export const REPLY_CHARS = 11;
const MAX_REPLY_CHARS = 260;

/** Whole lines, the first one shortened if it is long. */
function beginningOf(text: string): string[] {
  const lines: string[] = [];
  let left = MAX_REPLY_CHARS;
  for (const line of saidLines(text)) {
    if (lines.length > 0 && line.length > left) break;
    lines.push(shorten(line, MAX_REPLY_CHARS));
    left -= line.length;
  }
  return lines;
}

/** Lines are told without those around them, whose numbers would say nothing. */
const LIST_MARK = /^\s*(?:[-*+•]|\d{1,2}[.)]|#{1,6}|>)\s+/;
/** Headings, and lines of a table that only draw it. */
const NO_STATEMENT = /^(?:#{1,6}\s|\*\*[^*]{0,60}\*\*:?$|[|\s:-]+$)/;
const MIN_SAID_CHARS = 15;
function tellingLines(text: string): string[] {
  return withoutCode(text)
    .split('\n')
    .filter((line) => !NO_STATEMENT.test(line.trim()))
    .map((line) => cellsJoined(line).replace(LIST_MARK, '').trim())
    .filter((line) => line.length >= MIN_SAID_CHARS);
}

function cellsJoined(line: string): string {
  const row = line.trim();
  return row.startsWith('|')
    ? row
        .split('|')
        .map((cell) => cell.trim())
        .filter((cell) => cell !== '')
        .join(': ')
    : line;
}

/** What Claude offered, of which the user took one at most, is not told as if it were so. */
function isOffer(text: string): boolean {
  return text.trimEnd().endsWith('?');
}

const OPTION = /^\s*(?:[-*+•|]\s*)?(?:\*\*)?(?:option|approach|\d{1,2}[.)]|[A-E][.):])/i;

/** Without headings, code and options. */
export function saidLines(text: string): string[] {
  if (!isOffer(text)) return tellingLines(text);
  const lines = text.split('\n').filter((line) => !OPTION.test(line));
  return tellingLines(lines.join('\n'));
}

/** A line of code says little without those around it. */
function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, '');
}
