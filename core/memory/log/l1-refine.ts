/**
 * Makes L1, the refined transcript (M4), out of rows: every word of the user and of Claude, and of
 * each tool call the request and an excerpt of the result. Removes secrets before it cuts texts,
 * and drops everything else.
 */
import type { DialogWords } from '../../claude/transcript/dialog-words.ts';
import {
  PromptQueue,
  type QueuedPrompt,
  type QueueState,
} from '../../claude/transcript/prompt-queue.ts';
import type {
  AssistantBlock,
  QueueRow,
  SpokenRow,
  ToolResultRow,
} from '../../claude/transcript/rows.ts';
import { commandText } from '../../claude/transcript/whose-words.ts';
import { shortHash } from '../../platform/store/owner.ts';
import { isRecord, type JsonRecord } from '../../platform/text/json.ts';
import { AGENTS } from './agents.ts';

export interface SpokenEntry {
  /** Made of the row's id, so that reading a transcript again gives the same entries. */
  id: string;
  ts: string;
  role: 'user' | 'assistant';
  text: string;
  /** Answers questions of Claude in the tool call before: no request by itself. */
  isAnswer?: true;
}

export interface ToolEntry {
  id: string;
  ts: string;
  role: 'tool';
  name: string;
  cmd: string;
  output: string;
  /** `cmd` is a plan or a to-do list. */
  isPlan?: true;
}

export type L1Entry = SpokenEntry | ToolEntry;

/** Tool calls without a result so far, by id of the call; saved between two readings. */
export type PendingTools = Record<string, PendingCall>;

type PendingCall = Omit<ToolEntry, 'output'> & {
  /** A hash of the questions that it asks the user. */
  asked?: string;
};

/** What must be known of the words before, so that each is kept once; saved between two readings. */
export interface WordsBefore {
  queue?: QueueState | undefined;
  /** Ids and times of the last rows: a session that was cut off writes its last one again. */
  lastRows?: string[] | undefined;
}

/** Of one reading, and of what is saved between two. */
const MAX_ROWS_KNOWN = 2000;
const LAST_ROWS = 8;

const MAX_COMMAND_CHARS = 300;
const MAX_OUTPUT_CHARS = 300;
/** A plan is what the next session needs most. */
const MAX_PLAN_CHARS = 2000;
/** Redaction also sees so much text behind the cut, and then up to the next blank. */
const LOOK_AHEAD_CHARS = 128;
const MAX_LOOK_AHEAD_CHARS = 4096;
/** How much of a tool's output must be read. */
export const OUTPUT_CHARS = MAX_OUTPUT_CHARS + LOOK_AHEAD_CHARS;
const ID_CHARS = 12;

/** The argument that says most about a tool call: the first of these that it has. */
const TELLING_ARGUMENTS =
  'command file_path notebook_path path pattern query url subject description prompt skill'.split(
    ' ',
  );

export class Refiner {
  readonly #redact: (text: string) => string;
  readonly #pending: Map<string, PendingTools[string]>;

  readonly #queue: PromptQueue;
  #rows: Set<string>;

  constructor(
    redact: (text: string) => string,
    pending: PendingTools = {},
    { queue, lastRows = [] }: WordsBefore = {},
  ) {
    this.#redact = redact;
    this.#pending = new Map(Object.entries(pending));
    this.#queue = new PromptQueue(queue);
    this.#rows = new Set(lastRows);
  }

