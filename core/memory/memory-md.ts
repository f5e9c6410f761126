/**
 * memory.md (M3, F6): what a person and Claude read first. Its text comes in, a changed text goes out; whatever people wrote into
 * it, in whatever sections of their own, stays as it is.
 */
import { estimateTokens } from './estimate-tokens.ts';

const RECENT_CONTEXT = 'Recent Context';
const SECTIONS = ['Core Decisions', 'Current State', RECENT_CONTEXT, 'Known Issues'] as const;
const STATE_TEMPLATE = '- Version: \n- Status: \n- Last updated: ';

export interface RotatedEntries {
  text: string;
  /** The oldest entries, oldest first, that no longer fit. */
  rotated: { stamp: string; body: string }[];
}

export function newMemoryMd(projectName: string): string {
  const sections = SECTIONS.map((title) => `## ${title}\n${title === 'Current State' ? `\n${STATE_TEMPLATE}\n` : ''}`);
  return `# Project Memory: ${projectName}\n\n${sections.join('\n')}`;
}

/** Adds a delta summary as the newest entry of Recent Context and brings the date of Current State up to date. */
export function addRecentContext(text: string, stamp: string, summary: string): string {
  const parts = splitSections(text);
  const recent = sectionOf(parts, RECENT_CONTEXT);
  const earlier = recent.body.trimEnd();
  recent.body = `${earlier === '' ? '' : `${earlier}\n`}\n### ${stamp}\n\n${asPlainText(summary)}\n\n`;
  const state = parts.find(({ title }) => title === 'Current State');
  if (state !== undefined) state.body = state.body.replace(/^(- Last updated:).*$/m, `$1 ${stamp.slice(0, 'YYYY-MM-DD'.length)}`);
  return joinSections(parts);
}

/** Takes the oldest entries of Recent Context out until the whole is within `maxTokens`; the newest one always stays. */
export function rotateRecentContext(text: string, maxTokens: number): RotatedEntries {
  const parts = splitSections(text);
  const recent = parts.find(({ title }) => title === RECENT_CONTEXT);
  if (recent === undefined) return { text, rotated: [] };
  const [before = '', ...entries] = recent.body.split(/^(?=### \d{4}-\d{2}-\d{2}_\d{4})/m);
  let excess = estimateTokens(text) - maxTokens;
  const rotated: RotatedEntries['rotated'] = [];
  while (excess > 0 && entries.length > 1) {
    const entry = entries.shift() as string;
    excess -= estimateTokens(entry);
    const [heading = '', ...lines] = entry.split('\n');
    rotated.push({ stamp: heading.slice('### '.length).trim(), body: lines.join('\n').trim() });
  }
  if (rotated.length === 0) return { text, rotated };
  recent.body = before + entries.join('');
  return { text: joinSections(parts), rotated };
}

interface Section {
  /** Undefined for what stands before the first section. */
  title: string | undefined;
  heading: string;
  body: string;
}

function splitSections(text: string): Section[] {
  return text.split(/^(?=## )/m).map((part) => {
    const match = /^## (.*)\r?\n?/.exec(part);
    return { title: match?.[1]?.trim(), heading: match?.[0] ?? '', body: part.slice(match?.[0].length ?? 0) };
  });
}

function joinSections(parts: readonly Section[]): string {
  return `${parts
    .map(({ heading, body }) => heading + body)
    .join('')
    .trimEnd()}\n`;
}

/** A section that people removed comes back at its place in the order, at the end if nothing follows it. */
function sectionOf(parts: Section[], title: (typeof SECTIONS)[number]): Section {
  const found = parts.find((part) => part.title === title);
  if (found !== undefined) return found;
  const following = SECTIONS.slice(SECTIONS.indexOf(title) + 1) as readonly string[];
  const at = parts.findIndex((part) => part.title !== undefined && following.includes(part.title));
  const section = { title, heading: `## ${title}\n`, body: '' };
  const last = parts.at(-1);
  if (at < 0 && last !== undefined && !last.body.endsWith('\n\n')) last.body = `${last.body.trimEnd()}\n\n`;
  parts.splice(at < 0 ? parts.length : at, 0, section);
  return section;
}

/** A summary is text: a line of it must not pass for a heading of the file. */
function asPlainText(summary: string): string {
  return summary.trim().replace(/^(\s*)(#+\s)/gm, '$1\\$2');
}
