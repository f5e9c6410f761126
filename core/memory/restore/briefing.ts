/**
 * Writes the briefing of a new session (M13, K2): the work of the session that it continues, then
 * permanent rules, memory.md, facts and concepts. Chooses by priority within the room that the user
 * allows, and names what it had to leave out.
 */
import { join } from 'node:path';
import { escapeInLine } from '../../platform/text/escape-markers.ts';
import { shorten } from '../../platform/text/sentences.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import type { L1Entry } from '../log/l1-refine.ts';
import { readL1Tail } from '../log/l1-store.ts';
import type { MemoryIndex } from '../log/memory-index.ts';
import {
  contextEntry,
  RECENT_CONTEXT,
  splitEntries,
  splitSections,
} from '../memory-md/sections.ts';
import type { Digest } from '../state/digest.ts';
import { BriefingPages, MAX_PAGE_CHARS, TITLE_CHARS } from './briefing-pages.ts';
import { sessionWork } from './session-work.ts';

export interface BriefingSources {
  projectName: string;
  /** All that was said and done in the session that is continued. */
  work?: readonly L1Entry[] | undefined;
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
  /** The largest share of the briefing that it may take. */
  share?: number;
}

export const DEFAULT_BRIEFING_CHARS = 20_000;
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
  const newest = Object.values(sessions)
    .filter(({ file, l1Bytes, summarisedBytes = 0 }) => file !== '' && l1Bytes > summarisedBytes)
    .sort((a, b) => (a.file < b.file ? -1 : 1))
    .at(-1);
  if (newest === undefined) return '';
  return readL1Tail(join(memory.sessions, newest.file), TAIL_BYTES)
    .flatMap((entry) => (entry.role !== 'tool' && entry.ts > lastMemoryUpdateTs ? [entry] : []))
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
  const memory = memoryParts(sources).filter(isFilledPart);
  const memoryChars = Math.min(lengthOf(memory), pages.room * MEMORY_SHARE);
  const work = sessionWork(sources.work ?? [], pages.room - memoryChars);
  const leftOut = work.flatMap(({ title, more = 0 }) => (more > 0 ? `${more} of ${title}` : []));
  for (const { title, items } of work) pages.add(title, items);
  const all = pages.room;
  for (const part of memory) {
    const { items, missing } = fitting(part, Math.min(pages.room, all * (part.share ?? 1)));
    pages.add(part.title, items);
    if (missing > 0)
      leftOut.push(
        part.items.length + (part.more ?? 0) === 1 ? part.title : `${missing} of ${part.title}`,
      );
  }
  return pages.close(leftOutText(leftOut));
}

function isFilledPart({ items, more = 0 }: Part): boolean {
  return more > 0 || items.some((item) => item.trim() !== '');
}

const lengthOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, { title, items }) => sum + title.length + items.join('\n').length, 0);

function fitting({ title, items, more = 0 }: Part, room: number) {
  let left = room - title.length - TITLE_CHARS;
  let count = 0;
  for (const item of items) {
    left -= item.trim().length + 1;
    if (left < 0) break;
    count++;
  }
  return { items: items.slice(0, count), missing: items.length - count + more };
}

function memoryParts({ memory, digest, unsummarised = '' }: BriefingSources): Part[] {
  const { sections, newest, older } = partsOfMemoryMd(memory);
  return [
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
    ...lines('Patterns', digest?.patterns, 0.15),
    ...lines('Other notes', digest?.notes, 0.1),
  ];
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

/** `newest` and `older` (newest first) are entries of Recent Context. */
function partsOfMemoryMd(
  memory: string | undefined,
): Record<'sections' | 'newest' | 'older', Part[]> {
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
  const [first, ...others] = [earlier, ...entries.map(contextEntry)]
    .filter(({ body }) => body !== '')
    .reverse();
  const newest =
    first === undefined ? [] : [{ title: `Recent Context, ${first.stamp}`, items: [first.body] }];
  const older = {
    title: `Recent Context before ${first?.stamp}`,
    items: others.map(({ stamp, body }) => `### ${stamp}\n${body}`),
    more: hidden,
  };
  /** Has more than the labels and the date of the template. */
  const isFilled = (text: string) =>
    /[^\s:-]/.test(text.replace(/^- (?:(?:Version|Status):\s*|Last updated:.*)$/gm, ''));
  // Line by line, so that a long section shows at least its beginning.
  const sections = parts.flatMap(({ title, body }) =>
    title === undefined || title === RECENT_CONTEXT || !isFilled(body)
      ? []
      : [{ title, items: body.trim().split('\n'), share: 0.25 }],
  );
  return { sections, newest, older: others.length + hidden === 0 ? [] : [older] };
}

function leftOutText(titles: readonly string[]): string {
  if (titles.length === 0) return '';
  const named = titles.slice(0, 6).map((title) => escapeInLine(title.slice(0, 60)));
  const more =
    titles.length > named.length ? ` and ${titles.length - named.length} more parts` : '';
  return `Left out for want of room: ${named.join('; ')}${more}. \`memory-keeper memory search <words>\` finds them.`;
}
