/**
 * Writes the briefing of a new session (M13, K2): the work of the session that it continues, then
 * permanent rules, memory.md, facts and concepts. Chooses by priority within the room that the user
 * allows, and names what it had to leave out.
 */
import { join } from 'node:path';
import { escapeInLine, escapeMarkers } from '../../platform/text/escape-markers.ts';
import { shorten } from '../../platform/text/sentences.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { handOverWithin, mainPoints } from '../log/hand-over-parts.ts';
import type { L1Entry } from '../log/l1-refine.ts';
import { readL1Range, readL1Tail } from '../log/l1-store.ts';
import type { MemoryIndex, SessionProgress } from '../log/memory-index.ts';
import { asPlainText } from '../memory-md/memory-md.ts';
import {
  contextEntry,
  EARLIER_SESSIONS,
  RECENT_CONTEXT,
  type Section,
  splitEntries,
  splitSections,
} from '../memory-md/sections.ts';
import type { Digest } from '../state/digest.ts';
import { BriefingPages, MAX_PAGE_CHARS, TITLE_CHARS } from './briefing-pages.ts';
import type { WorkPart } from './budget.ts';
import { sessionWork } from './session-work.ts';
import { inOneLine } from './work-lines.ts';

export interface BriefingSources {
  projectName: string;
  /** All that was said and done in the session that is continued. */
  work?: readonly L1Entry[] | undefined;
  /** The hand-over that the session's model wrote before the clear (K3). */
  written?: string | undefined;
  /** The text of memory.md. */
  memory: string | undefined;
  digest?: Digest | undefined;
  /** The last entries that no summary covers yet. */
  unsummarised?: string;
}

interface Part {
  title: string;
  /** As many as fit are shown, beginning with the first. */
  items: string[];
  /** How many more items exist. */
  more?: number;
  /** In place of items: a text that is cut by its own parts, if there is too little room. */
  text?: string;
  /** The largest share of the briefing that it may take. */
  share?: number;
}

const DEFAULT_BRIEFING_CHARS = 20_000;
/** As much of a part as there is room for. */
interface Fitted extends WorkPart {
  /** Its only text was shortened. */
  isCut?: true;
}

/** What the memory of the project may take of a briefing that continues a session. */
const MEMORY_SHARE = 0.3;
const MAX_UNSUMMARISED = 6;
const MAX_ENTRY_CHARS = 400;
const TAIL_BYTES = 32 * 1024;
/** `Assistant:` would be a marker of whose turn it is. */
const SPEAKERS = { user: 'The user', assistant: 'Claude' } as const;

/** The last entries of the newest session, if memory.md does not reflect them yet (M13). */
export function unsummarisedText(
  memory: ProjectMemory,
  { sessions, lastMemoryUpdateTs = '' }: MemoryIndex,
): string {
  const isLeft = ({ l1Bytes, summarisedBytes = 0 }: SessionProgress) => l1Bytes > summarisedBytes;
  const newest = newestFile(Object.values(sessions).filter(isLeft));
  if (newest === '') return '';
  const tail = readL1Tail(join(memory.sessions, newest), TAIL_BYTES);
  return lastWords(tail.filter(({ ts }) => ts > lastMemoryUpdateTs));
}

/** The last entries of the newest session, whatever memory.md says of it. */
export function lastWordsText(memory: ProjectMemory, { sessions }: MemoryIndex): string {
  const newest = newestFile(Object.values(sessions));
  return newest === '' ? '' : lastWords(readL1Range(memory, newest) ?? []);
}

/** Empty if there is none; the names begin with the time. */
function newestFile(sessions: readonly SessionProgress[]): string {
  return (
    sessions
      .map(({ file }) => file)
      .sort()
      .at(-1) ?? ''
  );
}

function lastWords(entries: readonly L1Entry[]): string {
  return entries
    .flatMap((entry) => (entry.role === 'tool' ? [] : [entry]))
    .slice(-MAX_UNSUMMARISED)
    .map(({ role, text }) => `${SPEAKERS[role]}: ${shorten(text, MAX_ENTRY_CHARS)}`)
    .join('\n');
}

