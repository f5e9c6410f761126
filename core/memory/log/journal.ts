/**
 * `journal.jsonl`: models' answers and people's edits, in order and never rewritten. L1 and the
 * journal are the truth of a project's memory: facts.json, concepts.json and memory.md are made
 * from the two and can be rebuilt (M2, M19).
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { appendLines, readFrom } from '../../platform/store/append-only.ts';
import { parseJson } from '../../platform/store/attempt.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';

const AnsweredBy = v.picklist(['mod', 'agent', 'extract']);

/** What every answer of a model has. */
const answer = { at: v.string(), way: AnsweredBy, text: v.string() };

const JournalEvent = v.variant('type', [
  /** The summary of a delta. */
  v.looseObject({
    type: v.literal('delta'),
    ...answer,
    /** Where the delta ends in each session's L1 file. */
    ends: v.record(v.string(), v.number()),
    upTo: v.string(),
    /** The L1 file of each session: one whose file was deleted continues in another. */
    files: v.optional(v.record(v.string(), v.string())),
    /** The entry's heading in memory.md, in the writer's time zone. */
    stamp: v.optional(v.string()),
  }),
  /** Facts found in a range of a session's L1; `cover`: in a second search. */
  v.looseObject({
    type: v.literal('facts'),
    ...answer,
    session: v.string(),
    /** A plain file name, no path. */
    file: v.pipe(v.string(), v.regex(/^[\w-]+\.l1\.jsonl$/)),
    from: v.number(),
    to: v.number(),
    cover: v.boolean(),
  }),
  /** A model's summary of what was rotated out of memory.md. */
  v.looseObject({
    type: v.literal('rotation'),
    ...answer,
    stamp: v.string(),
  }),
  /** The daily search for facts to make permanent or to retire. */
  v.looseObject({ type: v.literal('compress'), at: v.string() }),
  /** A person's edit of one part of a document: an item of a list, a section, an entry. */
  v.looseObject({
    type: v.literal('edit'),
    at: v.string(),
    document: v.picklist(['facts', 'concepts', 'memory']),
    /** Where in the document: `decisions`, `permanent.rules`, or a section of memory.md. */
    part: v.string(),
    /** The item's id or the entry's stamp; empty for the part as a whole. */
    id: v.string(),
    /** Its text before, to find it if ids have changed. */
    was: v.fallback(v.optional(v.string()), undefined),
    /** Null: removed. */
    value: v.unknown(),
    /** The value before, for undo; null: none. */
    before: v.optional(v.unknown()),
    /** The same for all edits of one action in the app. */
    deed: v.fallback(v.optional(v.string()), undefined),
    isUndo: v.fallback(v.optional(v.boolean()), undefined),
    /** The number of the edit that this undoes; without one, the last edit. */
    undoes: v.fallback(v.optional(v.number()), undefined),
  }),
]);

export type JournalEvent = v.InferOutput<typeof JournalEvent>;
export type EditEvent = Extract<JournalEvent, { type: 'edit' }>;
export type AnsweredBy = v.InferOutput<typeof AnsweredBy>;

export function journalPath(memory: ProjectMemory): string {
  return join(memory.folder, 'journal.jsonl');
}

/** Throws if an event could not be read back. */
export function checkEvents(events: readonly JournalEvent[]): void {
  for (const event of events) v.assert(JournalEvent, event);
}

/** On disk when this returns. Returns the length of the journal. */
export function appendToJournal(memory: ProjectMemory, events: readonly JournalEvent[]): number {
  return appendLines(
    journalPath(memory),
    events.map((event) => JSON.stringify(event)),
  );
}

/** The events behind an offset, and where they end. Leaves a torn last line for later. */
export function readJournal(
  memory: ProjectMemory,
  from: number,
): { events: JournalEvent[]; end: number } {
  const text = readFrom(journalPath(memory), from);
  const complete = text.subarray(0, text.lastIndexOf('\n') + 1);
  const lines = complete.toString('utf8').split('\n');
  return { events: lines.flatMap((line) => parseEvent(line) ?? []), end: from + complete.length };
}

/** The texts of all facts that a person ever changed or removed. */
export function removedFacts(memory: ProjectMemory): string[] {
  const lines = readFrom(journalPath(memory), 0).toString('utf8').split('\n');
  return lines
    .filter((line) => line.includes('"type":"edit"'))
    .flatMap((line) => parseEvent(line) ?? [])
    .flatMap((event) =>
      event.type === 'edit' && event.document === 'facts' ? (event.was ?? []) : [],
    );
}

export function journalBytes(memory: ProjectMemory): number {
  return statSync(journalPath(memory), { throwIfNoEntry: false })?.size ?? 0;
}

/** Undefined for a line torn by a kill, whose writer tries again. */
export function parseEvent(line: string): JournalEvent | undefined {
  const parsed = v.safeParse(JournalEvent, parseJson(line));
  return parsed.success ? parsed.output : undefined;
}
