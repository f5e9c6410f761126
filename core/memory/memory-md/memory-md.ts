/**
 * Changes memory.md (M3, F6), which a person and Claude read first. Whatever people wrote into it,
 * in sections of their own too, stays as it is, to the byte: we add between it, and replace only
 * what changed.
 */
import { estimateTokens } from '../../platform/text/estimate-tokens.ts';
import { firstSentence, shortened } from '../../platform/text/sentences.ts';
import {
  type ContextEntry,
  contextEntry,
  joinSections,
  RECENT_CONTEXT,
  type Section,
  splitEntries,
  splitSections,
} from './sections.ts';

const SECTIONS = ['Core Decisions', 'Current State', RECENT_CONTEXT, 'Known Issues'] as const;
const STATE_TEMPLATE = '- Version: \n- Status: \n- Last updated: ';

export interface RotatedEntries {
  text: string;
  /** The oldest entries, oldest first, that no longer fit. */
  rotated: ContextEntry[];
}

/** What stands where: a section of memory.md, or one entry of Recent Context. */
export interface MemoryPart {
  /** The section's title; empty for what stands before the first one. */
  part: string;
  /**
   * The entry's stamp, with `#2` behind it for a second one of that minute; empty for the section
   * itself.
   */
  id: string;
  text: string;
}

export function newMemoryMd(projectName: string): string {
  const sections = SECTIONS.map(
    (title) => `## ${title}\n${title === 'Current State' ? `\n${STATE_TEMPLATE}\n` : ''}`,
  );
  return `# Project Memory: ${projectName}\n\n${sections.join('\n')}`;
}

/**
 * Adds a delta summary as the newest entry of Recent Context and brings the date of Current State
 * up to date.
 */
export function addRecentContext(text: string, stamp: string, summary: string): string {
  const parts = splitSections(text);
  // A run that was cut short may have added it already.
  if (!addEntry(parts, stamp, asPlainText(summary))) return text;
  const state = parts.find(({ title }) => title === 'Current State');
  if (state !== undefined)
    state.body = state.body.replace(
      /^(- Last updated:).*$/m,
      `$1 ${stamp.slice(0, 'YYYY-MM-DD'.length)}`,
    );
  return joinSections(parts);
}

/**
 * Takes the oldest entries of Recent Context out until the whole is within `maxTokens`, and leaves
 * a word on them in their place.
 */
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

/** Its text is one line: what stands behind that is somebody else's. */
const EARLIER = /^### Earlier \((\S+) to (\S+)\)\n+([\s\S]*?)\s*$/m;
const MAX_EARLIER_CHARS = 2000;
/** Some room is made at once, so that not every new entry moves an old one. */
const ROTATE_TO = 0.75;
const EARLIER_CHARS_PER_TOKEN_OF_ALL = 0.3;

/**
 * What was rotated out, told in a few words without a model: the first sentence of each, the newest
 * ones if there is no room for all.
 */
function withEarlier(before: string, rotated: readonly ContextEntry[], maxTokens: number): string {
  const limit = Math.min(MAX_EARLIER_CHARS, Math.floor(maxTokens * EARLIER_CHARS_PER_TOKEN_OF_ALL));
  const [all = '', from = rotated[0]?.stamp, , told = ''] = EARLIER.exec(before) ?? [];
  const sentences = [told, ...rotated.map(({ body }) => firstSentence(body))]
    .filter((sentence) => sentence !== '')
    .join(' ');
  const text = sentences.length > limit ? `…${sentences.slice(-limit)}` : sentences;
  const rest = before.replace(all, '').trimEnd();
  return `${rest === '' ? '' : `${rest}\n`}\n### Earlier (${from} to ${rotated.at(-1)?.stamp})\n\n${text}\n\n`;
}

/** What is told of rotated entries; undefined if nothing was ever rotated. */
export function earlierContext(text: string): { upTo: string; told: string } | undefined {
  const recent = splitSections(text).find(({ title }) => title === RECENT_CONTEXT);
  const match = recent && EARLIER.exec(splitEntries(recent.body).before);
  return match ? { upTo: match[2] ?? '', told: match[3] ?? '' } : undefined;
}

/**
 * A better summary takes the place of what is told of rotated entries, unless more was rotated
 * meanwhile.
 */
export function replaceEarlier(text: string, upTo: string, summary: string): string {
  const parts = splitSections(text);
  const recent = parts.find(({ title }) => title === RECENT_CONTEXT);
  const told = earlierContext(text);
  if (recent === undefined || told?.upTo !== upTo) return text;
  const short = shortened(asPlainText(summary).replace(/\s+/g, ' '), MAX_EARLIER_CHARS);
  recent.body = recent.body.replace(EARLIER, (all) => `${all.split('\n')[0]}\n\n${short}\n`);
  return joinSections(parts);
}

