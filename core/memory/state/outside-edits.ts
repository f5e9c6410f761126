/**
 * Finds the edits that people made in the files since we last wrote them (M2, M19), by comparing
 * each with our own copy. Sets an invalid file aside; a lost one is written again.
 */
import { join } from 'node:path';
import { ExpectedError } from '../../messages/expected-error.ts';
import { linkOrCopy } from '../../platform/store/atomic-write.ts';
import { type DocumentKind, parseDocument } from '../../platform/store/document.ts';
import { fileMark } from '../../platform/store/file-mark.ts';
import {
  contentAsWritten,
  isUnchangedOutside,
  listVersions,
  timeStamp,
} from '../../platform/store/history.ts';
import { memoryMdPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { assignIds } from '../edits/assign-ids.ts';
import {
  applyJsonEdit,
  type Edit,
  type Json,
  jsonEdits,
  memoryEdits,
} from '../edits/document-edits.ts';
import {
  type EditedName,
  mergedWithSavedMeanwhile,
  mergedWithTheirs,
} from '../edits/merge-edits.ts';
import { factsFile } from '../l2-facts/facts-file.ts';
import { conceptsFile } from '../l3-concepts/concepts-file.ts';
import { type EditEvent, type JournalEvent, journalBytes } from '../log/journal.ts';
import { newMemoryMd } from '../memory-md/memory-md.ts';
import { applyToMemoryMd } from './apply-event.ts';
import { textOf } from './write-together.ts';

const MAX_EARLIER_VERSIONS = 5;

export interface OutsideChanges {
  edits: EditEvent[];
  /** The mark of each file, and its text if it was not as we left it. */
  seen: Record<EditedName, { seen: string; said?: string }>;
}

/** `pending`: events in the journal that our copies do not include yet. */
export function outsideChanges(
  memory: ProjectMemory,
  pending: readonly JournalEvent[],
): OutsideChanges {
  const at = new Date().toISOString();
  const compare = (
    name: EditedName,
    document: EditEvent['document'],
    editsOf: (files: Files) => Edit[],
  ) => {
    const path = join(memory.folder, name);
    const seen = fileMark(path);
    if (isUnchangedOutside(path)) return { seen: { seen }, edits: [] };
    const left = contentAsWritten(path);
    const now = textOf(path);
    // Without our copy there is nothing to compare with, and the file was made from the journal.
    const isOurs = now === undefined || (left === undefined && journalBytes(memory) > 0);
    const edits = isOurs ? [] : editsOf({ path, left, now: rebased(name, path, left, now) });
    return {
      seen: { seen, ...(now !== undefined && { said: now }) },
      edits: edits.map((edit) => ({ type: 'edit' as const, at, document, ...edit })),
    };
  };
  const compareJson = <T extends object>(document: 'facts' | 'concepts', kind: DocumentKind<T>) => {
    const edits = pending.filter((event) => event.type === 'edit' && event.document === document);
    return compare(`${document}.json`, document, (files) => editsOfJson(files, kind, edits));
  };
  const memoryMd = compare('memory.md', 'memory', (files) => editsOfText(memory, files, pending));
  const concepts = compareJson('concepts', conceptsFile);
  const facts = compareJson('facts', factsFile);
  return {
    edits: [...facts.edits, ...concepts.edits, ...memoryMd.edits],
    seen: { 'facts.json': facts.seen, 'concepts.json': concepts.seen, 'memory.md': memoryMd.seen },
  };
}

/** memory.md as our next change will see it: with entries that a person's editor did not have. */
export function effectiveMemoryMd(memory: ProjectMemory, now: string): string {
  const path = memoryMdPath(memory);
  return isUnchangedOutside(path) ? now : rebased('memory.md', path, contentAsWritten(path), now);
}

/** An editor may have loaded an earlier version than the last one that we wrote. */
function rebased(name: EditedName, path: string, left: string | undefined, now: string): string {
  if (left === undefined) return now;
  const versions = listVersions(path).slice(-MAX_EARLIER_VERSIONS).reverse();
  const earlier = versions.flatMap((version) => textOf(version) ?? []);
  return mergedWithTheirs(name, { ours: left, earlier, theirs: now });
}

interface Files {
  path: string;
  /** Our copy; undefined if we never wrote the file. */
  left: string | undefined;
  now: string;
}

/** Events that only the journal has are not removals: nobody has seen them yet. */
function editsOfText(
  memory: ProjectMemory,
  { left, now }: Files,
  pending: readonly JournalEvent[],
): Edit[] {
  const before = left ?? newMemoryMd(memory.name);
  const ours = pending.reduce((text, event) => applyToMemoryMd(text, event).text, before);
  return memoryEdits(ours, mergedWithSavedMeanwhile('memory.md', { before, ours, theirs: now }));
}

function editsOfJson<T extends object>(
  { path, left, now }: Files,
  kind: DocumentKind<T>,
  pending: readonly JournalEvent[],
): Edit[] {
  const reading = parseDocument(path, now, kind);
  if (reading.state === 'refused') throw new ExpectedError(reading.reason);
  if (reading.state === 'broken') {
    linkOrCopy(path, `${path}.broken-${timeStamp()}`);
    return [];
  }
  const ours = left === undefined ? undefined : parseDocument(path, left, kind);
  const before = (ours?.state === 'ok' ? ours.value : kind.empty()) as Json;
  for (const edit of pending) applyJsonEdit(before, edit as EditEvent);
  return jsonEdits(before, assignIds(before, reading.value as Json));
}