/**
 * One text for each hook entry, together at most `maxChars` long; none if there is nothing to
 * restore.
 */
export function composeBriefing(
  sources: BriefingSources,
  maxChars = DEFAULT_BRIEFING_CHARS,
): string[] {
  const pages = new BriefingPages(sources.projectName, maxChars);
  const { handedOver, parts } = memoryParts(sources);
  const memory = parts.filter(isFilledPart);
  const memoryChars = Math.min(lengthOf(memory), pages.room * MEMORY_SHARE);
  const room = pages.room - memoryChars;
  const written = handedOver.map((part) => fitting(part, room * (part.share ?? 1)));
  const work = sessionWork(sources.work ?? [], room, written);
  const leftOut = [...written, ...work].flatMap(missingText);
  for (const { title, items } of work) pages.add(title, items);
  const all = pages.room;
  for (const part of memory) {
    const fitted = fitting(part, Math.min(pages.room, all * (part.share ?? 1)));
    pages.add(fitted.title, fitted.items);
    leftOut.push(...missingText(fitted));
  }
  return pages.close(leftOutText(leftOut));
}

function isFilledPart({ items, more = 0, text = '' }: Part): boolean {
  return more > 0 || [text, ...items].some((item) => item.trim() !== '');
}

const lengthOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, { title, items, text = '' }) => {
    return sum + title.length + text.length + items.join('\n').length;
  }, 0);

function missingText({ title, items, more = 0, isCut }: Fitted): string[] {
  if (isCut) return [`the rest of ${title}`];
  if (more === 0) return [];
  return [items.length + more === 1 ? title : `${more} of ${title}`];
}

/** Less of a text is of no use. */
const MIN_TEXT_CHARS = 200;

function fitting({ title, items, more = 0, text }: Part, room: number): Fitted {
  let left = Math.floor(room) - title.length - TITLE_CHARS;
  if (text !== undefined) {
    const whole = escapeMarkers(text.trim());
    if (whole.length <= left) return { title, items: [whole] };
    if (left < MIN_TEXT_CHARS) return { title, items: [], more: 1 };
    return { title, items: [handOverWithin(whole, left)], isCut: true };
  }
  let count = 0;
  for (const item of items) {
    left -= item.trim().length + 1;
    if (left < 0) break;
    count++;
  }
  const missing = items.length - count + more;
  return { title, items: items.slice(0, count), ...(missing > 0 && { more: missing }) };
}

/** What the project remembers, by priority; the hand-over by the model belongs to the work. */
function memoryParts(sources: BriefingSources): { handedOver: Part[]; parts: Part[] } {
  const { written, memory, digest, unsummarised = '' } = sources;
  const { sections, handedOver, newest, older, past } = partsOfMemoryMd(
    memory,
    written,
    requestsIn(sources.work ?? []),
  );
  const parts = [
    ...lines('Permanent rules', digest?.permanent, 0.35),
    ...newest,
    ...lines('Open issues', digest?.issues, 0.15),
    ...sections,
    ...(unsummarised === ''
      ? []
      : [{ title: 'Last said, not summarised yet', items: [unsummarised], share: 0.3 }]),
    ...lines('Decisions, newest first', digest?.decisions, 0.25),
    ...lines('Concepts of the project', digest?.concepts, 0.15),
    ...older,
    ...past,
    ...lines('Patterns', digest?.patterns, 0.15),
    ...lines('Other notes', digest?.notes, 0.1),
  ];
  return { handedOver, parts };
}

function lines(title: string, list: Digest['decisions'] | undefined, share: number): Part[] {
  if (list === undefined || list.lines.length === 0) return [];
  return [
    {
      title,
      items: list.lines.map((line) => `- ${line}`),
      more: list.total - list.lines.length,
      share,
    },
  ];
}

