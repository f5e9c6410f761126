/**
 * Merges two texts, memory.md or summaries, so that every line of both is kept (M20). Sorts entries
 * of Recent Context by time, because a session is given the newest first.
 */
import { memoryParts, setMemoryPart } from '../memory-md/memory-md.ts';
import {
  contextEntry,
  joinSections,
  RECENT_CONTEXT,
  splitEntries,
  splitSections,
} from '../memory-md/sections.ts';
import { sectionKey } from './merge-journal.ts';

/** A line that we maintain, not one that a person or a model wrote. */
const OUR_LINE = /^- (?:Last updated:.*|\w+: *)$/;

export interface Earlier {
  ours: ReadonlySet<string>;
  theirs: ReadonlySet<string>;
}

/** A section that one of the two has seen and changed since is the other's older one. */
export function mergedMemoryMd(ours: string, theirs: string, earlier: Earlier): string {
  const known = new Map(
    memoryParts(ours).flatMap(({ part, id, text }) => (id === '' ? [[part, text]] : [])),
  );
  let merged = ours;
  for (const { part, id, text } of memoryParts(theirs)) {
    if (id !== '' || part === '' || part === RECENT_CONTEXT) continue;
    const old = known.get(part) ?? '';
    if (earlier.ours.has(sectionKey(part, text))) continue;
    const now =
      earlier.theirs.has(sectionKey(part, old)) && old !== '' ? text : withLines(old, text);
    if (now.trim() !== old.trim()) merged = setMemoryPart(merged, { part, id: '' }, now);
  }
  return inOrderOfTime(merged);
}

function withLines(old: string, text: string): string {
  const there = new Set(old.split('\n').map((line) => line.trim()));
  const added = text
    .split('\n')
    .filter((line) => !there.has(line.trim()) && !OUR_LINE.test(line.trim()));
  return added.length === 0 ? old : `${old.trimEnd()}\n${added.join('\n')}`.trim();
}

function inOrderOfTime(text: string): string {
  const sections = splitSections(text);
  for (const section of sections.filter(({ title }) => title === RECENT_CONTEXT)) {
    const { before, entries } = splitEntries(section.body);
    const dated = entries.map((entry) => ({ entry, stamp: contextEntry(entry).stamp }));
    if (dated.every(({ stamp }, at) => at === 0 || stamp >= (dated[at - 1]?.stamp ?? ''))) continue;
    const sorted = dated.sort((a, b) => (a.stamp < b.stamp ? -1 : a.stamp > b.stamp ? 1 : 0));
    section.body = before + sorted.map(({ entry }) => `${entry.trimEnd()}\n\n`).join('');
  }
  return joinSections(sections);
}

/** A page grows at its end: one that begins as the other is the newer. */
export function mergedPage(ours: string, theirs: string): string {
  if (ours.includes(theirs.trim())) return ours;
  return theirs.includes(ours.trim()) ? theirs : `${ours.trimEnd()}\n\n${theirs.trim()}\n`;
}
