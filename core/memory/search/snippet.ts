/**
 * Cuts the words around the best match out of a text (M17): one line of about 160 characters, plain
 * text without control characters and without half a character at its ends.
 */
import { analyse, scanChunks, termsOf } from './tokenize.ts';

const SNIPPET_CHARS = 160;
/** How much of the line stands before the first match. */
const LEAD_CHARS = 40;
/** How far a cut may move to fall between two words. */
const WORD_CHARS = 16;
/** Matches further on are ignored. */
const MAX_TEXT = 200_000;

interface Match {
  at: number;
  terms: string[];
}

export function snippet(text: string, terms: readonly string[]): string {
  const line = plainLine(text);
  const lastStart = line.length - SNIPPET_CHARS;
  if (lastStart <= 0) return line;
  const first = bestWindow(matchesIn(line, new Set(terms)));
  const start =
    first <= LEAD_CHARS ? 0 : wordStart(line, Math.min(first - LEAD_CHARS, lastStart), first);
  const end = start >= lastStart ? line.length : wordEnd(line, start + SNIPPET_CHARS);
  return `${start > 0 ? '…' : ''}${line.slice(start, end).trim()}${end < line.length ? '…' : ''}`;
}

/** Without control, format (bidirectional overrides too), private and broken characters. */
function plainLine(text: string): string {
  return text
    .slice(0, MAX_TEXT)
    .normalize('NFC')
    .replace(/[\s\p{Cc}\p{Z}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Co}\p{Cs}]/gu, '')
    .trim();
}

function matchesIn(line: string, wanted: ReadonlySet<string>): Match[] {
  const matches: Match[] = [];
  scanChunks(line, (at, end) => {
    const terms = termsOf(analyse(line.slice(at, end))).filter((term) => wanted.has(term));
    if (terms.length > 0) matches.push({ at, terms });
  });
  return matches;
}

/** Where the first window begins that shows the most terms. */
function bestWindow(matches: readonly Match[]): number {
  const shown = new Map<string, number>();
  let best = { at: 0, terms: 0 };
  let last = 0;
  for (const first of matches) {
    const end = first.at + SNIPPET_CHARS - LEAD_CHARS;
    for (let next = matches[last]; next !== undefined && next.at < end; next = matches[++last])
      countTerms(shown, next, 1);
    if (shown.size > best.terms) best = { at: first.at, terms: shown.size };
    countTerms(shown, first, -1);
  }
  return best.at;
}

function countTerms(shown: Map<string, number>, { terms }: Match, by: 1 | -1): void {
  for (const term of terms) {
    const count = (shown.get(term) ?? 0) + by;
    if (count > 0) shown.set(term, count);
    else shown.delete(term);
  }
}

function wordStart(line: string, at: number, before: number): number {
  const space = line.indexOf(' ', at);
  if (space >= 0 && space < Math.min(at + WORD_CHARS, before)) return space + 1;
  return isInsidePair(line, at) ? at + 1 : at;
}

function wordEnd(line: string, at: number): number {
  const space = line.lastIndexOf(' ', at);
  if (space > at - WORD_CHARS) return space;
  return isInsidePair(line, at) ? at - 1 : at;
}

function isInsidePair(line: string, at: number): boolean {
  return line.codePointAt(at - 1) !== line.charCodeAt(at - 1);
}
