/**
 * Changes memory.md (M3, F6), which a person and Claude read first. What people wrote into it stays
 * as it is, to the byte: we only add text, and replace what changed.
 */
import { estimateTokens } from '../../platform/text/estimate-tokens.ts';
import { firstSentence, shorten } from '../../platform/text/sentences.ts';
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

/** In the order of the file. */
const SECTIONS = [
  'Core Decisions',
  'Current State',
  RECENT_CONTEXT,
  EARLIER_SESSIONS,
  'Known Issues',
] as const;
const STATE_TEMPLATE = '- Version: \n- Status: \n- Last updated: ';

export interface RotatedEntries {
  text: string;
  /** The oldest entries, oldest first, that no longer fit. */
  rotated: ContextEntry[];
}

/** A section of memory.md, or one entry of Recent Context. */
export interface MemoryPart {
  /** The section's title; empty for the text before the first one. */
  part: string;
  /** The entry's stamp, with `#2` for a second one of that minute; empty for a section. */
  id: string;
  text: string;
}

export function newMemoryMd(projectName: string): string {
  const sections = SECTIONS.filter((title) => title !== EARLIER_SESSIONS).map(
    (title) => `## ${title}\n${title === 'Current State' ? `\n${STATE_TEMPLATE}\n` : ''}`,
  );
  return `# Project Memory: ${projectName}\n\n${sections.join('\n')}`;
}

/** Adds a summary as the newest entry of Recent Context; updates the date of Current State. */
export function addRecentContext(text: string, stamp: string, summary: string): string {
  const parts = splitSections(text);
  // An interrupted run may have added it already.
  if (!addEntry(parts, stamp, asPlainText(summary))) return text;
  const state = parts.find(({ title }) => title === 'Current State');
  const day = stamp.slice(0, 'YYYY-MM-DD'.length);
  if (state !== undefined) state.body = state.body.replace(/^(- Last updated:).*$/m, `$1 ${day}`);
  return joinSections(parts);
}

/** Moves the oldest entries out until the text is within `maxTokens`; a short summary stays. */
export function rotateRecentContext(text: string, maxTokens: number): RotatedEntries {
  const parts = splitSections(text);
  const recent = parts.find(({ title }) => title === RECENT_CONTEXT);
  if (recent === undefined) return { text, rotated: [] };
  const { before, entries } = splitEntries(recent.body);
  const tokens = estimateTokens(text);
  let excess = tokens > maxTokens ? tokens - maxTokens * ROTATE_TO : 0;
  const rotated: ContextEntry[] = [];
  while (excess > 0 && entries.length > 1) {
    const entry = entries.shift() as string;
    excess -= estimateTokens(entry);
    rotated.push(contextEntry(entry));
  }
  if (rotated.length === 0) return { text, rotated };
  recent.body = withEarlier(before, rotated, maxTokens) + entries.join('');
  return { text: joinSections(parts), rotated };
}

/** With the m flag the text ends with its line: people may write below it. */
const EARLIER = /^### Earlier \((\S+) to (\S+)\)\n+([\s\S]*?)\s*$/m;
const MAX_EARLIER_CHARS = 2000;
/** Makes more room than needed, so that not every new entry moves an old one. */
const ROTATE_TO = 0.75;
const EARLIER_CHARS_PER_TOKEN_OF_ALL = 0.3;

/** Summarises rotated entries without a model: the first sentence of each, the newest that fit. */
function withEarlier(before: string, rotated: readonly ContextEntry[], maxTokens: number): string {
  const limit = Math.min(MAX_EARLIER_CHARS, Math.floor(maxTokens * EARLIER_CHARS_PER_TOKEN_OF_ALL));
  const [all = '', from = rotated[0]?.stamp, , summary = ''] = EARLIER.exec(before) ?? [];
  const sentences = [summary, ...rotated.map(({ body }) => firstSentence(body))]
    .filter((sentence) => sentence !== '')
    .join(' ');
  const text = sentences.length > limit ? `…${sentences.slice(-limit)}` : sentences;
  const rest = before.replace(all, '').trimEnd();
  return `${rest === '' ? '' : `${rest}\n`}\n### Earlier (${from} to ${rotated.at(-1)?.stamp})\n\n${text}\n\n`;
}

