/**
 * The sessions that a backfill brought, in memory.md (L1d): the newest with their story as entries of
 * Recent Context, in the order of their dates among the others; the older ones a line each in Earlier
 * Sessions, as many as a reader wants to see, and the number of the rest. What becomes a line is kept
 * word for word in the archive.
 */
import { shorten } from '../../platform/text/sentences.ts';
import { asPlainText, type RotatedEntries, sectionOf } from './memory-md.ts';
import {
  contextEntry,
  EARLIER_SESSIONS,
  joinSections,
  RECENT_CONTEXT,
  type Section,
  splitEntries,
  splitSections,
} from './sections.ts';

export interface SessionEntry {
  /** `YYYY-MM-DD_HHMM`: when the session began. */
  stamp: string;
  name: string;
  story: string;
}

const STAMP_LENGTH = 'YYYY-MM-DD_HHMM'.length;
const DAY_LENGTH = 'YYYY-MM-DD'.length;
/** More would leave the briefing no room for what else is known. */
const TOLD_IN_FULL = 8;
const MAX_LINES = 60;
const MAX_LINE_CHARS = 180;
const REST = /^- … and (\d+) earlier/;

/** What its entry is called; no line break can end the heading. */
export function sessionHeading({ stamp, name }: Pick<SessionEntry, 'stamp' | 'name'>): string {
  return `${stamp} ${name.replace(/\s+/g, ' ').trim()}`.trim();
}

export function addSessionEntry(text: string, entry: SessionEntry): RotatedEntries {
  const parts = splitSections(text);
  const heading = sessionHeading(entry);
  const recent = sectionOf(parts, RECENT_CONTEXT);
  const { before, entries } = splitEntries(recent.body);
  if (hasEntry(parts, heading, entries)) return { text, rotated: [] };
  const block = `### ${heading}\n\n${asPlainText(entry.story)}\n\n`;
  const later = entries.findIndex((other) => stampOf(other) > entry.stamp);
  const at = later < 0 ? entries.length : later;
  const earlier = entries.slice(0, at).map(withGap);
  const rest = entries.slice(at);
  const all = [...earlier, block, ...rest];
  const rotated = [];
  while (all.filter(isOfSession).length > TOLD_IN_FULL) {
    const oldest = all.findIndex(isOfSession);
    const [told = ''] = all.splice(oldest, 1);
    rotated.push(contextEntry(told));
    addLine(parts, contextEntry(told).stamp, lineOf(told));
  }
  recent.body = `${before.trim() === '' ? '\n' : withGap(before)}${all.join('')}`;
  updateDate(parts, entry.stamp.slice(0, DAY_LENGTH));
  return { text: joinSections(parts), rotated };
}

/** Takes the entries and lines of sessions out again. */
export function withoutSessionEntries(
  text: string,
  { headings }: { headings: readonly string[] },
): string {
  const gone = new Set(headings);
  const parts = splitSections(text);
  for (const part of parts) {
    if (part.title === RECENT_CONTEXT) {
      const { before, entries } = splitEntries(part.body);
      part.body = before + entries.filter((entry) => !gone.has(contextEntry(entry).stamp)).join('');
    }
    if (part.title === EARLIER_SESSIONS) takeLines(part, headings);
  }
  const left = parts.filter(({ title, body }) => title !== EARLIER_SESSIONS || body.trim() !== '');
  return joinSections(left);
}

function takeLines(part: Section, headings: readonly string[]): void {
  const { lines, rest } = linesIn(part);
  const isGone = (line: string) => headings.some((heading) => line.startsWith(`- ${heading}`));
  const kept = lines.filter((line) => !isGone(line));
  const uncounted = headings.length - (lines.length - kept.length);
  part.body = bodyOf(kept, Math.max(0, rest - Math.max(0, uncounted)));
}

function hasEntry(parts: readonly Section[], heading: string, entries: readonly string[]): boolean {
  if (entries.some((entry) => contextEntry(entry).stamp === heading)) return true;
  const section = parts.find(({ title }) => title === EARLIER_SESSIONS);
  return (
    section !== undefined && linesIn(section).lines.some((line) => line.startsWith(`- ${heading}`))
  );
}

/** Our own entries have a name behind the stamp; summaries of deltas have none. */
function isOfSession(entry: string): boolean {
  return contextEntry(entry).stamp.length > STAMP_LENGTH;
}

function stampOf(entry: string): string {
  return contextEntry(entry).stamp.slice(0, STAMP_LENGTH);
}

function lineOf(entry: string): string {
  const { stamp: heading, body } = contextEntry(entry);
  const [, ending = ''] = /^Ended: (.*)$/m.exec(body) ?? [];
  return `- ${shorten(ending === '' ? heading : `${heading}: ${ending}`, MAX_LINE_CHARS)}`;
}

/** In the order of dates; the oldest that are too many are only counted. */
function addLine(parts: Section[], heading: string, line: string): void {
  const section = sectionOf(parts, EARLIER_SESSIONS);
  const { lines, rest } = linesIn(section);
  const later = lines.findIndex((other) => other.slice(2, 2 + STAMP_LENGTH) > heading);
  lines.splice(later < 0 ? lines.length : later, 0, line);
  const tooMany = Math.max(0, lines.length - MAX_LINES);
  section.body = bodyOf(lines.slice(tooMany), rest + tooMany);
}

function linesIn({ body }: Section): { lines: string[]; rest: number } {
  const all = body.split('\n').filter((line) => line.trim() !== '');
  const rest = Number(all.map((line) => REST.exec(line)?.[1]).find(Boolean) ?? 0);
  return { lines: all.filter((line) => !REST.test(line)), rest };
}

function bodyOf(lines: readonly string[], rest: number): string {
  const more =
    rest > 0
      ? [`- … and ${rest} earlier (\`memory-keeper memory search <words>\` finds them)`]
      : [];
  return lines.length + more.length === 0 ? '' : `\n${[...more, ...lines].join('\n')}\n\n`;
}

function withGap(text: string): string {
  return `${text.trimEnd()}\n\n`;
}

/** Of Current State, unless something newer is known. */
function updateDate(parts: readonly Section[], day: string): void {
  const state = parts.find(({ title }) => title === 'Current State');
  const [, known = ''] = /^- Last updated:(.*)$/m.exec(state?.body ?? '') ?? [];
  if (state !== undefined && known.trim() < day)
    state.body = state.body.replace(/^(- Last updated:).*$/m, `$1 ${day}`);
}
