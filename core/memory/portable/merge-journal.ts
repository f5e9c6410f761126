/**
 * Finds the events of another memory's journal that ours does not have (M20), and rewrites them so
 * that they mean the same after ours. Leaves out edits of whole sections of memory.md, which would
 * replace ours.
 */

import { canonical } from '../../platform/text/canonical.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { memoryPartEdits, WHOLE } from '../edits/document-edits.ts';
import { type EditEvent, type JournalEvent, readJournal } from '../log/journal.ts';
import { TheirItems } from './their-items.ts';

type Files = ReadonlyMap<string, string>;

export function missingEvents(
  ours: ProjectMemory,
  theirs: ProjectMemory,
  files: Files,
): JournalEvent[] {
  const { events } = readJournal(ours, 0);
  const edits = events.filter(({ type }) => type === 'edit');
  const known = new Set(events.map(canonical));
  const numberOf = new Map(edits.map((edit, number) => [canonical(edit), number]));
  const items = new TheirItems(ours, theirs);
  const missing: JournalEvent[] = [];
  /** By number of their edit: its number in the merged journal, if it is in there. */
  const numbers: (number | undefined)[] = [];
  let count = edits.length;
  for (const event of readJournal(theirs, 0).events) {
    const key = canonical(event);
    if (event.type !== 'edit') {
      const moved = withFiles(event, files);
      if (!known.has(canonical(moved))) missing.push(moved);
    } else if (known.has(key)) numbers.push(numberOf.get(key));
    else {
      const added = rewritten(withNumber(event, numbers), items);
      numbers.push(added.length > 0 ? count : undefined);
      count += added.length;
      missing.push(...added);
    }
  }
  return missing;
}

function withFiles(event: JournalEvent, files: Files): JournalEvent {
  if (event.type === 'facts') return { ...event, file: files.get(event.file) ?? event.file };
  if (event.type !== 'delta' || event.files === undefined) return event;
  const renamed = Object.entries(event.files).map(([id, file]) => [id, files.get(file) ?? file]);
  return { ...event, files: Object.fromEntries(renamed) };
}

/** The edit that an undo reverts has a new number. If that edit is missing, it is no undo. */
function withNumber(edit: EditEvent, numbers: readonly (number | undefined)[]): EditEvent {
  if (edit.isUndo !== true) return edit;
  const { isUndo: _, undoes = numbers.length - 1, ...rest } = edit;
  const number = numbers[undoes];
  return number === undefined ? rest : { ...rest, isUndo: true, undoes: number };
}

/** In memory.md only entries of Recent Context, which are known by their time. */
function rewritten(edit: EditEvent, items: TheirItems): EditEvent[] {
  if (edit.document !== 'memory') return items.asOurs(edit);
  if (edit.id !== '') return [edit];
  if (edit.part !== WHOLE || typeof edit.value !== 'string') return [];
  const before = typeof edit.before === 'string' ? edit.before : '';
  const { at, type, document } = edit;
  return memoryPartEdits(before, edit.value)
    .filter(({ id }) => id !== '')
    .map((part) => ({ type, at, document, ...part }));
}

/** All earlier texts of the sections of memory.md, by the journal. */
export function earlierSections(memory: ProjectMemory): Set<string> {
  const earlier = readJournal(memory, 0).events.flatMap((event) => {
    if (event.type !== 'edit' || event.document !== 'memory' || event.id !== '') return [];
    const { part, before } = event;
    if (typeof before !== 'string') return [];
    if (part !== WHOLE) return [sectionKey(part, before)];
    return memoryPartEdits('', before).map((edit) => sectionKey(edit.part, String(edit.value)));
  });
  return new Set(earlier);
}

export function sectionKey(part: string, text: string): string {
  return `${part}\n${text.trim()}`;
}
