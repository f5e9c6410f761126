/**
 * What people have changed in a project's memory (M19), newest first, and any of it taken back as
 * long as nothing that came since would be lost. What was saved in one go is one row and goes back
 * in one go.
 */

import { applyMemoryEdit, WHOLE } from '../../memory/edits/document-edits.ts';
import { editedThing, type LoggedEdit } from '../../memory/edits/edit-log.ts';
import { type CurrentDocuments, takenBack } from '../../memory/edits/take-back.ts';
import type { EditEvent } from '../../memory/log/journal.ts';
import { undoEdit, undoLastEdit } from '../../memory/state/edits.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import type { ProjectCache } from './document-cache.ts';
import { memoryText } from './memory-text.ts';

/** A person's change, from the journal. */
export interface HistoryEdit {
  /** Its number among all edits of the project, for undo. */
  edit: number;
  at: string;
  document: 'facts' | 'concepts' | 'memory';
  part: string;
  id: string;
  before: unknown;
  after: unknown;
  isUndo: boolean;
  /** It has been taken back already, or something on top of it would be lost. */
  canUndo: boolean;
}

export function history(
  cache: ProjectCache,
  { id, from, count }: { id?: string | undefined; from: number; count: number },
): { total: number; edits: HistoryEdit[] } {
  const { edits } = cache;
  const rows = edits.all.filter(
    (edit) =>
      (id === undefined || edit.id === id) && edits.together(edit.number)[0] === edit.number,
  );
  const now = currentDocuments(cache);
  const page = rows.toReversed().slice(from, from + count);
  return { total: rows.length, edits: page.map((edit) => rowOf(cache, edit, now)) };
}

/** `edit` is the number of the undo itself; undoing that is to redo. */
export function undo(cache: ProjectCache, number: number): { undone: HistoryEdit; edit: number } {
  const known = cache.edits.all[number];
  if (known === undefined) throw new ExpectedError(message('edit.missing'));
  if (cache.problems.length > 0)
    throw new ExpectedError(message('edit.notUndone', { problems: cache.problems }));
  const { edit } = undoEdit(cache.memory, cache.edits, number);
  const [first = number] = cache.edits.together(number);
  return {
    undone: rowOf(cache, cache.edits.all[first] as LoggedEdit, currentDocuments(cache)),
    edit,
  };
}

/** `thing` names what was changed. */
export function undoLast(memory: ProjectMemory): { undone: EditEvent; thing: Message } {
  const undone = undoLastEdit(memory);
  if (undone === undefined) throw new ExpectedError(message('edit.nothingToUndo'));
  return { undone, thing: editedThing(undone) };
}

function currentDocuments(cache: ProjectCache): CurrentDocuments | undefined {
  return cache.problems.length > 0
    ? undefined
    : { facts: cache.facts.file, concepts: cache.concepts, memoryMd: memoryText(cache).text };
}

function rowOf(
  { edits }: ProjectCache,
  { number, at, document, isUndo, holds }: LoggedEdit,
  now: CurrentDocuments | undefined,
): HistoryEdit {
  const events = edits.together(number).flatMap((each) => edits.event(each) ?? []);
  const canUndo = holds && now !== undefined && canTakeBack(events, now);
  const [first] = events;
  const single = events.length === 1 ? first : undefined;
  return {
    edit: number,
    at,
    document,
    part:
      single === undefined
        ? events.map(({ part }) => part).join(', ')
        : single.part === WHOLE
          ? ''
          : single.part,
    id: single?.id ?? '',
    before: single === undefined ? asText(events, 'before') : (single.before ?? null),
    after: single === undefined ? asText(events, 'value') : (single.value ?? null),
    isUndo,
    canUndo,
  };
}

function canTakeBack(events: readonly EditEvent[], documents: CurrentDocuments): boolean {
  const now = { ...documents };
  for (const event of events.toReversed()) {
    const back = takenBack(now, event);
    if ('refusal' in back) return false;
    if (event.document === 'memory') now.memoryMd = applyMemoryEdit(now.memoryMd, back.edit);
  }
  return true;
}

/** Several sections of memory.md, as they stand in it. */
function asText(events: readonly EditEvent[], which: 'before' | 'value'): string {
  const sections = events.map((event) => {
    const heading = [
      event.part === '' ? '' : `## ${event.part}`,
      event.id === '' ? '' : `### ${event.id}`,
    ];
    return [...heading, String(event[which] ?? '')].filter((text) => text !== '').join('\n\n');
  });
  return sections.join('\n\n');
}
