/**
 * Lists what people have changed in a project's memory (M19), and undoes any of it as long as no
 * later change would be lost. What was saved together is one row and is undone together.
 */
import { applyMemoryEdit, WHOLE } from '../../memory/edits/document-edits.ts';
import { editLabel, type LoggedEdit } from '../../memory/edits/edit-log.ts';
import { type CurrentDocuments, undoOf } from '../../memory/edits/undo-edit.ts';
import type { EditEvent } from '../../memory/log/journal.ts';
import { undoEdit, undoLastEdit } from '../../memory/state/edits.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { memoryText } from './memory-text.ts';
import type { ProjectCache } from './project-cache.ts';

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
  /** False if it has been undone, or if undoing it would lose a later change. */
  canUndo: boolean;
}

export function history(
  cache: ProjectCache,
  { id, from, count }: { id?: string | undefined; from: number; count: number },
): { total: number; edits: HistoryEdit[] } {
  const { edits } = cache;
  const rows = edits.all.filter(
    (edit) =>
      (id === undefined || edit.id === id) && edits.sameAction(edit.number)[0] === edit.number,
  );
  const now = currentDocuments(cache);
  const page = rows.toReversed().slice(from, from + count);
  return { total: rows.length, edits: page.map((edit) => rowOf(cache, edit, now)) };
}

/** `edit` is the number of the undo itself; undoing that is a redo. */
export function undo(cache: ProjectCache, number: number): { undone: HistoryEdit; edit: number } {
  if (cache.edits.all[number] === undefined) throw new ExpectedError(message('edit.missing'));
  if (cache.problems.length > 0)
    throw new ExpectedError(message('edit.notUndone', { problems: cache.problems }));
  const { edit } = undoEdit(cache.memory, cache.edits, number);
  const [first = number] = cache.edits.sameAction(number);
  const undone = cache.edits.all[first] as LoggedEdit;
  return { undone: rowOf(cache, undone, currentDocuments(cache)), edit };
}

/** `thing` names what was changed. */
export function undoLast(memory: ProjectMemory): { undone: EditEvent; thing: Message } {
  const undone = undoLastEdit(memory);
  if (undone === undefined) throw new ExpectedError(message('edit.nothingToUndo'));
  return { undone, thing: editLabel(undone) };
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
  const events = edits.sameAction(number).flatMap((each) => edits.event(each) ?? []);
  const canUndo = holds && now !== undefined && canBeUndone(events, now);
  const row = { edit: number, at, document, isUndo, canUndo };
  const [first, second] = events;
  if (first === undefined || second !== undefined) {
    const part = events.map((event) => event.part).join(', ');
    return {
      ...row,
      part,
      id: '',
      before: asText(events, 'before'),
      after: asText(events, 'value'),
    };
  }
  const { part, id, before = null, value: after = null } = first;
  return { ...row, part: part === WHOLE ? '' : part, id, before, after };
}

function canBeUndone(events: readonly EditEvent[], documents: CurrentDocuments): boolean {
  const now = { ...documents };
  for (const event of events.toReversed()) {
    const back = undoOf(now, event);
    if ('refusal' in back) return false;
    if (event.document === 'memory') now.memoryMd = applyMemoryEdit(now.memoryMd, back.edit);
  }
  return true;
}

/** Several sections of memory.md, with their headings. */
function asText(events: readonly EditEvent[], which: 'before' | 'value'): string {
  const sections = events.map((event) => {
    const section = event.part === '' ? '' : `## ${event.part}`;
    const entry = event.id === '' ? '' : `### ${event.id}`;
    const texts = [section, entry, String(event[which] ?? '')];
    return texts.filter((text) => text !== '').join('\n\n');
  });
  return sections.join('\n\n');
}
