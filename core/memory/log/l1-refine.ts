/**
 * Makes L1, the refined transcript (M4, L1b), out of rows: every word of the user and of Claude, and
 * of each tool call what was done and what came of it. Removes secrets before it cuts texts, and
 * drops everything else.
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
import type { Redact } from './clean-cut.ts';
import { ProjectRoot } from './project-root.ts';
import { describeCall } from './tool-call.ts';
import { tellsOutput, toldOutput } from './tool-output.ts';

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
  /** When the session was compacted, as long as what was kept may follow once more. */
  compactedOn?: string | undefined;
}

/** Of one reading, and of what is saved between two. */
const MAX_ROWS_KNOWN = 2000;
const LAST_ROWS = 8;
/** Entries of one reading that a compaction may write again. */
const MAX_ENTRIES_KNOWN = 500;
const KEY_CHARS = 200;

const ID_CHARS = 12;
const REFUSED = "The user doesn't want to proceed with this tool use.";

export class Refiner {
  readonly #redact: Redact;
  readonly #root: ProjectRoot;
  readonly #pending: Map<string, PendingTools[string]>;

  readonly #queue: PromptQueue;
  #rows: Set<string>;
  #compactedOn: string | undefined;
  /** Of this reading, oldest first. */
  #entries: L1Entry[] = [];
  readonly #savedEntries: () => readonly L1Entry[];
  #savedKeys: Set<string> | undefined;

  /**
   * `root`: paths below it are kept relative to it. `savedEntries`: the last ones of the session
   * before this reading; asked for only behind a compaction.
   */
  constructor(
    redact: Redact,
    pending: PendingTools = {},
    { queue, lastRows = [], compactedOn }: WordsBefore = {},
    root = '',
    savedEntries: () => readonly L1Entry[] = () => [],
  ) {
    this.#redact = redact;
    this.#root = new ProjectRoot(root);
    this.#pending = new Map(Object.entries(pending));
    this.#queue = new PromptQueue(queue);
    this.#rows = new Set(lastRows);
    this.#compactedOn = compactedOn;
    this.#savedEntries = savedEntries;
  }

  get pending(): PendingTools {
    return Object.fromEntries(this.#pending);
  }

  get wordsBefore(): WordsBefore {
    return {
      queue: this.#queue.state,
      lastRows: [...this.#rows].slice(-LAST_ROWS),
      compactedOn: this.#compactedOn,
    };
  }

  /** Whether what a call returned matters if it is no error: most of what tools return does not. */
  readonly isResultWanted = (toolUseId: string): boolean => {
    const call = this.#pending.get(toolUseId);
    return call !== undefined && tellsOutput(call.name);
  };

  add(row: SpokenRow): L1Entry[] {
    const entries = this.#entriesOf(row);
    for (const entry of entries) this.#entries.push(entry);
    if (this.#entries.length > 2 * MAX_ENTRIES_KNOWN)
      this.#entries = this.#entries.slice(-MAX_ENTRIES_KNOWN);
    return entries;
  }

  #entriesOf(row: SpokenRow): L1Entry[] {
    if (row.kind === 'broken' || row.isSidechain) return [];
    if (row.kind === 'compaction') {
      this.#compactedOn = row.at;
      return [];
    }
    if (row.kind === 'queue') return this.#queued(row);
    if (row.at !== undefined && row.at > (this.#compactedOn ?? row.at))
      this.#compactedOn = undefined;
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
      if (spoken.some((entry) => this.#isWrittenAgain(entry))) return [];
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

  /**
   * Behind a compaction Claude Code writes what was kept once more: other ids, the same times. What
   * is not found among the saved entries is new, whatever its time.
   */
  #isWrittenAgain(entry: SpokenEntry | PendingCall): boolean {
    if (this.#compactedOn === undefined || entry.ts === '' || entry.ts >= this.#compactedOn)
      return false;
    this.#savedKeys ??= new Set(this.#savedEntries().map(keyOf));
    const key = keyOf(entry);
    return this.#savedKeys.has(key) || this.#entries.some((known) => keyOf(known) === key);
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
      if (block.type === 'text')
        return this.#spoken(id, ts, 'assistant', block.text).filter(
          (entry) => !this.#isWrittenAgain(entry),
        );
      if (block.type === 'tool-use' && !isForMemory(block.input)) {
        const call: PendingCall = {
          id,
          ts,
          role: 'tool',
          name: block.name,
          ...describeCall(block.name, block.input, this.#root, this.#redact),
          ...askedIn(block.input),
        };
        if (!this.#isWrittenAgain(call)) this.#pending.set(block.id, call);
      }
      return [];
    });
  }

  #toolResults(row: ToolResultRow): L1Entry[] {
    return row.results.flatMap(({ toolUseId, text, isError }) => {
      const call = this.#pending.get(toolUseId);
      const words = row.dialogWords?.filter((each) => this.#isOfUser(each, call)) ?? [];
      const spoken = this.#inDialog(row, words).filter((entry) => !this.#isWrittenAgain(entry));
      if (call === undefined) return spoken;
      this.#pending.delete(toolUseId);
      const result = { text: words[0]?.rest ?? text, isError };
      const output = this.#root.inText(toldOutput(call.name, result, this.#redact));
      return [
        {
          ...finished(call, output),
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
    return asked === undefined || call.asked === shortHash(asked);
  }

  #inDialog({ uuid = '', at = '' }: ToolResultRow, words: readonly DialogWords[]): SpokenEntry[] {
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

/** What the same words or the same call have in common, whatever the row's id. */
function keyOf(entry: SpokenEntry | PendingCall): string {
  const words = entry.role === 'tool' ? `${entry.name} ${entry.cmd}` : entry.text;
  return `${entry.ts} ${entry.role} ${words.length} ${words.slice(0, KEY_CHARS)}`;
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

/** Our own agents' work is not to be remembered, nor a reason for more of it. */
function isForMemory({ subagent_type: agent }: JsonRecord): boolean {
  return agent === AGENTS.delta || agent === AGENTS.facts;
}

function askedIn(input: JsonRecord): Pick<PendingCall, 'asked'> {
  const questions = Array.isArray(input.questions) ? input.questions.filter(isRecord) : [];
  const text = questions.map(({ question }) => String(question)).join('\n');
  return questions.length === 0 ? {} : { asked: shortHash(text) };
}

function finished(call: PendingCall, output: string): ToolEntry {
  if (call.asked === undefined) return { ...call, output };
  const { asked: _, ...told } = call;
  return { ...told, output };
}