export interface EarlierContext {
  /** Stamp of the newest rotated entry. */
  upTo: string;
  summary: string;
}

/** The summary of rotated entries; undefined if nothing was ever rotated. */
export function earlierContext(text: string): EarlierContext | undefined {
  const recent = splitSections(text).find(({ title }) => title === RECENT_CONTEXT);
  const match = recent && EARLIER.exec(splitEntries(recent.body).before);
  return match ? { upTo: match[2] ?? '', summary: match[3] ?? '' } : undefined;
}

/** Replaces the summary of rotated entries, unless more were rotated meanwhile. */
export function replaceEarlier(text: string, upTo: string, summary: string): string {
  const parts = splitSections(text);
  const recent = parts.find(({ title }) => title === RECENT_CONTEXT);
  if (recent === undefined || earlierContext(text)?.upTo !== upTo) return text;
  const short = shorten(asPlainText(summary).replace(/\s+/g, ' '), MAX_EARLIER_CHARS);
  recent.body = recent.body.replace(EARLIER, (all) => `${all.split('\n')[0]}\n\n${short}\n`);
  return joinSections(parts);
}

export function memoryParts(text: string): MemoryPart[] {
  return splitSections(text).flatMap(({ title, body }) => {
    const part = title ?? '';
    if (title !== RECENT_CONTEXT) return [{ part, id: '', text: body.trim() }];
    const { before, entries } = splitEntries(body);
    const seen = new Map<string, number>();
    const parts = entries.map(contextEntry).map((entry) => {
      const nth = (seen.get(entry.stamp) ?? 0) + 1;
      seen.set(entry.stamp, nth);
      return { part, id: nth === 1 ? entry.stamp : `${entry.stamp}#${nth}`, text: entry.body };
    });
    return [{ part, id: '', text: before.trim() }, ...parts];
  });
}

/** Sets the text of a section or an entry, adding it if need be; null removes it. */
export function setMemoryPart(
  text: string,
  { part, id }: Pick<MemoryPart, 'part' | 'id'>,
  value: string | null,
): string {
  if (id !== '') return setEntry(text, id, value);
  const parts = splitSections(text);
  const found = parts.findIndex(({ title }) => (title ?? '') === part);
  const section = parts[found];
  if (value === null) {
    if (section === undefined) return text;
    parts.splice(found, 1);
    return found < parts.length ? joinSections(parts) : withoutGapAtEnd(joinSections(parts));
  }
  if (section === undefined) {
    if (part === '') return `${value}${value && '\n\n'}${text}`;
    leaveGap(parts.at(-1));
    return `${joinSections(parts)}## ${part}\n${filled('', value, { isLast: true })}`;
  }
  const { before, entries } =
    part === RECENT_CONTEXT ? splitEntries(section.body) : { before: section.body, entries: [] };
  const isLast = section === parts.at(-1) && entries.length === 0;
  section.body =
    filled(before, value, { isLast, isFirst: section.heading === '' }) + entries.join('');
  endHeading(section);
  return joinSections(parts);
}

