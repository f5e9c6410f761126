/** What people change through the app or the command line (M19): an edit goes into the journal, and can be taken back. */
import { readDocument } from '../../store/document.ts';
import { FACT_LISTS, type Fact, factsFile, PERMANENT_LISTS } from '../l2-facts/facts-file.ts';
import { factsPath } from '../project/memory-paths.ts';
import type { ProjectMemory } from '../project/project-memory.ts';
import { record } from './derive.ts';
import { type JournalEvent, readJournal } from './journal.ts';

type EditEvent = Extract<JournalEvent, { type: 'edit' }>;

/** Removes a fact, permanent or not, for good: rebuilding and later sessions do not bring it back. Undefined if there is no such fact. */
export function forgetFact(memory: ProjectMemory, id: string): Fact | undefined {
  const reading = readDocument(factsPath(memory), factsFile);
  if (reading.state !== 'ok') return undefined;
  const { permanent, ...facts } = reading.value;
  const parts: [string, readonly Fact[]][] = [
    ...FACT_LISTS.map((list): [string, Fact[]] => [list, facts[list]]),
    ...PERMANENT_LISTS.map((list): [string, Fact[]] => [`permanent.${list}`, permanent[list]]),
  ];
  for (const [part, items] of parts) {
    const fact = items.find((item) => item.id === id);
    if (fact === undefined) continue;
    record(memory, edit({ document: 'facts', part, id, was: fact.content, value: null, before: fact }));
    return fact;
  }
  return undefined;
}

/** Takes the last change of a person back; undefined if there is none left to take back. */
export function undoLastEdit(memory: ProjectMemory): EditEvent | undefined {
  const edits = readJournal(memory, 0).events.filter((event) => event.type === 'edit');
  let undone = 0;
  for (const event of edits.reverse()) {
    if (event.isUndo) undone++;
    else if (undone > 0) undone--;
    else {
      const { document, part, id, value, before } = event;
      record(memory, edit({ document, part, id, was: wordsOf(value), value: before ?? null, before: value, isUndo: true }));
      return event;
    }
  }
  return undefined;
}

function edit(change: Omit<EditEvent, 'type' | 'at'>): EditEvent {
  return { type: 'edit', at: new Date().toISOString(), ...change } as EditEvent;
}

function wordsOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const { content, name } = (value ?? {}) as { content?: unknown; name?: unknown };
  const words = content ?? name;
  return typeof words === 'string' ? words : undefined;
}
