/**
 * Reads the tool calls of a transcript with their results, and looks whether L1 tells what each of
 * them did (L1b): the pattern that was searched for, the file and something of its change, the line
 * in which a failing command says why.
 */
import type { KeptTool } from './product.ts';

export interface ToolCall {
  row: number;
  at: string;
  name: string;
  input: Record<string, unknown>;
  result?: { text: string; isError: boolean };
}

type Json = Record<string, unknown>;

/** Calls of the conversation itself, not of subagents. */
export function toolCallsIn(transcript: string): ToolCall[] {
  const calls = new Map<string, ToolCall>();
  transcript.split('\n').forEach((line, index) => {
    if (!line.includes('"tool_use"') && !line.includes('"tool_result"')) return;
    const row = parsed(line);
    if (row === undefined || row.isSidechain === true) return;
    const at = String(row.timestamp ?? '');
    for (const block of blocksOf((row.message as Json | undefined)?.content))
      addBlock(calls, block, { row: index + 1, at });
  });
  return [...calls.values()];
}

function addBlock(
  calls: Map<string, ToolCall>,
  block: Json,
  place: Pick<ToolCall, 'row' | 'at'>,
): void {
  if (block.type === 'tool_use') {
    const input = (block.input ?? {}) as Json;
    calls.set(String(block.id), { ...place, name: String(block.name), input });
  }
  const call = calls.get(String(block.tool_use_id));
  if (block.type === 'tool_result' && call !== undefined)
    call.result = { text: textOf(block.content), isError: block.is_error === true };
}

export type Telling = 'search' | 'change' | 'failure';

/** What L1 must tell of a call, and whether it does; undefined where nothing is asked. */
export function isTold(
  call: ToolCall,
  kept: KeptTools,
): { telling: Telling; told: boolean } | undefined {
  const { name, result } = call;
  if (result === undefined || result.text.startsWith(REFUSED)) return undefined;
  const entries = kept.of(call);
  if (name === 'Grep' || name === 'Glob')
    return { telling: 'search', told: entries.some((entry) => tellsPattern(call, entry)) };
  if (CHANGING.has(name) && !result.isError) return changeTold(call, entries);
  return name === 'Bash' && result.isError ? failureTold(result.text, entries) : undefined;
}

const CHANGING = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
const REFUSED = "The user doesn't want to";
/** A long line or pattern may be cut. */
const COMPARED_CHARS = 40;
const LEAST_LINE_CHARS = 3;

/** L1's tool entries by what they have in common with a call. */
export class KeptTools {
  readonly #byMoment: Map<string, KeptTool[]>;
  readonly #byName: Map<string, KeptTool[]>;

  constructor(tools: readonly KeptTool[]) {
    this.#byMoment = Map.groupBy(tools, momentOf);
    this.#byName = Map.groupBy(tools, ({ name }) => name);
  }

  /** The call's own entry and those of its second; all of its tool where times are not kept. */
  of(call: Pick<ToolCall, 'at' | 'name'>): readonly KeptTool[] {
    return this.#byMoment.get(momentOf(call)) ?? this.#byName.get(call.name) ?? [];
  }
}

function momentOf({ at, name }: { at: string; name: string }): string {
  return `${name} ${at.slice(0, '2026-01-01T00:00:00'.length)}`;
}

/** The pattern may be a part of the path by chance. */
function tellsPattern({ input }: ToolCall, { request }: KeptTool): boolean {
  const path = String(input.path ?? '');
  const rest = path === '' ? request : request.replace(path, '');
  return holds(rest, String(input.pattern ?? ''));
}

function changeTold(
  { input }: ToolCall,
  entries: readonly KeptTool[],
): { telling: 'change'; told: boolean } | undefined {
  const lines = changedLines(input);
  if (lines.length === 0) return undefined;
  const path = String(input.file_path ?? input.notebook_path ?? '');
  const file = path.split(/[\\/]/).at(-1) ?? '';
  const told = entries.some(({ request, output }) => {
    const rest = request.replaceAll(path, '');
    const isNamed = `${request}\n${output}`.includes(file);
    return isNamed && lines.some((line) => holds(rest, line) || holds(output, line));
  });
  return { telling: 'change', told };
}

/** Lines that came, else lines that went. */
function changedLines(input: Json): string[] {
  const edits = Array.isArray(input.edits) ? (input.edits as Json[]) : [input];
  return edits.flatMap((edit) => {
    const before = linesOf(edit.old_string);
    const after = linesOf(edit.new_string ?? edit.content ?? edit.new_source);
    const come = after.filter((line) => !before.includes(line));
    return come.length > 0 ? come : before.filter((line) => !after.includes(line));
  });
}

const TELLS_FAILURE =
  /error|fail|fatal|panic|exception|traceback|not found|no such|denied|cannot|can't|undefined|unknown|invalid|unexpected|expected|refused|timed? ?out|missing|✗|✘/i;
/** It says that there was a failure, not which. */
const EXIT_CODE = /^(?:Error: )?Exit code \d+$/;

function failureTold(
  text: string,
  entries: readonly KeptTool[],
): { telling: 'failure'; told: boolean } | undefined {
  const lines = linesOf(text).filter((line) => !EXIT_CODE.test(line));
  const tellingLines = lines.filter((line) => TELLS_FAILURE.test(line));
  const wanted = tellingLines.length > 0 ? tellingLines : lines.slice(-1);
  if (wanted.length === 0) return undefined;
  const told = entries.some(({ output }) => wanted.some((line) => holds(output, line)));
  return { telling: 'failure', told };
}

/** As it is, or as it stands in JSON. */
function holds(text: string, part: string): boolean {
  const start = part.trim().slice(0, COMPARED_CHARS);
  return text.includes(start) || text.includes(JSON.stringify(start).slice(1, -1));
}

function linesOf(text: unknown): string[] {
  return String(text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length >= LEAST_LINE_CHARS);
}

function parsed(line: string): Json | undefined {
  try {
    const row: unknown = JSON.parse(line);
    return typeof row === 'object' && row !== null ? (row as Json) : undefined;
  } catch {
    return undefined;
  }
}

function blocksOf(content: unknown): Json[] {
  return Array.isArray(content)
    ? content.filter((block) => typeof block === 'object' && block !== null)
    : [];
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return blocksOf(content)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('\n');
}
