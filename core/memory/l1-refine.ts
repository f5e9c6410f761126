/**
 * L1, the refined transcript (M4): rows of Claude Code's transcript come in, entries go out that hold every word of the user and
 * of Claude, and of each tool call what was asked and a glimpse of what came back. Everything else is dropped.
 */
import type { JsonRecord } from '../transcript/json.ts';
import type { AssistantRow, ToolResultRow, TranscriptRow } from '../transcript/rows.ts';

export interface SpokenEntry {
  /** Stable: made of the row's own id, so that reading a transcript again gives the same entries. */
  id: string;
  ts: string;
  role: 'user' | 'assistant';
  text: string;
}

export interface ToolEntry {
  id: string;
  ts: string;
  role: 'tool';
  name: string;
  cmd: string;
  output: string;
}

export type L1Entry = SpokenEntry | ToolEntry;

/** Tool calls that were made and not answered yet, by the id of the call. Saved between two readings. */
export type PendingTools = Record<string, Omit<ToolEntry, 'output'>>;

const MAX_COMMAND_CHARS = 300;
const MAX_OUTPUT_CHARS = 300;
const ID_CHARS = 12;

/** Of the many arguments that tools take, the one that tells most. */
const TELLING_ARGUMENTS = [
  'command',
  'file_path',
  'notebook_path',
  'path',
  'pattern',
  'query',
  'url',
  'description',
  'prompt',
  'skill',
];

export class Refiner {
  readonly #redact: (text: string) => string;
  #pending: PendingTools;

  constructor(redact: (text: string) => string, pending: PendingTools = {}) {
    this.#redact = redact;
    this.#pending = { ...pending };
  }

  get pending(): PendingTools {
    return this.#pending;
  }

  add(row: TranscriptRow): L1Entry[] {
    if (row.kind === 'broken' || row.isSidechain || row.uuid === undefined) return [];
    const id = row.uuid.replaceAll('-', '').slice(0, ID_CHARS);
    const ts = row.at ?? '';
    if (row.kind === 'prompt') return [...this.giveUpPending(), ...this.#spoken(id, ts, 'user', row.text)];
    if (row.kind === 'command') return [...this.giveUpPending(), ...this.#spoken(id, ts, 'user', commandText(row.text))];
    if (row.kind === 'tool-result') return this.#toolResults(row);
    return row.kind === 'assistant' ? this.#assistant(id, ts, row) : [];
  }

  /** A call that was interrupted is never answered; it is told without an output when the conversation goes on or ends. */
  giveUpPending(): L1Entry[] {
    const unanswered = Object.values(this.#pending).map((call) => ({ ...call, output: '' }));
    this.#pending = {};
    return unanswered;
  }

  #assistant(rowId: string, ts: string, row: AssistantRow): L1Entry[] {
    return row.blocks.flatMap((block, index) => {
      const id = index === 0 ? rowId : `${rowId}-${index}`;
      if (block.type === 'text') return this.#spoken(id, ts, 'assistant', block.text);
      if (block.type === 'tool-use')
        this.#pending[block.id] = {
          id,
          ts,
          role: 'tool',
          name: block.name,
          cmd: this.#short(tellingArgument(block.input), MAX_COMMAND_CHARS),
        };
      return [];
    });
  }

  #toolResults(row: ToolResultRow): L1Entry[] {
    return row.results.flatMap(({ toolUseId, text }) => {
      const { [toolUseId]: call, ...others } = this.#pending;
      if (call === undefined) return [];
      this.#pending = others;
      return [{ ...call, output: this.#short(text, MAX_OUTPUT_CHARS) }];
    });
  }

  #spoken(id: string, ts: string, role: 'user' | 'assistant', said: string): L1Entry[] {
    const text = this.#redact(said);
    return text.trim() === '' ? [] : [{ id, ts, role, text }];
  }

  /** Redacted before it is cut: half a key is not recognised as one. */
  #short(text: string, limit: number): string {
    const clean = this.#redact(text.length > 16 * limit ? text.slice(0, 16 * limit) : text);
    return clean.length <= limit ? clean : `${clean.slice(0, limit)}…`;
  }
}

function commandText(tags: string): string {
  const inTag = (name: string) => new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(tags)?.[1]?.trim() ?? '';
  const shell = inTag('bash-input');
  return shell === '' ? `${inTag('command-name')} ${inTag('command-args')}`.trim() : `!${shell}`;
}

function tellingArgument(input: JsonRecord): string {
  const name = TELLING_ARGUMENTS.find((argument) => typeof input[argument] === 'string');
  return name === undefined ? JSON.stringify(input) : String(input[name]);
}
