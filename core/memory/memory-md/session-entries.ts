/**
 * The sessions that a backfill brought, in memory.md (L1d): the newest with their story as entries of
 * Recent Context, in the order of their dates among the others; the older ones a line each in Earlier
 * Sessions, as many as a reader wants to see, and the number of the rest. What becomes a line is kept
 * word for word in the archive.
 */
import { shorten } from '../../platform/text/sentences.ts';
import { asPlainText, type RotatedEntries, sectionOf } from './memory-md.ts';
import {
  type ContextEntry,
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
const LINE = /^- \d{4}-\d{2}-\d{2}_\d{4}/;
const REST = /^- … and (\d+) earlier/;

/** What its entry is called; no line break can end the heading. */
export function sessionHeading({ stamp, name }: Pick<SessionEntry, 'stamp' | 'name'>): string {
  return `${stamp} ${name.replace(/\s+/g, ' ').trim()}`.trim();
}

export function addSessionEntry(text: string, entry: SessionEntry): RotatedEntries {
  const parts = splitSections(text);
  const recent = sectionOf(parts, RECENT_CONTEXT);
  const { before, entries } = splitEntries(recent.body);
  const block = `### ${sessionHeading(entry)}\n\n${asPlainText(entry.story)}\n\n`;
  if (isThere(parts, entries, block)) return { text, rotated: [] };
  const later = entries.findIndex((other) => stampOf(other) > entry.stamp);
  const at = later < 0 ? entries.length : later;
  const all = [...entries.slice(0, at).map(withGap), block, ...entries.slice(at)];
  const rotated: ContextEntry[] = [];
  while (all.filter(isOfSession).length > TOLD_IN_FULL) {
    const [told = ''] = all.splice(all.findIndex(isOfSession), 1);
    rotated.push(contextEntry(told));
    addLine(parts, lineOf(told));
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
  const recent = parts.find(({ title }) => title === RECENT_CONTEXT);
  const { before, entries } = splitEntries(recent?.body ?? '');
  const left = entries.filter((entry) => !gone.has(contextEntry(entry).stamp));
  if (recent !== undefined && left.length < entries.length) recent.body = before + left.join('');
  const earlier = parts.find(({ title }) => title === EARLIER_SESSIONS);
  if (earlier !== undefined) takeLines(earlier, headings, entries.length - left.length);
  return joinSections(parts.filter((part) => part !== earlier || part.body.trim() !== ''));
}

/** Those that have neither an entry nor a line are among the counted ones. */
function takeLines(part: Section, headings: readonly string[], taken: number): void {
  const { own, lines, rest } = linesIn(part);
  const isGone = (line: string) => headings.some((heading) => line.startsWith(`- ${heading}`));
  const kept = lines.filter((line) => !isGone(line));
  const counted = headings.length - taken - (lines.length - kept.length);
  part.body = bodyOf({ own, lines: kept, rest: Math.max(0, rest - Math.max(0, counted)) });
}

/** An interrupted run may have added it already. */
function isThere(parts: readonly Section[], entries: readonly string[], block: string): boolean {
  if (entries.some((entry) => entry.trimEnd() === block.trimEnd())) return true;
  const section = parts.find(({ title }) => title === EARLIER_SESSIONS);
  return section !== undefined && linesIn(section).lines.includes(lineOf(block));
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

interface Lines {
  /** What people wrote there. */
  own: string[];
  lines: string[];
  /** How many sessions have no line any more. */
  rest: number;
}

/** In the order of dates; the oldest that are too many are only counted. */
function addLine(parts: Section[], line: string): void {
  const section = sectionOf(parts, EARLIER_SESSIONS);
  const { own, lines, rest } = linesIn(section);
  const dayOf = (text: string) => text.slice('- '.length, '- '.length + STAMP_LENGTH);
  const later = lines.findIndex((other) => dayOf(other) > dayOf(line));
  lines.splice(later < 0 ? lines.length : later, 0, line);
  const tooMany = Math.max(0, lines.length - MAX_LINES);
  section.body = bodyOf({ own, lines: lines.slice(tooMany), rest: rest + tooMany });
}

function linesIn({ body }: Section): Lines {
  const all = body.split('\n').filter((line) => line.trim() !== '');
  const rest = Number(all.map((line) => REST.exec(line)?.[1]).find(Boolean) ?? 0);
  return {
    own: all.filter((line) => !LINE.test(line) && !REST.test(line)),
    lines: all.filter((line) => LINE.test(line)),
    rest,
  };
}

function bodyOf({ own, lines, rest }: Lines): string {
  const more =
    rest > 0
      ? [`- … and ${rest} earlier (\`memory-keeper memory search <words>\` finds them)`]
      : [];
  const all = [...own, ...more, ...lines];
  return all.length === 0 ? '' : `\n${all.join('\n')}\n\n`;
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