  get pending(): PendingTools {
    return Object.fromEntries(this.#pending);
  }

  get wordsBefore(): WordsBefore {
    return { queue: this.#queue.state, lastRows: [...this.#rows].slice(-LAST_ROWS) };
  }

  add(row: SpokenRow): L1Entry[] {
    if (row.kind === 'broken' || row.isSidechain) return [];
    if (row.kind === 'queue') return this.#queued(row);
    if (row.uuid === undefined) return [];
    // Most results say nothing by themselves.
    if (row.kind === 'tool-result' && row.dialogWords === undefined) return this.#toolResults(row);
    const id = idOf(row.uuid);
    const ts = row.at ?? '';
    return ts !== '' && this.#isRepeated(`${row.uuid} ${ts}`) ? [] : this.#said(row, id, ts);
  }

  #said(row: SpokenRow, id: string, ts: string): L1Entry[] {
    if (row.kind === 'prompt' || row.kind === 'command') {
      const text = row.kind === 'prompt' ? row.text : commandText(row.text);
      const spoken = this.#spoken(id, ts, 'user', text);
      const isNew = this.#queue.isNew(spoken[0]?.text ?? '', row.isSentAlong === true);
      return [...this.giveUpPending(row.at), ...(isNew ? spoken : [])];
    }
    if (row.kind === 'tool-result') return this.#toolResults(row);
    if (row.kind !== 'assistant') return [];
    return [...this.#queue.replied(ts).map(entryOf), ...this.#assistant(id, ts, row.blocks)];
  }

  /** The session is over: what the user typed and Claude never saw is kept as well. */
  giveUpQueue(): L1Entry[] {
    return this.#queue.ended().map(entryOf);
  }

  #isRepeated(row: string): boolean {
    if (this.#rows.has(row)) return true;
    this.#rows.add(row);
    if (this.#rows.size > MAX_ROWS_KNOWN)
      this.#rows = new Set([...this.#rows].slice(-MAX_ROWS_KNOWN / 2));
    return false;
  }

  #queued({ uuid = '', at: ts = '', operation, text }: QueueRow): L1Entry[] {
    if (operation === 'enqueue') {
      const id = idOf(uuid);
      for (const { text: said } of this.#spoken(id, ts, 'user', text))
        this.#queue.enqueue({ id, ts, text: said });
    }
    if (operation === 'dequeue' || operation === 'remove') this.#queue.leave(operation, ts);
    if (operation === 'popAll') this.#queue.takeBack(this.#redact(text));
    return [];
  }

  /**
   * Calls without a result: they were interrupted once the conversation goes on or ends. `until`:
   * later calls stay open, since Claude Code may write a session's first call before its prompt.
   */
  giveUpPending(until?: string): L1Entry[] {
    const unanswered = [...this.#pending].filter(
      ([, call]) => until === undefined || call.ts <= until,
    );
    for (const [toolUseId] of unanswered) this.#pending.delete(toolUseId);
    return unanswered.map(([, call]) => finished(call, ''));
  }

  #assistant(rowId: string, ts: string, blocks: readonly AssistantBlock[]): L1Entry[] {
    return blocks.flatMap((block, index) => {
      const id = nth(rowId, index);
      if (block.type === 'text') return this.#spoken(id, ts, 'assistant', block.text);
      if (block.type === 'tool-use' && !isForMemory(block.input))
        this.#pending.set(block.id, {
          id,
          ts,
          role: 'tool',
          name: block.name,
          ...this.#command(block.input),
          ...askedIn(block.input),
        });
      return [];
    });
  }

  #command(input: JsonRecord): { cmd: string; isPlan?: true } {
    const plan = planIn(input);
    if (plan !== undefined) return { cmd: this.#short(plan, MAX_PLAN_CHARS), isPlan: true };
    return { cmd: this.#short(tellingArgument(input), MAX_COMMAND_CHARS) };
  }

  #toolResults(row: ToolResultRow): L1Entry[] {
    return row.results.flatMap(({ toolUseId, text }) => {
      const call = this.#pending.get(toolUseId);
      const words = row.dialogWords?.filter((each) => this.#isOfUser(each, call)) ?? [];
      const spoken = this.#inDialog(row, words);
      if (call === undefined) return spoken;
      this.#pending.delete(toolUseId);
      return [finished(call, this.#short(words[0]?.rest ?? text, MAX_OUTPUT_CHARS)), ...spoken];
    });
  }

  /** Words in a tool's result are the user's only if nobody else can have put them there (M11). */
  #isOfUser({ onlyOf, asked }: DialogWords, call: PendingTools[string] | undefined): boolean {
    if (onlyOf === undefined) return true;
    if (call === undefined || !onlyOf.includes(call.name)) return false;
    return asked === undefined || call.asked === shortHash(asked);
  }

  #inDialog({ uuid = '', at = '' }: ToolResultRow, words: readonly DialogWords[]): L1Entry[] {
    return words.flatMap(({ text, isAnswer }, index) =>
      this.#spoken(nth(idOf(uuid), index), at, 'user', text).map((entry) =>
        isAnswer ? { ...entry, isAnswer } : entry,
      ),
    );
  }

