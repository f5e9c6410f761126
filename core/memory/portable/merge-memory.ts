/**
 * Merges another memory with ours (M20, M2): L1, models' answers and people's changes are put
 * together, and everything else is rebuilt from them. `ours` is a copy that no other process uses
 * yet. Returns notes about what could not be merged.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Message, message } from '../../messages/message.ts';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { linkInto } from '../../platform/store/staging.ts';
import { memoryMdPath } from '../../projects/memory-paths.ts';
import { type ProjectMemory, prepareProjectMemory } from '../../projects/project-memory.ts';
import { memoryEdits } from '../edits/document-edits.ts';
import { appendToJournal, checkEvents } from '../log/journal.ts';
import { readMemoryIndex, updateMemoryIndex } from '../log/memory-index.ts';
import { rebuild, record } from '../state/derive.ts';
import { type KeptFile, keptFiles } from './contents.ts';
import { earlierSections, missingEvents } from './merge-journal.ts';
import { mergeL1 } from './merge-l1.ts';
import { mergedMemoryMd, mergedPage } from './merge-pages.ts';
import { bringUpToDate } from './write-archive.ts';

/** Made anew from what was said and the journal. */
const DERIVED =
  /^memory\/(?:memory\.md|facts\.json|concepts\.json|memory-index\.json|journal\.jsonl)$/;

/**
 * Rules and settings: whoever joins a memory wants what is known, and not to be told what to do by
 * whoever made the archive.
 */
const STEERING = /^memory\/(?:rules\.md|config\.json)$/;

export function mergeMemory(ours: ProjectMemory, theirs: ProjectMemory): Message[] {
  prepareProjectMemory(ours);
  // a copy is another file: without this it would be taken for what a person made of it
  bringUpToDate(ours);
  const before = readMemoryIndex(ours);
  const earlier = { ours: earlierSections(ours), theirs: earlierSections(theirs) };
  const names = mergeL1(ours, theirs);
  const events = missingEvents(ours, theirs, names);
  checkEvents(events);
  const notes = keptFiles(theirs).files.flatMap((file) => mergeOther(ours, file, names));
  if (events.length > 0) {
    appendToJournal(ours, events);
    rebuild(ours);
  }
  mergeMemoryMd(ours, theirs, earlier);
  // Behind ours stand older events: marks that tell of the newest must not go back with them.
  updateMemoryIndex(ours, (index) => {
    const newest = (field: 'lastMemoryUpdateTs' | 'compressedAt') =>
      [before[field], index[field]]
        .filter((at) => at !== undefined)
        .sort()
        .at(-1);
    return {
      ...index,
      toolCount: before.toolCount,
      lastMemoryUpdateTs: newest('lastMemoryUpdateTs'),
      compressedAt: newest('compressedAt'),
    };
  });
  return notes;
}

function mergeMemoryMd(
  ours: ProjectMemory,
  theirs: ProjectMemory,
  earlier: Parameters<typeof mergedMemoryMd>[2],
): void {
  if (!existsSync(memoryMdPath(theirs)) || !existsSync(memoryMdPath(ours))) return;
  const text = readFileSync(memoryMdPath(ours), 'utf8');
  const merged = mergedMemoryMd(text, readFileSync(memoryMdPath(theirs), 'utf8'), earlier);
  const at = new Date().toISOString();
  const edits = memoryEdits(text, merged).map((edit) => ({
    type: 'edit' as const,
    at,
    document: 'memory' as const,
    ...edit,
  }));
  if (edits.length > 0) record(ours, ...edits);
}

/** Pages, settings, rules, and whatever else lies there. */
function mergeOther(
  ours: ProjectMemory,
  { name, path }: KeptFile,
  names: ReadonlyMap<string, string>,
): Message[] {
  if (DERIVED.test(name) || /\.l1\.jsonl(?:\.gz)?$/.test(name)) return [];
  const own = join(ours.folder, '..', renamed(name, names));
  if (STEERING.test(name) && !existsSync(own))
    return [message('archive.steeringSkipped', { name })];
  if (!existsSync(own)) linkInto(path, own);
  else if (/^sessions\/[^/]+\.l2\.json$/.test(name) || readFileSync(own).equals(readFileSync(path)))
    return [];
  else if (/^(?:sessions|memory\/archive)\/.*\.md$/.test(name))
    writeFileAtomic(own, mergedPage(readFileSync(own, 'utf8'), readFileSync(path, 'utf8')));
  else return [message('archive.keptYours', { name })];
  return [];
}

/** What belongs to a session is named after its L1 file. */
function renamed(name: string, names: ReadonlyMap<string, string>): string {
  const [, folder = '', stem = '', end = ''] =
    /^(sessions\/(?:raw\/)?)([\w-]+)(\.l2\.json|\.md|\.jsonl\.gz)$/.exec(name) ?? [];
  const file = names.get(`${stem}.l1.jsonl`);
  return file === undefined ? name : `${folder}${file.replace('.l1.jsonl', '')}${end}`;
}
