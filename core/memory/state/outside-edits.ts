/**
 * What people did to the files since we last wrote them (M2, M19), found out by comparing them with
 * our own copy. A file that cannot be understood is set aside, and one that was lost is made again.
 */

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ExpectedError } from '../../messages/expected-error.ts';
import { keepUnder } from '../../platform/store/atomic-write.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { type DocumentKind, parseDocument } from '../../platform/store/document.ts';
import { fileMark } from '../../platform/store/file-mark.ts';
import { asWeLeftIt, isAsWeLeftIt, listVersions, timeStamp } from '../../platform/store/history.ts';
import { memoryMdPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import {
  applyJsonEdit,
  type Edit,
  type Json,
  jsonEdits,
  memoryEdits,
} from '../edits/document-edits.ts';
import { withIds } from '../edits/given-ids.ts';
import {
  type EditedName,
  mergedWithSavedMeanwhile,
  mergedWithTheirs,
} from '../edits/merge-edits.ts';
import { factsFile } from '../l2-facts/facts-file.ts';
import { conceptsFile } from '../l3-concepts/concepts-file.ts';
import { type JournalEvent, journalBytes } from '../log/journal.ts';
import { newMemoryMd } from '../memory-md/memory-md.ts';
import { applyToMemoryMd } from './apply-event.ts';

const VERSIONS_LOOKED_AT = 5;

type EditEvent = Extract<JournalEvent, { type: 'edit' }>;

export interface OutsideChanges {
  edits: EditEvent[];
  /**
   * Which file each was, and what it said if not what we had left: what comes later comes on top.
   */
  seen: Record<EditedName, { seen: string; said?: string }>;
}

/** `pending`: edits that stand in the journal, but not in our copy yet. */
export function outsideChanges(
  memory: ProjectMemory,
  pending: readonly JournalEvent[],
): OutsideChanges {
  const at = new Date().toISOString();
  const look = (
    name: EditedName,
    document: EditEvent['document'],
    edits: (files: Files) => Edit[],
  ) => {
    const path = join(memory.folder, name);
    const seen = fileMark(path);
    if (isAsWeLeftIt(path)) return { seen: { seen }, edits: [] };
    const left = asWeLeftIt(path);
    const now = attempt(() => readFileSync(path, 'utf8'), undefined);
    // Without our copy there is nothing to compare with; if there is a journal, what stands there
    // was made from it.
    const isOurs = now === undefined || (left === undefined && journalBytes(memory) > 0);
    const found = isOurs ? [] : edits({ path, left, now: rebased(name, path, left, now) });
    return {
      seen: { seen, ...(now !== undefined && { said: now }) },
      edits: found.map((edit) => ({ type: 'edit' as const, at, document, ...edit })),
    };
  };
  const editsOf = (document: EditEvent['document']) =>
    pending.filter((event) => event.type === 'edit' && event.document === document) as EditEvent[];
  const memoryMd = look('memory.md', 'memory', (files) => editsOfText(memory, files, pending));
  const concepts = look('concepts.json', 'concepts', (files) =>
    editsOfJson(files, conceptsFile, editsOf('concepts')),
  );
  const facts = look('facts.json', 'facts', (files) =>
    editsOfJson(files, factsFile, editsOf('facts')),
  );
  return {
    edits: [...facts.edits, ...concepts.edits, ...memoryMd.edits],
    seen: { 'facts.json': facts.seen, 'concepts.json': concepts.seen, 'memory.md': memoryMd.seen },
  };
}

/**
 * memory.md as we take it, whoever has saved it: the same as the next change of ours begins with.
 */
export function memoryMdAsTaken(memory: ProjectMemory, now: string): string {
  const path = memoryMdPath(memory);
  return isAsWeLeftIt(path) ? now : rebased('memory.md', path, asWeLeftIt(path), now);
}

/** Editors keep a file open: what they save may be on top of what we wrote a while ago. */
function rebased(name: EditedName, path: string, left: string | undefined, now: string): string {
  if (left === undefined) return now;
  const earlier = listVersions(path)
    .slice(-VERSIONS_LOOKED_AT)
    .flatMap((version) => attempt(() => [readFileSync(version, 'utf8')], []))
    .reverse();
  return mergedWithTheirs(name, { ours: left, earlier, theirs: now });
}

interface Files {
  path: string;
  /** As we left it; undefined if we never wrote it. */
  left: string | undefined;
  now: string;
}

/** What stands in the journal alone is not something that they removed: nobody has seen it yet. */
function editsOfText(
  memory: ProjectMemory,
  { left, now }: Files,
  pending: readonly JournalEvent[],
): Edit[] {
  const before = left ?? newMemoryMd(basename(memory.root));
  const ours = pending.reduce((text, event) => applyToMemoryMd(text, event).text, before);
  return memoryEdits(ours, mergedWithSavedMeanwhile('memory.md', { before, ours, theirs: now }));
}

function editsOfJson<T extends object>(
  { path, left, now }: Files,
  kind: DocumentKind<T>,
  known: readonly EditEvent[],
): Edit[] {
  const reading = parseDocument(path, now, kind);
  if (reading.state === 'refused') throw new ExpectedError(reading.reason);
  if (reading.state === 'broken') {
    keepUnder(path, `${path}.broken-${timeStamp()}`);
    return [];
  }
  const before = (left === undefined ? undefined : valueIn(path, left, kind)) ?? kind.empty();
  for (const edit of known) applyJsonEdit(before as Json, edit);
  return jsonEdits(before as Json, withIds(before as Json, reading.value as Json));
}

function valueIn<T extends object>(
  path: string,
  text: string,
  kind: DocumentKind<T>,
): T | undefined {
  const reading = parseDocument(path, text, kind);
  return reading.state === 'ok' ? reading.value : undefined;
}