  #spoken(id: string, ts: string, role: 'user' | 'assistant', raw: string): SpokenEntry[] {
    const text = this.#redact(raw);
    return text.trim() === '' ? [] : [{ id, ts, role, text }];
  }

  /** Redacts before it cuts: half a key would not be recognised. */
  #short(text: string, limit: number): string {
    const clean = this.#redact(text.slice(0, endOfLook(text, limit)));
    return clean.length <= limit ? clean : `${clean.slice(0, limit)}…`;
  }
}

function entryOf({ id, ts, text }: QueuedPrompt): SpokenEntry {
  return { id, ts, role: 'user', text };
}

/** The first digits of the row's id. Ids that are no UUIDs may well begin alike. */
function idOf(uuid: string): string {
  const isUsual = uuid[FIRST_DASH] === '-' && uuid[SECOND_DASH] === '-';
  if (isUsual) return uuid.slice(0, FIRST_DASH) + uuid.slice(FIRST_DASH + 1, SECOND_DASH);
  const short = uuid.replaceAll('-', '');
  return short.length <= ID_CHARS
    ? short
    : `${shortHash(uuid)}${shortHash(`${uuid} `)}`.slice(0, ID_CHARS);
}

const FIRST_DASH = 8;
const SECOND_DASH = FIRST_DASH + 1 + ID_CHARS - FIRST_DASH;

function nth(rowId: string, index: number): string {
  return index === 0 ? rowId : `${rowId}-${index}`;
}

function endOfLook(text: string, limit: number): number {
  if (text.length <= limit + LOOK_AHEAD_CHARS) return text.length;
  BLANK.lastIndex = limit + LOOK_AHEAD_CHARS;
  const blank = BLANK.exec(text)?.index ?? text.length;
  return Math.min(blank, limit + MAX_LOOK_AHEAD_CHARS);
}

const BLANK = /\s/g;

/** A plan, or a to-do list with a cross at finished items. */
function planIn(input: JsonRecord): string | undefined {
  if (typeof input.plan === 'string') return input.plan;
  if (!Array.isArray(input.todos)) return undefined;
  const todos = input.todos.filter(isRecord);
  return todos
    .map((todo) => `[${todo.status === 'completed' ? 'x' : ' '}] ${String(todo.content ?? '')}`)
    .join('\n');
}

/** Our own agents' work is not to be remembered, nor a reason for more of it. */
function isForMemory({ subagent_type: agent }: JsonRecord): boolean {
  return agent === AGENTS.delta || agent === AGENTS.facts;
}

function questionsIn(input: JsonRecord): string | undefined {
  const questions = Array.isArray(input.questions) ? input.questions.filter(isRecord) : [];
  return questions.length === 0
    ? undefined
    : questions.map(({ question }) => String(question)).join('\n');
}

function askedIn(input: JsonRecord): Pick<PendingCall, 'asked'> {
  const questions = questionsIn(input);
  return questions === undefined ? {} : { asked: shortHash(questions) };
}

function finished({ asked: _, ...call }: PendingCall, output: string): ToolEntry {
  return { ...call, output };
}

function tellingArgument(input: JsonRecord): string {
  const questions = questionsIn(input);
  if (questions !== undefined) return questions;
  const name = TELLING_ARGUMENTS.find((argument) => typeof input[argument] === 'string');
  return name === undefined ? JSON.stringify(input) : String(input[name]);
}
