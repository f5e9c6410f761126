/**
 * Makes L1, the refined transcript (M4), out of rows: every word of the user and of Claude, and of
 * each tool call the request and an excerpt of the result. Removes secrets before it cuts texts,
 * and drops everything else.
 */
import type { DialogWords } from '../../claude/transcript/dialog-words.ts';
import type { AssistantBlock, ToolResultRow } from '../../claude/transcript/rows.ts';
import type { SpokenRow } from '../../claude/transcript/spoken-rows.ts';
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
export type PendingTools = Record<string, Omit<ToolEntry, 'output'>>;

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

  constructor(redact: (text: string) => string, pending: PendingTools = {}) {
    this.#redact = redact;
    this.#pending = new Map(Object.entries(pending));
  }

  get pending(): PendingTools {
    return Object.fromEntries(this.#pending);
  }

  add(row: SpokenRow): L1Entry[] {
    if (row.kind === 'broken' || row.isSidechain || row.uuid === undefined) return [];
    const id = idOf(row.uuid);
    const ts = row.at ?? '';
    if (row.kind === 'prompt' || row.kind === 'command') {
      const text = row.kind === 'prompt' ? row.text : commandText(row.text);
      return [...this.giveUpPending(row.at), ...this.#spoken(id, ts, 'user', text)];
    }
    if (row.kind === 'tool-result') return this.#toolResults(row);
    return row.kind === 'assistant' ? this.#assistant(id, ts, row.blocks) : [];
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
    return unanswered.map(([, call]) => ({ ...call, output: '' }));
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
      return [
        { ...call, output: this.#short(words[0]?.rest ?? text, MAX_OUTPUT_CHARS) },
        ...spoken,
      ];
    });
  }

  /** Words in a tool's result are the user's only if nobody else can have put them there (M11). */
  #isOfUser({ onlyOf, asked }: DialogWords, call: PendingTools[string] | undefined): boolean {
    if (onlyOf === undefined) return true;
    if (call === undefined || !onlyOf.includes(call.name)) return false;
    return (
      asked === undefined ||
      (asked.length <= MAX_COMMAND_CHARS && this.#short(asked, MAX_COMMAND_CHARS) === call.cmd)
    );
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

/** The first digits of the row's id. */
function idOf(uuid: string): string {
  return uuid.replaceAll('-', '').slice(0, ID_CHARS);
}

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

function commandText(tags: string): string {
  const inTag = (name: string) =>
    new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(tags)?.[1]?.trim() ?? '';
  const shell = inTag('bash-input');
  return shell === '' ? `${inTag('command-name')} ${inTag('command-args')}`.trim() : `!${shell}`;
}

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

function tellingArgument(input: JsonRecord): string {
  const questions = Array.isArray(input.questions) ? input.questions.filter(isRecord) : [];
  if (questions.length > 0) return questions.map(({ question }) => String(question)).join('\n');
  const name = TELLING_ARGUMENTS.find((argument) => typeof input[argument] === 'string');
  return name === undefined ? JSON.stringify(input) : String(input[name]);
}
