/**
 * Finds the places at which Claude Code compacted a real conversation: what stood before, what its
 * own summary kept, and what the work then needed.
 */
import { readFileSync } from 'node:fs';
import { isRecord, type JsonRecord, recordAt, stringAt } from '../../core/platform/text/json.ts';
import { namesIn } from './names.ts';
import { requestWords } from './requests.ts';

export interface Cut {
  /** The rows before it, as they stand in the transcript. */
  lines: string[];
  summary: string;
  /** Texts and calls before it, one a message, for what a plain end of the conversation holds. */
  said: string[];
  /** Names that the work used after it and that had occurred before. */
  needed: Set<string>;
  /** What the user had asked for before it. */
  requests: Set<string>[];
}

const MIN_NEEDED = 15;
const MIN_MESSAGES = 40;
/** What the work needs shows in so many messages. */
const MESSAGES_AFTER = 60;
const NOT_TYPED = /^\s*(?:<|\[Request|Caveat:|This session is being continued)/;

interface Row {
  json: JsonRecord;
  line: string;
}

/** Those from which something can be learnt. */
export function cutsIn(path: string): Cut[] {
  const rows = readFileSync(path, 'utf8').split('\n').flatMap(rowOf);
  const cuts: Cut[] = [];
  let start = 0;
  rows.forEach(({ json }, at) => {
    if (json.isCompactSummary !== true) return;
    let end = at;
    while (end > 0 && rows[end - 1]?.json.subtype === 'compact_boundary') end--;
    const cut = cutOf(rows.slice(start, end), textOf(contentOf(json)), rows.slice(at + 1));
    if (cut !== undefined) cuts.push(cut);
    start = at;
  });
  return cuts;
}

function rowOf(line: string): Row[] {
  try {
    const json: unknown = JSON.parse(line);
    return isRecord(json) ? [{ json, line }] : [];
  } catch {
    return [];
  }
}

function cutOf(before: readonly Row[], summary: string, after: readonly Row[]): Cut | undefined {
  const messages = before.filter(isMessage).map(({ json }) => json);
  const next = after.filter(isMessage).map(({ json }) => json);
  const again = next.findIndex(({ isCompactSummary }) => isCompactSummary === true);
  const following = next.slice(0, again < 0 ? undefined : again).slice(0, MESSAGES_AFTER);
  const known = new Set(messages.flatMap((row) => [...namesIn(textOf(contentOf(row), ALL))]));
  const used = following
    .filter(({ type }) => type === 'assistant')
    .flatMap((row) => [...namesIn(textOf(contentOf(row), SAID))]);
  const needed = new Set(used.filter((name) => known.has(name)));
  if (needed.size < MIN_NEEDED || messages.length < MIN_MESSAGES) return undefined;
  return {
    lines: before.map(({ line }) => line),
    summary,
    said: messages.map((row) => textOf(contentOf(row), SAID)),
    needed,
    requests: messages.flatMap((row) => (isRequest(row) ? (requestWords(typed(row)) ?? []) : [])),
  };
}

function isMessage({ json }: Row): boolean {
  const { type, isSidechain, isMeta } = json;
  return (type === 'user' || type === 'assistant') && isSidechain !== true && isMeta !== true;
}

function isRequest(row: JsonRecord): boolean {
  const content = contentOf(row);
  const isResult =
    Array.isArray(content) && content.some((block) => typeOf(block) === 'tool_result');
  return row.type === 'user' && !isResult && !NOT_TYPED.test(typed(row));
}

const typed = (row: JsonRecord): string => textOf(contentOf(row));
const contentOf = (row: JsonRecord): unknown => recordAt(row, 'message')?.content;
const typeOf = (block: unknown): unknown => (isRecord(block) ? block.type : undefined);

const TEXT = ['text'];
const SAID = ['text', 'tool_use'];
const ALL = ['text', 'tool_use', 'tool_result'];

function textOf(content: unknown, types: readonly string[] = TEXT): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter(isRecord)
    .filter(({ type }) => types.includes(String(type)))
    .map((block) => {
      if (block.type === 'tool_use') return JSON.stringify(block.input ?? null);
      return block.type === 'text' ? (stringAt(block, 'text') ?? '') : textOf(block.content);
    })
    .join('\n');
}