export function memoryParts(text: string): MemoryPart[] {
  return splitSections(text).flatMap(({ title, body }) => {
    const part = title ?? '';
    if (title !== RECENT_CONTEXT) return [{ part, id: '', text: body.trim() }];
    const { before, entries } = splitEntries(body);
    const seen = new Map<string, number>();
    const named = entries.map(contextEntry).map(({ stamp, body: told }) => {
      const nth = (seen.get(stamp) ?? 0) + 1;
      seen.set(stamp, nth);
      return { part, id: nth === 1 ? stamp : `${stamp}#${nth}`, text: told };
    });
    return [{ part, id: '', text: before.trim() }, ...named];
  });
}

/**
 * One section or entry gets another text, or goes (null). One that is not there any more is added,
 * or stays away.
 */
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
    if (part === '')
      return joinSections([
        { title: undefined, heading: '', body: value === '' ? '' : `${value}\n\n` },
        ...parts,
      ]);
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
  const hasIt = (body: string) =>
    splitEntries(body).entries.some((entry) => contextEntry(entry).stamp === stamp);
  const recent = parts.find(({ title, body }) => title === RECENT_CONTEXT && hasIt(body));
  const { before, entries } = splitEntries(recent?.body ?? '');
  const at = entries
    .map((entry, index) => ({ entry, index }))
    .filter(({ entry }) => contextEntry(entry).stamp === stamp);
  const index = at[Number(nth) - 1]?.index;
  if (recent === undefined || index === undefined) {
    if (value !== null) addEntry(parts, stamp, value);
    return value === null ? text : joinSections(parts);
  }
  const isLast = recent === parts.at(-1) && index === entries.length - 1;
  const [heading = ''] = /^[^\n]*\n?/.exec(entries[index] as string) ?? [];
  const told = (entries[index] as string).slice(heading.length);
  entries.splice(index, 1, ...(value === null ? [] : [heading + filled(told, value, { isLast })]));
  recent.body = before + entries.join('');
  return value === null && isLast ? withoutGapAtEnd(joinSections(parts)) : joinSections(parts);
}

/**
 * What an editor that has had the file open for long knows nothing of: entries of `ours` that are
 * not in `known`, added to `text`.
 */
export function addMissingEntries(text: string, ours: string, known: ReadonlySet<string>): string {
  const there = entryIds(text);
  const parts = splitSections(text);
  for (const { part, id, text: told } of memoryParts(ours))
    if (part === RECENT_CONTEXT && id !== '' && !known.has(id) && !there.has(id))
      addEntry(parts, id.replace(/#\d+$/, ''), told);
  return joinSections(parts);
}

/** Of each entry of Recent Context. */
export function entryIds(text: string): Set<string> {
  return new Set(
    memoryParts(text).flatMap(({ part, id }) => (part === RECENT_CONTEXT && id !== '' ? [id] : [])),
  );
}

/**
 * As the last one of Recent Context; blank lines that stood at the end still do. False if it is
 * there already.
 */
function addEntry(parts: Section[], stamp: string, told: string): boolean {
  const recent = sectionOf(parts, RECENT_CONTEXT);
  const entry = `### ${stamp}\n\n${told}`;
  if (`${recent.body}\n`.replaceAll('\r\n', '\n').includes(`${entry}\n`)) return false;
  const [said = ''] = /^[\s\S]*\S[^\n]*/.exec(recent.body) ?? [];
  const blank = recent.body.slice(said.length);
  recent.body =
    said === '' ? `\n${entry}\n${blank}` : `${said}\n\n${entry}${blank === '' ? '\n' : blank}`;
  endHeading(recent);
  if (recent !== parts.at(-1)) leaveGap(recent);
  return true;
}

/**
 * The words of a section or an entry, with the blank lines around them as they are; if there were
 * no words, as we set them.
 */
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

/** A blank line before what follows. */
function leaveGap(section: Section | undefined): void {
  const all = section === undefined ? '' : section.heading + section.body;
  if (section === undefined || all === '') return;
  if (!all.endsWith('\n')) section.body += '\n';
  if (!/\n\s*\n$/.test(all.slice(all.trimEnd().length))) section.body += '\n';
}

function withoutGapAtEnd(text: string): string {
  return text.trim() === '' ? '' : `${text.trimEnd()}\n`;
}

/**
 * A section that people removed comes back at its place in the order, at the end if nothing follows
 * it.
 */
function sectionOf(parts: Section[], title: (typeof SECTIONS)[number]): Section {
  const found = parts.find((part) => part.title === title);
  if (found !== undefined) return found;
  const following = SECTIONS.slice(SECTIONS.indexOf(title) + 1) as readonly string[];
  const at = parts.findIndex((part) => part.title !== undefined && following.includes(part.title));
  const section = { title, heading: `## ${title}\n`, body: '' };
  leaveGap(parts[(at < 0 ? parts.length : at) - 1]);
  parts.splice(at < 0 ? parts.length : at, 0, section);
  return section;
}

/** A summary is text: a line of it must not pass for a heading of the file. */
function asPlainText(summary: string): string {
  return summary.trim().replace(/^(\s*)(#+\s)/gm, '$1\\$2');
}
