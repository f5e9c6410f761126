/**
 * Brings the forms in which models answer (K3) to lines under labels: a fence or tags around the
 * whole, tags as labels, JSON, a table of two columns, underlined headings. What thinks aloud in
 * tags and what calls a tool is taken out.
 */
import { parseJson } from '../../platform/store/attempt.ts';
import { isRecord, type JsonRecord } from '../../platform/text/json.ts';
import { kindOf, linesOf } from '../log/hand-over-parts.ts';

/** Empty if there was nothing but calls of tools. */
export function asLines(answer: string): string {
  const { before, inside, behind } = unwrapped(withoutBlocks(answer).trim());
  const json = parseJson(inside);
  if (isToolCall(json)) return '';
  const lines = isRecord(json) || Array.isArray(json) ? jsonLines(json) : inside;
  return [before, underlinesAsHeadings(tablesAsLabels(tagsAsLabels(lines))), behind]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n')
    .replace(/\n{3,}/g, '\n\n');
}

const THOUGHTS = ['thinking', 'analysis', 'scratchpad', 'reasoning', 'reflection'];
const CALLS = ['function_calls', 'tool_use', 'tool_call', 'tool_calls', 'function_results'];

function withoutBlocks(text: string): string {
  const withoutCalls = [...CALLS, 'invoke'].reduce(withoutBlock, text);
  const rest = THOUGHTS.reduce(withoutBlock, withoutCalls);
  // If it thought only, its thoughts are all there is.
  return rest.trim() === '' ? withoutCalls : rest;
}

/** `<name …>` to `</name>`, also in a namespace; without its end it stays. */
function withoutBlock(text: string, name: string): string {
  const opening = new RegExp(`<(?:\\w+:)?${name}(?:\\s[^<>\\n]{0,200})?>`, 'gi');
  const closing = new RegExp(`</(?:\\w+:)?${name}>`, 'gi');
  let rest = '';
  let from = 0;
  for (;;) {
    opening.lastIndex = from;
    const start = opening.exec(text);
    if (start === null) break;
    closing.lastIndex = start.index;
    const end = closing.exec(text);
    if (end === null) break;
    rest += text.slice(from, start.index);
    from = end.index + end[0].length;
  }
  return rest + text.slice(from);
}

/** A hand-over in a fence or in tags, and what is said around it. */
interface Wrapped {
  before: string;
  inside: string;
  behind: string;
}

const MAX_LAYERS = 4;

function unwrapped(text: string): Wrapped {
  let all: Wrapped = { before: '', inside: text, behind: '' };
  for (let layer = 0; layer < MAX_LAYERS; layer++) {
    const next = inFence(all.inside) ?? inTag(all.inside);
    if (next === undefined) break;
    all = {
      before: `${all.before}\n${next.before}`,
      inside: next.inside.trim(),
      behind: `${next.behind}\n${all.behind}`,
    };
  }
  return all;
}

const TEXT_LANGUAGES = /^(?:markdown|md|text|txt|plaintext|plain|json|json5|xml|html|yaml|yml)?$/i;
/** How much may be said before and behind a fence around the whole. */
const MAX_AROUND = 400;

function inFence(text: string): Wrapped | undefined {
  const opening = /^ {0,3}(`{3,}|~{3,})[ \t]*([\w-]*)[ \t]*\n/m.exec(text);
  const [line = '', mark = '', language = ''] = opening ?? [];
  if (opening === null || !TEXT_LANGUAGES.test(language)) return undefined;
  const before = text.slice(0, opening.index);
  const from = opening.index + line.length;
  const fences = [...text.slice(from).matchAll(/^ {0,3}(?:`{3,}|~{3,})[^\n]*$/gm)];
  // Blocks of code with the hand-over between them.
  if (!isAround(before) || (language === '' && fences.length > 1)) return undefined;
  const last = fences.at(-1);
  // Cut off before its end.
  if (last === undefined || fences.length % 2 === 0)
    return { before, inside: text.slice(from), behind: '' };
  const behind = text.slice(from + last.index + last[0].length);
  if (!isAround(behind) || !last[0].trim().startsWith(mark)) return undefined;
  return { before, inside: text.slice(from, from + last.index), behind };
}

