/**
 * Tells in a few lines what an edit changed (L1b): the lines that went, each behind a `-`, and those
 * that came, behind a `+`. Lines that both texts begin or end with are left out, and so are blank
 * lines and the indentation that all lines share.
 */
import { cleanHead, maySpanLines, type Redact } from './clean-cut.ts';

export interface Replacement {
  before: string;
  after: string;
}

/** What came tells more than what went. */
const MAX_REMOVED_CHARS = 600;
const MAX_ADDED_CHARS = 2000;
const MAX_LINES = 100;
/** Of a long line, so much before the first difference. */
const MAX_LEAD_CHARS = 60;
const MAX_REPLACEMENTS = 5;
/** Of longer texts only the part that is kept is redacted. */
const MAX_WHOLE_CHARS = 16 * 1024;

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

function changedLines({ before, after }: Replacement, redact: Redact): string {
  if (before.length + after.length > MAX_WHOLE_CHARS) return changedPart(before, after, redact);
  const { removed, added } = difference(redact(before), redact(after));
  const start = leadOf(removed[0], added[0]);
  return joined([
    marked('-', cut(removed, start, MAX_REMOVED_CHARS)),
    marked('+', cut(added, start, MAX_ADDED_CHARS)),
  ]);
}

/** Compares long texts as they are. Nothing is told of a part that may lie inside a secret. */
function changedPart(before: string, after: string, redact: Redact): string {
  if (maySpanLines(before) || maySpanLines(after)) return '';
  const { removed, added } = difference(before, after);
  const head = (lines: readonly string[], limit: number) =>
    cleanHead(lines.slice(0, MAX_LINES).join('\n'), limit, redact).split('\n');
  return joined([
    marked('-', head(removed, MAX_REMOVED_CHARS)),
    marked('+', head(added, MAX_ADDED_CHARS)),
  ]);
}

function difference(before: string, after: string): { removed: string[]; added: string[] } {
  const [old, now] = [linesOf(before), linesOf(after)];
  const most = Math.min(old.length, now.length);
  let first = 0;
  while (first < most && old[first] === now[first]) first++;
  let last = 0;
  while (last < most - first && old[old.length - 1 - last] === now[now.length - 1 - last]) last++;
  return {
    removed: old.slice(first, old.length - last),
    added: now.slice(first, now.length - last),
  };
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

/** Where to begin in two long lines that start alike. */
function leadOf(old = '', now = ''): number {
  let same = 0;
  while (same < old.length && old.charCodeAt(same) === now.charCodeAt(same)) same++;
  return same > 2 * MAX_LEAD_CHARS ? same - MAX_LEAD_CHARS : 0;
}

function cut(lines: readonly string[], start: number, limit: number): string[] {
  if (lines.length === 0) return [];
  const text = lines.slice(0, MAX_LINES).join('\n').slice(start);
  const shown = text.length <= limit ? text : `${text.slice(0, limit)}…`;
  return `${start > 0 ? '…' : ''}${shown}`.split('\n');
}

function marked(mark: string, lines: readonly string[]): string {
  const filled = lines.filter((line) => line.trim() !== '');
  const indent = Math.min(...filled.map((line) => line.search(/\S/)));
  return filled.map((line) => mark + line.slice(indent).trimEnd()).join('\n');
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}
