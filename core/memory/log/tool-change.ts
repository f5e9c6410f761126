/**
 * Tells in a few lines what an edit changed (L1b): the lines that went, each behind a `-`, and those
 * that came, behind a `+`. Of the lines that both texts begin with the last is told, behind a blank:
 * it says where. Blank lines and the indentation that all lines share are left out.
 */
import { cleanHead, maySpanLines, type Redact } from './clean-cut.ts';

export interface Replacement {
  before: string;
  after: string;
}

/** What came tells more than what went. */
const MAX_REMOVED_CHARS = 200;
const MAX_ADDED_CHARS = 1000;
const MAX_LINES = 100;
/** Of the line before the change, which says where it is. */
const MAX_PLACE_CHARS = 90;
/** Of a long line, so much before the first difference. */
const MAX_LEAD_CHARS = 60;
const MAX_REPLACEMENTS = 5;
/** Differences behind this many characters of a line are not looked for. */
const MAX_LINE_CHARS = 4096;
const MAX_CONTEXT_CHARS = 200;
/** More than this is not redacted as a whole. */
const MAX_WHOLE_CHARS = 64 * 1024;

export function changeOf(replacements: readonly Replacement[], redact: Redact): string {
  const changes = replacements
    .slice(0, MAX_REPLACEMENTS)
    .map((replacement) => changedLines(replacement, redact));
  const more = replacements.length - MAX_REPLACEMENTS;
  return joined([...changes, more > 0 ? `… ${more} more` : '']);
}

/** The first lines of a text that was written as a whole. */
export function writtenLines(text: string, redact: Redact): string {
  return marked('+', cleanHead(text, MAX_ADDED_CHARS, redact).split('\n'));
}

function changedLines(replacement: Replacement, redact: Redact): string {
  const { before, after } = replacement;
  if (!maySpanLines(before) && !maySpanLines(after)) return shownChange(replacement, redact);
  // A part of such a text may lie inside a secret, so that all of it has to be redacted.
  if (before.length + after.length > MAX_WHOLE_CHARS) return '';
  return shownChange({ before: redact(before), after: redact(after) }, redact);
}

function shownChange({ before, after }: Replacement, redact: Redact): string {
  const { same, beforeSame, removed, added } = difference(before, after);
  const lead = leadOf(removed[0], added[0]);
  const [old, now] = [
    cleanPart(same, removed, lead + MAX_REMOVED_CHARS, redact),
    cleanPart(same, added, lead + MAX_ADDED_CHARS, redact),
  ];
  const start = leadOf(old[0], now[0]);
  const change = joined([marked('-', from(start, old)), marked('+', from(start, now))]);
  if (change === '' || same === '') return change;
  const [line = ''] = cleanPart(beforeSame, [same], MAX_PLACE_CHARS, redact);
  return joined([line.trim() && ` ${line.trim()}`, change]);
}

/** The line before the part may name what stands in it: "password:". */
function cleanPart(
  before: string,
  lines: readonly string[],
  limit: number,
  redact: Redact,
): string[] {
  if (lines.length === 0) return [];
  const context = before.slice(-MAX_CONTEXT_CHARS);
  const part = `${context}\n${lines.slice(0, MAX_LINES).join('\n')}`;
  const clean = cleanHead(part, context.length + 1 + limit, redact);
  return clean.slice(clean.indexOf('\n') + 1).split('\n');
}

/** `same` is the last line before the difference. */
function difference(
  before: string,
  after: string,
): { same: string; beforeSame: string; removed: string[]; added: string[] } {
  const [old, now] = [linesOf(before), linesOf(after)];
  const most = Math.min(old.length, now.length);
  let first = 0;
  while (first < most && old[first] === now[first]) first++;
  let last = 0;
  while (last < most - first && old[old.length - 1 - last] === now[now.length - 1 - last]) last++;
  return {
    same: old[first - 1] ?? '',
    beforeSame: old[first - 2] ?? '',
    removed: old.slice(first, old.length - last),
    added: now.slice(first, now.length - last),
  };
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

/** Where to begin in two long lines that start alike. */
function leadOf(old = '', now = ''): number {
  const most = Math.min(old.length, MAX_LINE_CHARS);
  let same = 0;
  while (same < most && old.charCodeAt(same) === now.charCodeAt(same)) same++;
  return same > 2 * MAX_LEAD_CHARS ? same - MAX_LEAD_CHARS : 0;
}

function from(start: number, lines: readonly string[]): string[] {
  if (start === 0 || lines.length === 0) return [...lines];
  return [`…${(lines[0] ?? '').slice(start)}`, ...lines.slice(1)];
}

function marked(mark: string, lines: readonly string[]): string {
  const filled = lines.filter((line) => line.trim() !== '');
  const indent = Math.min(...filled.map((line) => line.search(/\S/)));
  return filled.map((line) => mark + line.slice(indent).trimEnd()).join('\n');
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}