/**
 * `newest` and `older` (newest first) are entries of Recent Context, `past` lines about sessions. Of
 * the hand-over that was `written` the entry has the main points: the whole takes its place, unless
 * a person has changed or removed it.
 */
function partsOfMemoryMd(
  memory: string | undefined,
  written: string | undefined,
  asked: string,
): Record<'sections' | 'handedOver' | 'newest' | 'older' | 'past', Part[]> {
  const parts = splitSections(memory ?? '');
  const recent = parts.find(({ title }) => title === RECENT_CONTEXT)?.body ?? '';
  // Of a long section only its end can fit; the entries before it are counted.
  const isLong = recent.length > 2 * MAX_PAGE_CHARS;
  const start = isLong ? recent.indexOf('\n### ', recent.length - 2 * MAX_PAGE_CHARS) + 1 : 0;
  const hidden = recent.slice(0, start).split('\n### ').length - 1;
  const { before, entries } = splitEntries(recent.slice(start));
  const earlier = before.trim().startsWith('### ')
    ? contextEntry(before.trim())
    : { stamp: '', body: before.trim() };
  const known = [earlier, ...entries.map(contextEntry)].filter(({ body }) => body !== '').reverse();
  const points = written === undefined ? '' : asPlainText(mainPoints(written));
  const entry = known.find(({ body }) => body === points);
  const handedOver =
    entry === undefined || written === undefined
      ? []
      : [textPart(`Hand-over by the model, ${entry.stamp}`, written)];
  const [first, ...others] = known.filter(
    (each) => each !== entry && !isToldByWork(each.body, asked),
  );
  const newest =
    first === undefined ? [] : [textPart(`Recent Context, ${first.stamp}`, first.body)];
  const older = {
    title: `Recent Context before ${first?.stamp}`,
    items: others.map(({ stamp, body }) => `### ${stamp}\n${body}`),
    more: hidden,
  };
  /** Has more than the labels and the date of the template. */
  const isFilled = (text: string) =>
    /[^\s:-]/.test(text.replace(/^- (?:(?:Version|Status):\s*|Last updated:.*)$/gm, ''));
  // Line by line, so that a long section shows at least its beginning.
  const asPart = ({ title = '', body }: Section) => ({
    title,
    items: body.trim().split('\n'),
    share: 0.25,
  });
  const filled = parts.filter(
    ({ title, body }) => title !== undefined && title !== RECENT_CONTEXT && isFilled(body),
  );
  const past = filled.filter(({ title }) => title === EARLIER_SESSIONS).map(asPart);
  return {
    sections: filled.filter(({ title }) => title !== EARLIER_SESSIONS).map(asPart),
    handedOver,
    newest,
    older: others.length + hidden === 0 ? [] : [older],
    past: past.map((part) => ({ ...part, items: part.items.reverse() })),
  };
}

/** Of each request so much is enough to know it again. */
const KNOWN_CHARS = 60;

/** How each request begins, one a line. */
function requestsIn(work: readonly L1Entry[]): string {
  return work
    .flatMap((entry) => (entry.role === 'user' ? inOneLine(entry.text.slice(0, 400)) : []))
    .join('\n');
}

/** A summary without a model begins with the request; of a session whose work is told it adds nothing. */
function isToldByWork(summary: string, asked: string): boolean {
  const [request = ''] = summary.split(/ → | \/ /);
  const known = inOneLine(request).slice(0, KNOWN_CHARS).trimEnd();
  return known !== '' && summary.includes(' → ') && asked.includes(known);
}

/** Leaves most of the room to everything else. */
function textPart(title: string, text: string): Part {
  return { title, items: [], text, share: 0.4 };
}

function leftOutText(titles: readonly string[]): string {
  if (titles.length === 0) return '';
  const named = titles.slice(0, 6).map((title) => escapeInLine(title.slice(0, 60)));
  const more =
    titles.length > named.length ? ` and ${titles.length - named.length} more parts` : '';
  return `Left out for want of room: ${named.join('; ')}${more}. \`memory-keeper memory search <words>\` finds them.`;
}
