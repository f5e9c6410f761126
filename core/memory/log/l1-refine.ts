/**
 * Makes L1, the refined transcript (M4, L1b), out of rows: every word of the user and of Claude, and
 * of each tool call what was done and what came of it. Removes secrets before it cuts texts, and
 * drops everything else.
 */
import type { DialogWords } from '../../claude/transcript/dialog-words.ts';
import type { AssistantBlock, ToolResultRow } from '../../claude/transcript/rows.ts';
import type { SpokenRow } from '../../claude/transcript/spoken-rows.ts';
import type { JsonRecord } from '../../platform/text/json.ts';
import { AGENTS } from './agents.ts';
import { cleanHead, type Redact } from './clean-cut.ts';
import { ProjectRoot } from './project-root.ts';
import { describeCall, MAX_QUESTION_CHARS } from './tool-call.ts';
import { toldOutput } from './tool-output.ts';

export interface SpokenEntry {
  /** Made of the row's id, so that reading a transcript again gives the same entries. */
  id: string;
  ts: string;
  role: 'user' | 'assistant';
  text: string;
  /** Answers questions of Claude in the tool call before: no request by itself. */
  isAnswer?: true;
}

/** What was done, in fields of its own: nobody has to find a file or an error in a sentence. */
export interface ToolEntry {
  id: string;
  ts: string;
  role: 'tool';
  name: string;
  /** The file, command, pattern, address or questions; of a plan or to-do list the whole. */
  cmd: string;
  /** Further arguments that say something: a range, filters, what an agent is asked. */
  detail?: string;
  /** Of an edit: lines that went behind a `-`, that came behind a `+`, the one before behind a blank. */
  change?: string;
  /** Empty if the tool said nothing that the call does not tell. */
  output: string;
  isError?: true;
  /** The user did not allow the call. */
  isRefused?: true;
  /** `cmd` is a plan or a to-do list. */
  isPlan?: true;
}

/** How much of a success's output the reader must pass on. */
export { OUTPUT_CHARS } from './tool-output.ts';

export type L1Entry = SpokenEntry | ToolEntry;

/** Tool calls without a result so far, by id of the call; saved between two readings. */
export type PendingTools = Record<string, Omit<ToolEntry, 'output'>>;

const ID_CHARS = 12;
const UUID = /^\w{8}-\w{4}-/;
const REFUSED = "The user doesn't want to proceed with this tool use.";

export class Refiner {
  readonly #redact: Redact;
  readonly #root: ProjectRoot;
  readonly #pending: Map<string, PendingTools[string]>;

  /** `root`: paths below it are kept relative to it. */
  constructor(redact: Redact, pending: PendingTools = {}, root = '') {
    this.#redact = redact;
    this.#root = new ProjectRoot(root);
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
          ...describeCall(block.name, block.input, this.#root, this.#redact),
        });
      return [];
    });
  }

  #toolResults(row: ToolResultRow): L1Entry[] {
    return row.results.flatMap(({ toolUseId, text, isError }) => {
      const call = this.#pending.get(toolUseId);
      const words = row.dialogWords?.filter((each) => this.#isOfUser(each, call)) ?? [];
      const spoken = this.#inDialog(row, words);
      if (call === undefined) return spoken;
      this.#pending.delete(toolUseId);
      const result = { text: words[0]?.rest ?? text, isError };
      const output = this.#root.inText(toldOutput(call.name, result, this.#redact));
      return [
        {
          ...call,
          output,
          ...(isError && { isError }),
          ...(isError && text.startsWith(REFUSED) && { isRefused: true as const }),
        },
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
      (asked.length <= MAX_QUESTION_CHARS &&
        cleanHead(asked, MAX_QUESTION_CHARS, this.#redact) === call.cmd)
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
}

/** The first digits of the row's id. */
function idOf(uuid: string): string {
  return UUID.test(uuid)
    ? uuid.slice(0, 8) + uuid.slice(9, 13)
    : uuid.replaceAll('-', '').slice(0, ID_CHARS);
}

function nth(rowId: string, index: number): string {
  return index === 0 ? rowId : `${rowId}-${index}`;
}

function commandText(tags: string): string {
  const inTag = (name: string) =>
    new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(tags)?.[1]?.trim() ?? '';
  const shell = inTag('bash-input');
  return shell === '' ? `${inTag('command-name')} ${inTag('command-args')}`.trim() : `!${shell}`;
}

/** Our own agents' work is not to be remembered, nor a reason for more of it. */
function isForMemory({ subagent_type: agent }: JsonRecord): boolean {
  return agent === AGENTS.delta || agent === AGENTS.facts;
}