/** Short, and no list, heading or label. */
function isAround(text: string): boolean {
  return text.length <= MAX_AROUND && !/^\s*(?:#|[-*+] |\d+[.)] |\*\*|\|)/m.test(text);
}

const WRAPPER =
  /^[ \t]*<([\w -]{0,30}?(?:hand[-_ ]?(?:over|off)|summary|output|answer|result|response|document|notes?))>/im;

function inTag(text: string): Wrapped | undefined {
  const opening = WRAPPER.exec(text);
  const [tag = '', name = ''] = opening ?? [];
  if (opening === null || !isAround(text.slice(0, opening.index))) return undefined;
  const before = text.slice(0, opening.index);
  const from = opening.index + tag.length;
  const closing = `</${name.toLowerCase()}>`;
  const end = text.toLowerCase().lastIndexOf(closing);
  if (end >= from)
    return { before, inside: text.slice(from, end), behind: text.slice(end + closing.length) };
  // Cut off before its end, unless it is a tag that the text speaks of.
  return before.trim() === '' ? { before, inside: text.slice(from), behind: '' } : undefined;
}

/** `<goal>` … `</goal>`, where the name is one of a hand-over's parts. */
function tagsAsLabels(text: string): string {
  const closed = new Set(
    [...text.matchAll(/<\/([a-z][\w-]{1,30})>[ \t]*$/gim)].map(([, name = '']) => name),
  );
  return text
    .replace(/^[ \t]*<([a-z][\w-]{1,30})>[ \t]*\n?/gim, (all, name: string) =>
      closed.has(name) && isPart(name) ? `\n**${asTitle(name)}**\n` : all,
    )
    .replace(/[ \t]*<\/([a-z][\w-]{1,30})>[ \t]*$/gim, (all, name: string) =>
      isPart(name) ? '' : all,
    );
}

function isPart(name: string): boolean {
  return kindOf(asTitle(name)) !== 'other';
}

/** `nextStep` and `next_step` as `Next step`. */
function asTitle(name: string): string {
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const MIN_TABLE_LABELS = 3;
const ROW = /^\s*\|(.+)\|\s*$/;

/** A table with a part in each row: `| **Goal** | … |`. Any other table stays. */
function tablesAsLabels(text: string): string {
  const lines = linesOf(text);
  const rows = lines.map(({ line, isCode }) => (isCode ? undefined : partRow(line)));
  if (rows.filter((row) => row !== undefined).length < MIN_TABLE_LABELS) return text;
  const first = rows.findIndex((row) => row !== undefined);
  return lines
    .flatMap(({ line }, at) => {
      const row = rows[at];
      if (row !== undefined) return [`**${row.label}**`, ...row.text.split(/<br\s*\/?>/i), ''];
      const isHead = at < first && at >= first - 2 && ROW.test(line);
      return isHead ? [] : [line];
    })
    .join('\n');
}

function partRow(line: string): { label: string; text: string } | undefined {
  const cells = (ROW.exec(line)?.[1] ?? '').split(/(?<!\\)\|/).map((cell) => cell.trim());
  const label = (cells[0] ?? '').replace(/\*\*|__/g, '').trim();
  if (cells.length !== 2 || label === '' || kindOf(label) === 'other') return undefined;
  return { label, text: (cells[1] ?? '').replaceAll('\\|', '|') };
}

const MAX_TITLE_CHARS = 60;

/** A short line with dashes or equal signs below it. */
function underlinesAsHeadings(text: string): string {
  const lines = linesOf(text);
  const isUnderline = (at: number) => {
    const { line = '', isCode = true } = lines[at] ?? {};
    const above = lines[at - 1];
    return (
      !isCode &&
      /^(?:-{3,}|={3,})\s*$/.test(line) &&
      above?.isCode === false &&
      /^[\p{L}\p{N}]/u.test(above.line) &&
      above.line.length <= MAX_TITLE_CHARS &&
      (lines[at - 2]?.line ?? '').trim() === ''
    );
  };
  return lines
    .flatMap(({ line }, at) => {
      if (isUnderline(at)) return [];
      return [isUnderline(at + 1) ? `## ${line.trim()}` : line];
    })
    .join('\n');
}

/** A call of a tool, written down as text. */
function isToolCall(json: unknown): boolean {
  if (!isRecord(json)) return false;
  const hasInput = 'input' in json || 'arguments' in json || 'parameters' in json;
  return json.type === 'tool_use' || 'tool_calls' in json || (hasInput && !('goal' in json));
}

const MAX_DEPTH = 6;

function jsonLines(json: JsonRecord | unknown[]): string {
  let inner = json;
  // `{"handover": {…}}`
  for (let depth = 0; depth < MAX_DEPTH && isRecord(inner); depth++) {
    const values: unknown[] = Object.values(inner);
    const [only] = values;
    if (values.length !== 1 || (!isRecord(only) && !Array.isArray(only))) break;
    inner = only;
  }
  if (Array.isArray(inner)) return inner.map(sectionLines).join('\n\n');
  return Object.entries(inner)
    .map(([name, value]) => `**${asTitle(name)}**\n${valueLines(value, 0)}`)
    .join('\n\n');
}

/** `{"title": "Goal", "content": …}` */
function sectionLines(section: unknown): string {
  if (!isRecord(section)) return valueLines([section], 0);
  const entries = Object.entries(section);
  const title = entries.find(([name]) => /^(?:title|section|heading|name|label)$/i.test(name));
  if (title === undefined || typeof title[1] !== 'string') return valueLines([section], 0);
  const rest = entries.filter((entry) => entry !== title);
  return `**${title[1]}**\n${rest.map(([, value]) => valueLines(value, 0)).join('\n')}`;
}

function valueLines(value: unknown, depth: number): string {
  const indent = '  '.repeat(depth);
  if (depth > MAX_DEPTH) return `${indent}…`;
  if (Array.isArray(value)) return value.map((item) => itemLines(item, depth)).join('\n');
  if (!isRecord(value)) return indent + asText(value);
  return Object.entries(value)
    .map(([name, inner]) =>
      typeof inner === 'object' && inner !== null
        ? `${indent}- ${asTitle(name)}:\n${valueLines(inner, depth + 1)}`
        : `${indent}- ${asTitle(name)}: ${asText(inner)}`,
    )
    .join('\n');
}

function itemLines(item: unknown, depth: number): string {
  const indent = '  '.repeat(depth);
  if (!isRecord(item)) {
    return Array.isArray(item) ? valueLines(item, depth + 1) : `${indent}- ${asText(item)}`;
  }
  const values = Object.entries(item);
  if (values.some(([, value]) => typeof value === 'object' && value !== null))
    return valueLines(item, depth);
  const [[, first] = ['', '']] = values;
  const rest = values.slice(1).map(([name, value]) => `${asTitle(name)}: ${asText(value)}`);
  return `${indent}- ${[asText(first), ...rest].join('; ')}`;
}

function asText(value: unknown): string {
  return value === null || value === undefined ? '' : String(value);
}
