/**
 * Finds the events of another memory's journal that ours does not have (M20), and rewrites them so
 * that they mean the same after ours. Leaves out changes of whole sections of memory.md: they would
 * replace what is in ours.
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
  /** The number in the joined journal of each of their edits; undefined if it is not in there. */
  const numbers: (number | undefined)[] = [];
  let count = edits.length;
  for (const event of readJournal(theirs, 0).events) {
    const key = canonical(event);
    if (event.type !== 'edit') {
      const moved = withFiles(event, files);
      if (!known.has(canonical(moved))) missing.push(moved);
    } else if (known.has(key)) numbers.push(numberOf.get(key));
    else {
      const added = asAddedTo(event, numbers, items);
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
  const moved = Object.entries(event.files).map(([session, file]) => [
    session,
    files.get(file) ?? file,
  ]);
  return { ...event, files: Object.fromEntries(moved) };
}

function asAddedTo(
  edit: EditEvent,
  numbers: readonly (number | undefined)[],
  items: TheirItems,
): EditEvent[] {
  const renumbered = withNumber(edit, numbers);
  return edit.document === 'memory'
    ? entryEdits(renumbered)
    : [items.asOurs(renumbered) ?? []].flat();
}

/**
 * What it takes back has another number now. If that is not there, it is a change like any other.
 */
function withNumber(edit: EditEvent, numbers: readonly (number | undefined)[]): EditEvent {
  if (edit.isUndo !== true) return edit;
  const { isUndo: _, undoes = numbers.length - 1, ...rest } = edit;
  const number = numbers[undoes];
  return number === undefined ? rest : { ...rest, isUndo: true, undoes: number };
}

/** Of memory.md the entries of Recent Context: each is known by its time. */
function entryEdits(edit: EditEvent): EditEvent[] {
  if (edit.id !== '') return [edit];
  if (edit.part !== WHOLE || typeof edit.value !== 'string') return [];
  const before = typeof edit.before === 'string' ? edit.before : '';
  const { at, type, document } = edit;
  return memoryPartEdits(before, edit.value)
    .filter(({ id }) => id !== '')
    .map((part) => ({ type, at, document, ...part }));
}

/** Everything that a section of memory.md has said before, by the journal. */
export function earlierSections(memory: ProjectMemory): Set<string> {
  const earlier = readJournal(memory, 0).events.flatMap((event) => {
    if (
      event.type !== 'edit' ||
      event.document !== 'memory' ||
      event.id !== '' ||
      typeof event.before !== 'string'
    )
      return [];
    if (event.part !== WHOLE) return [sectionKey(event.part, event.before)];
    return memoryPartEdits('', event.before).map(({ part, value }) =>
      sectionKey(part, String(value)),
    );
  });
  return new Set(earlier);
}

export function sectionKey(part: string, text: string): string {
  return `${part}\n${text.trim()}`;
}
