/**
 * Merges two versions of memory.md or of a summary, and keeps every line of both (M20). Sorts the
 * entries of Recent Context by time, because a briefing begins with the newest.
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

/** Maintained by us, not written by a person or a model. */
const OUR_LINE = /^- (?:Last updated:.*|\w+: *)$/;

export interface Earlier {
  ours: ReadonlySet<string>;
  theirs: ReadonlySet<string>;
}

/** If one side has had a section's text before and changed it, the changed one wins. */
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

/** Pages only grow: one that contains the other is the newer. */
export function mergedPage(ours: string, theirs: string): string {
  if (ours.includes(theirs.trim())) return ours;
  return theirs.includes(ours.trim()) ? theirs : `${ours.trimEnd()}\n\n${theirs.trim()}\n`;
}
