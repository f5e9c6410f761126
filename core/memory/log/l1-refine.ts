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

/** The last rows that are known, or twice as many; and what is saved of them between two readings. */
const ROWS_KNOWN = 1000;
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
  /** Their times by id. */
  #rows: Map<string, string>;
  #rowsBefore = new Map<string, string>();
  #compactedOn: string | undefined;
  /** What was typed while Claude was at work comes twice in a row, and is redacted once. */
  #lastSaid = '';
  #lastClean = '';
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
    this.#rows = new Map(lastRows.map(idAndTime));
    this.#compactedOn = compactedOn;
    this.#savedEntries = savedEntries;
  }

  get pending(): PendingTools {
    return Object.fromEntries(this.#pending);
  }

  get wordsBefore(): WordsBefore {
    return {
      queue: this.#queue.state,
      lastRows: [...this.#rowsBefore, ...this.#rows].slice(-LAST_ROWS).map((row) => row.join(' ')),
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
    return ts !== '' && this.#isRepeated(row.uuid, ts) ? [] : this.#said(row, id, ts);
  }

  #said(row: SpokenRow, id: string, ts: string): L1Entry[] {
    if (row.kind === 'prompt' || row.kind === 'command') {
      const text = row.kind === 'prompt' ? row.text : commandText(row.text);
      const spoken = this.#spoken(id, ts, 'user', text);
      if (spoken !== undefined && this.#isWrittenAgain(spoken)) return [];
      const isNew = this.#queue.isNew(spoken?.text ?? '', row.isSentAlong === true);
      const entries = this.giveUpPending(row.at);
      return isNew && spoken !== undefined ? [...entries, spoken] : entries;
    }
    if (row.kind === 'tool-result') return this.#toolResults(row);
    return row.kind === 'assistant' ? this.#assistant(id, ts, row.blocks) : [];
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
    const isKnown = (known: L1Entry) => known.ts === entry.ts && keyOf(known) === key;
    return this.#savedKeys.has(key) || this.#entries.some(isKnown);
  }

  #isRepeated(uuid: string, ts: string): boolean {
    if (this.#rows.get(uuid) === ts || this.#rowsBefore.get(uuid) === ts) return true;
    if (this.#rows.size >= ROWS_KNOWN) {
      this.#rowsBefore = this.#rows;
      this.#rows = new Map();
    }
    this.#rows.set(uuid, ts);
    return false;
  }

  #queued({ at: ts = '', operation, text }: QueueRow): L1Entry[] {
    if (operation === 'enqueue') {
      const said = this.#spoken('', ts, 'user', text);
      if (said !== undefined) this.#queue.enqueue({ id: said.id, ts, text: said.text });
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
    const entries: L1Entry[] = this.#queue.replied(ts).map(entryOf);
    for (const [index, block] of blocks.entries()) {
      const id = nth(rowId, index);
      if (block.type === 'text') {
        const said = this.#spoken(id, ts, 'assistant', block.text);
        if (said !== undefined && !this.#isWrittenAgain(said)) entries.push(said);
      }
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
    }
    return entries;
  }

  #toolResults(row: ToolResultRow): L1Entry[] {
    const entries: L1Entry[] = [];
    for (const { toolUseId, text, isError } of row.results) {
      const call = this.#pending.get(toolUseId);
      const words = row.dialogWords?.filter((each) => this.#isOfUser(each, call)) ?? [];
      if (call !== undefined) {
        this.#pending.delete(toolUseId);
        const result = { text: words[0]?.rest ?? text, isError };
        const output = this.#root.inText(toldOutput(call.name, result, this.#redact));
        const entry = finished(call, output);
        if (isError) entry.isError = true;
        if (isError && text.startsWith(REFUSED)) entry.isRefused = true;
        entries.push(entry);
      }
      if (words.length > 0) entries.push(...this.#inDialog(row, words));
    }
    return entries;
  }

  /** Words in a tool's result are the user's only if nobody else can have put them there (M11). */
  #isOfUser({ onlyOf, asked }: DialogWords, call: PendingTools[string] | undefined): boolean {
    if (onlyOf === undefined) return true;
    if (call === undefined || !onlyOf.includes(call.name)) return false;
    return asked === undefined || call.asked === shortHash(asked);
  }

  #inDialog({ uuid = '', at = '' }: ToolResultRow, words: readonly DialogWords[]): SpokenEntry[] {
    return words.flatMap(({ text, isAnswer }, index) => {
      const said = this.#spoken(nth(idOf(uuid), index), at, 'user', text);
      if (said === undefined || this.#isWrittenAgain(said)) return [];
      return isAnswer ? { ...said, isAnswer } : said;
    });
  }

  /** Undefined if nothing is left of the words. */
  #spoken(id: string, ts: string, role: SpokenEntry['role'], raw: string): SpokenEntry | undefined {
    if (raw !== this.#lastSaid) {
      this.#lastSaid = raw;
      this.#lastClean = this.#redact(raw);
    }
    const text = this.#lastClean;
    return text.trim() === '' ? undefined : { id, ts, role, text };
  }
}

/** What the same words or the same call have in common, whatever the row's id. */
function keyOf(entry: SpokenEntry | PendingCall): string {
  const words = entry.role === 'tool' ? `${entry.name} ${entry.cmd}` : entry.text;
  return `${entry.ts} ${entry.role} ${words.length} ${words.slice(0, KEY_CHARS)}`;
}

/** Of a row as it is saved. */
function idAndTime(row: string): [id: string, ts: string] {
  const blank = row.lastIndexOf(' ');
  return [row.slice(0, blank), row.slice(blank + 1)];
}

/** Rows of the queue have no id; hardly any of their prompts needs one, since most come again. */
function entryOf({ id, ts, text }: QueuedPrompt): SpokenEntry {
  return { id: id || idOf(`${ts} ${text}`), ts, role: 'user', text };
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