function setEntry(text: string, id: string, value: string | null): string {
  const [, stamp = '', nth = '1'] = /^(.*?)(?:#(\d+))?$/.exec(id) ?? [];
  const parts = splitSections(text);
  const hasStamp = (entry: string) => contextEntry(entry).stamp === stamp;
  const recent = parts.find(
    ({ title, body }) => title === RECENT_CONTEXT && splitEntries(body).entries.some(hasStamp),
  );
  const { before, entries } = splitEntries(recent?.body ?? '');
  const indexes = entries.flatMap((entry, at) => (hasStamp(entry) ? [at] : []));
  const index = indexes[Number(nth) - 1];
  if (recent === undefined || index === undefined) {
    if (value === null) return text;
    addEntry(parts, stamp, value);
    return joinSections(parts);
  }
  const isLast = recent === parts.at(-1) && index === entries.length - 1;
  const entry = entries[index] as string;
  const [heading = ''] = /^[^\n]*\n?/.exec(entry) ?? [];
  const body = entry.slice(heading.length);
  entries.splice(index, 1, ...(value === null ? [] : [heading + filled(body, value, { isLast })]));
  recent.body = before + entries.join('');
  return value === null && isLast ? withoutGapAtEnd(joinSections(parts)) : joinSections(parts);
}

/** Adds the entries of `ours` that the author of `text` cannot have `seen`. */
export function addMissingEntries(text: string, ours: string, seen: ReadonlySet<string>): string {
  const present = entryIds(text);
  const parts = splitSections(text);
  for (const { part, id, text: body } of memoryParts(ours))
    if (part === RECENT_CONTEXT && id !== '' && !seen.has(id) && !present.has(id))
      addEntry(parts, id.replace(/#\d+$/, ''), body);
  return joinSections(parts);
}

export function entryIds(text: string): Set<string> {
  return new Set(
    memoryParts(text).flatMap(({ part, id }) => (part === RECENT_CONTEXT && id !== '' ? [id] : [])),
  );
}

/** At the end of Recent Context, before its last blank lines. False if it is there already. */
function addEntry(parts: Section[], stamp: string, text: string): boolean {
  const recent = sectionOf(parts, RECENT_CONTEXT);
  const entry = `### ${stamp}\n\n${text}`;
  if (`${recent.body}\n`.replaceAll('\r\n', '\n').includes(`${entry}\n`)) return false;
  const [words = ''] = /^[\s\S]*\S[^\n]*/.exec(recent.body) ?? [];
  const blank = recent.body.slice(words.length);
  recent.body =
    words === '' ? `\n${entry}\n${blank}` : `${words}\n\n${entry}${blank === '' ? '\n' : blank}`;
  endHeading(recent);
  if (recent !== parts.at(-1)) leaveGap(recent);
  return true;
}

/** Replaces the words of a section or an entry and leaves the blank lines around them. */
function filled(body: string, value: string, { isLast = false, isFirst = false }): string {
  const words = body.trim();
  if (words === value) return body;
  if (value === '') return isLast || isFirst ? '' : '\n';
  if (words === '') return `${isFirst ? '' : '\n'}${value}\n${isLast ? '' : '\n'}`;
  const at = body.indexOf(words);
  return body.slice(0, at) + value + body.slice(at + words.length);
}

function endHeading(section: Section): void {
  if (section.heading !== '' && !section.heading.endsWith('\n') && section.body !== '')
    section.heading += '\n';
}

/** A blank line before the next section. */
function leaveGap(section: Section | undefined): void {
  const all = section === undefined ? '' : section.heading + section.body;
  if (section === undefined || all === '') return;
  if (!all.endsWith('\n')) section.body += '\n';
  if (!/\n\s*\n$/.test(all.slice(all.trimEnd().length))) section.body += '\n';
}

function withoutGapAtEnd(text: string): string {
  return text.trim() === '' ? '' : `${text.trimEnd()}\n`;
}

/** A section that people removed comes back at its place in the order. */
export function sectionOf(parts: Section[], title: (typeof SECTIONS)[number]): Section {
  const found = parts.find((part) => part.title === title);
  if (found !== undefined) return found;
  const following = SECTIONS.slice(SECTIONS.indexOf(title) + 1) as readonly string[];
  const next = parts.findIndex((part) => following.includes(part.title ?? ''));
  const at = next < 0 ? parts.length : next;
  const section = { title, heading: `## ${title}\n`, body: '' };
  leaveGap(parts[at - 1]);
  parts.splice(at, 0, section);
  return section;
}

/** No line of a summary may pass for a heading of the file. */
export function asPlainText(summary: string): string {
  return summary.trim().replace(/^(\s*)(#+\s)/gm, '$1\\$2');
}
