/**
 * Merges another memory with ours (M20, M2): joins L1 and the journals, rebuilds the documents from
 * them, and merges memory.md and summaries so that every line of both is kept. `ours` is a copy that
 * no other process uses yet.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Message, message } from '../../messages/message.ts';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { linkFile } from '../../platform/store/staging.ts';
import { memoryMdPath } from '../../projects/memory-paths.ts';
import { type ProjectMemory, prepareProjectMemory } from '../../projects/project-memory.ts';
import { memoryEdits } from '../edits/document-edits.ts';
import { appendToJournal, checkEvents, type EditEvent } from '../log/journal.ts';
import { readMemoryIndex, updateMemoryIndex } from '../log/memory-index.ts';
import { memoryParts, setMemoryPart } from '../memory-md/memory-md.ts';
import {
  contextEntry,
  joinSections,
  RECENT_CONTEXT,
  splitEntries,
  splitSections,
} from '../memory-md/sections.ts';
import { rebuild, record } from '../state/derive.ts';
import { listMemoryFiles, type MemoryFile } from './contents.ts';
import { earlierSections, missingEvents, sectionKey } from './merge-journal.ts';
import { mergeL1 } from './merge-l1.ts';
import { bringUpToDate } from './write-archive.ts';

/** Merged or rebuilt by other means. */
const DERIVED =
  /^memory\/(?:memory\.md|facts\.json|concepts\.json|memory-index\.json|journal\.jsonl)$/;

/** Who merges a memory wants its knowledge, not rules and settings of whoever made the archive. */
const STEERING = /^memory\/(?:rules\.md|config\.json)$/;

/** Maintained by us, not written by a person or a model. */
const OUR_LINE = /^- (?:Last updated:.*|\w+: *)$/;

/** Earlier texts of sections of memory.md. */
interface Earlier {
  ours: ReadonlySet<string>;
  theirs: ReadonlySet<string>;
}

/** Returns notes about what could not be merged. */
export function mergeMemory(ours: ProjectMemory, theirs: ProjectMemory): Message[] {
  prepareProjectMemory(ours);
  // Otherwise our copies would be taken for a person's changes, and people's in theirs be lost.
  for (const memory of [ours, theirs]) bringUpToDate(memory);
  const before = readMemoryIndex(ours);
  const earlier = { ours: earlierSections(ours), theirs: earlierSections(theirs) };
  const names = mergeL1(ours, theirs);
  const events = missingEvents(ours, theirs, names);
  checkEvents(events);
  const notes = listMemoryFiles(theirs).files.flatMap((file) => mergeOther(ours, file, names));
  if (events.length > 0) {
    appendToJournal(ours, events);
    rebuild(ours);
  }
  mergeMemoryMd(ours, theirs, earlier);
  // Older events were appended to ours: these marks must not go back to them.
  updateMemoryIndex(ours, (index) => {
    const newest = (field: 'lastMemoryUpdateTs' | 'compressedAt') =>
      [before[field] ?? '', index[field] ?? ''].sort()[1] || undefined;
    return {
      ...index,
      toolCount: before.toolCount,
      lastMemoryUpdateTs: newest('lastMemoryUpdateTs'),
      compressedAt: newest('compressedAt'),
    };
  });
  return notes;
}

function mergeMemoryMd(ours: ProjectMemory, theirs: ProjectMemory, earlier: Earlier): void {
  if (!existsSync(memoryMdPath(theirs)) || !existsSync(memoryMdPath(ours))) return;
  const text = readFileSync(memoryMdPath(ours), 'utf8');
  const merged = mergedMemoryMd(text, readFileSync(memoryMdPath(theirs), 'utf8'), earlier);
  const at = new Date().toISOString();
  const edits = memoryEdits(text, merged).map(
    (edit): EditEvent => ({ type: 'edit', at, document: 'memory', ...edit }),
  );
  if (edits.length > 0) record(ours, ...edits);
}

/** Pages, settings, rules, and any other file. */
function mergeOther(
  ours: ProjectMemory,
  { name, path }: MemoryFile,
  names: ReadonlyMap<string, string>,
): Message[] {
  if (DERIVED.test(name) || /\.l1\.jsonl(?:\.gz)?$/.test(name)) return [];
  const own = join(ours.folder, '..', renamed(name, names));
  if (STEERING.test(name) && !existsSync(own))
    return [message('archive.steeringSkipped', { name })];
  if (!existsSync(own)) linkFile(path, own);
  else if (/^sessions\/[^/]+\.l2\.json$/.test(name) || readFileSync(own).equals(readFileSync(path)))
    return [];
  else if (/^(?:sessions|memory\/archive)\/.*\.md$/.test(name))
    writeFileAtomic(own, mergedPage(readFileSync(own, 'utf8'), readFileSync(path, 'utf8')));
  else return [message('archive.keptYours', { name })];
  return [];
}

/** Files of a session are named after its L1 file. */
function renamed(name: string, names: ReadonlyMap<string, string>): string {
  const [, folder = '', stem = '', end = ''] =
    /^(sessions\/(?:raw\/)?)([\w-]+)(\.l2\.json|\.md|\.jsonl\.gz)$/.exec(name) ?? [];
  const file = names.get(`${stem}.l1.jsonl`);
  return file === undefined ? name : `${folder}${file.replace('.l1.jsonl', '')}${end}`;
}

/** If one side has had a section's text before and changed it, the changed one wins. */
function mergedMemoryMd(ours: string, theirs: string, earlier: Earlier): string {
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

/** Sorts Recent Context, because a briefing begins with the newest entry. */
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
function mergedPage(ours: string, theirs: string): string {
  if (ours.includes(theirs.trim())) return ours;
  return theirs.includes(ours.trim()) ? theirs : `${ours.trimEnd()}\n\n${theirs.trim()}\n`;
}
