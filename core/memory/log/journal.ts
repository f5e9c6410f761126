/**
 * `journal.jsonl`: what models answered and what people changed, in the order in which it happened,
 * and never rewritten. With L1 it is the truth of a project's memory: facts.json, concepts.json and
 * memory.md are made from the two and can be made anew (M2, M19).
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { appendLines, readBehind } from '../../platform/store/append-only.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';

const Way = v.picklist(['mod', 'agent', 'extract']);

/** Up to where in each session's L1 file. */
const Ends = v.record(v.string(), v.number());

const JournalEvent = v.variant('type', [
  /** The summary of a delta. */
  v.looseObject({
    type: v.literal('delta'),
    at: v.string(),
    way: Way,
    text: v.string(),
    ends: Ends,
    upTo: v.string(),
    /** The L1 file of each session: one whose file was deleted goes on in another. */
    files: v.optional(v.record(v.string(), v.string())),
    /** The entry's heading in memory.md; by the clock of the place where it was written. */
    stamp: v.optional(v.string()),
  }),
  /**
   * Facts found in a stretch of one session's L1; `cover` is the second look at what the first left
   * out.
   */
  v.looseObject({
    type: v.literal('facts'),
    at: v.string(),
    way: Way,
    text: v.string(),
    session: v.string(),
    /** A plain file name, no path. */
    file: v.pipe(v.string(), v.regex(/^[\w-]+\.l1\.jsonl$/)),
    from: v.number(),
    to: v.number(),
    cover: v.boolean(),
  }),
  /** A better summary of what was rotated out of memory.md. */
  v.looseObject({
    type: v.literal('rotation'),
    at: v.string(),
    way: Way,
    text: v.string(),
    stamp: v.string(),
  }),
  /** The daily look for what has become permanent and what is out of date. */
  v.looseObject({ type: v.literal('compress'), at: v.string() }),
  /** A person's change of one part of a document: an item of a list, a section, an entry. */
  v.looseObject({
    type: v.literal('edit'),
    at: v.string(),
    document: v.picklist(['facts', 'concepts', 'memory']),
    /**
     * Where in the document, such as `decisions` or `permanent.rules`, or the section of memory.md.
     */
    part: v.string(),
    /** The item's id or the entry's stamp; empty for the part as a whole. */
    id: v.string(),
    /** What it said before, to find it again should ids have moved. */
    was: v.fallback(v.optional(v.string()), undefined),
    /** Null: removed. */
    value: v.unknown(),
    /** What stood there; null: nothing. So that it can be taken back. */
    before: v.optional(v.unknown()),
    /** The same for all that was changed in one go through the app. */
    deed: v.fallback(v.optional(v.string()), undefined),
    isUndo: v.fallback(v.optional(v.boolean()), undefined),
    /**
     * The number, among all edits, of the one that this takes back; the last one where it is not
     * told.
     */
    undoes: v.fallback(v.optional(v.number()), undefined),
  }),
]);

export type JournalEvent = v.InferOutput<typeof JournalEvent>;
export type EditEvent = Extract<JournalEvent, { type: 'edit' }>;
export type Way = v.InferOutput<typeof Way>;

export function journalPath(memory: ProjectMemory): string {
  return join(memory.folder, 'journal.jsonl');
}

/** An event that nobody could read again is an error of who made it. */
export function checkEvents(events: readonly JournalEvent[]): void {
  for (const event of events) v.assert(JournalEvent, event);
}

/** On disk when this returns. Gives back how long the journal is then. */
export function appendToJournal(memory: ProjectMemory, events: readonly JournalEvent[]): number {
  return appendLines(
    journalPath(memory),
    events.map((event) => JSON.stringify(event)),
  );
}

export interface JournalPart {
  events: JournalEvent[];
  /** Where to read on from. */
  end: number;
}

/**
 * What stands behind an offset. A torn last line is left for later; lines that cannot be understood
 * are passed over.
 */
export function readJournal(memory: ProjectMemory, from: number): JournalPart {
  const text = readBehind(journalPath(memory), from);
  const complete = text.subarray(0, text.lastIndexOf('\n') + 1);
  const events = complete
    .toString('utf8')
    .split('\n')
    .flatMap((line) => parseEvent(line) ?? []);
  return { events, end: from + complete.length };
}

/** The words of every fact that a person ever changed or removed. */
export function removedFacts(memory: ProjectMemory): string[] {
  const lines = readBehind(journalPath(memory), 0).toString('utf8').split('\n');
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

export function parseEvent(line: string): JournalEvent | undefined {
  try {
    const parsed = v.safeParse(JournalEvent, JSON.parse(line));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined; // torn by a kill: whoever wrote it had not been answered yet and tries again
  }
}
