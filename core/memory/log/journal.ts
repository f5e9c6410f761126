/**
 * `journal.jsonl`: models' answers and people's edits, in order and never rewritten. L1 and the
 * journal are the truth of a project's memory: facts.json, concepts.json and memory.md are made
 * from the two and can be rebuilt (M2, M19).
 */
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as v from 'valibot';
import { appendLines, readFrom } from '../../platform/store/append-only.ts';
import { parseJson } from '../../platform/store/attempt.ts';
import { canonicalJson } from '../../platform/text/canonical.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { CLOCK } from './clock.ts';

const AnsweredBy = v.picklist(['mod', 'agent', 'extract']);

/** What we cannot believe counts as missing. */
const optionalText = (pattern: RegExp) =>
  v.fallback(v.optional(v.pipe(v.string(), v.regex(pattern))), undefined);

/** What every event has since 0.2.0 (decision 25); `stampEvents` adds it. */
const event = {
  at: v.string(),
  /** Unique everywhere. For older events `uidOf` makes one from the content. */
  uid: optionalText(/^[\w-]{8,100}$/),
  /** The machine that wrote it. */
  machine: optionalText(/^[0-9a-f]{12}$/),
  /** Later than every event that the machine had seen in this journal. */
  clock: optionalText(CLOCK),
};

/** What every answer of a model has. */
const answer = { ...event, way: AnsweredBy, text: v.string() };

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
    /** The text is a hand-over with lines (K3), not a sentence or two. */
    isHandOver: v.fallback(v.optional(v.boolean()), undefined),
    /** It sums up one session that was over before its memory began (L1d). */
    backfill: v.fallback(
      v.optional(
        v.looseObject({
          /** Of the backfill that brought it. */
          id: v.string(),
          /** What the session is called. */
          name: v.string(),
          /** ISO times of its first and last entry. */
          from: v.string(),
          to: v.string(),
        }),
      ),
      undefined,
    ),
  }),
  /** A backfill was taken back (L1d): these sessions are no part of the memory any more. */
  v.looseObject({
    type: v.literal('takeBack'),
    ...event,
    /** The L1 file of each. */
    files: v.record(v.string(), v.string()),
    /** The headings of their entries in memory.md. */
    headings: v.array(v.string()),
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
  v.looseObject({ type: v.literal('compress'), ...event }),
  /** A person's edit of one part of a document: an item of a list, a section, an entry. */
  v.looseObject({
    type: v.literal('edit'),
    ...event,
    document: v.picklist(['facts', 'concepts', 'memory']),
    /** Where in the document: `decisions`, `permanent.rules`, or a section of memory.md. */
    part: v.string(),
    /** The item's id or the entry's stamp; empty for the part as a whole. */
    id: v.string(),
    /** The item's uid, which is the same in every copy of the memory. */
    item: optionalText(/^[\w-]{8,100}$/),
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
    /** The uid of that edit, which counts where a merge has changed the numbers. */
    undoesEvent: optionalText(/^[\w-]{8,100}$/),
    /** That edit added the item: removing it again does not mean that it is never to come back. */
    undoesAddition: v.fallback(v.optional(v.boolean()), undefined),
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

const MS_DIGITS = 11;
const UID_DIGITS = 24;

/** Begins with the time, so that uids sort by it. `rest`: digits that nobody else has. */
export function newUid(ms: number, rest: string): string {
  const time = Math.min(Math.max(Number.isNaN(ms) ? 0 : ms, 0), 16 ** MS_DIGITS - 1);
  return `${time.toString(16).padStart(MS_DIGITS, '0')}${rest}`.slice(0, UID_DIGITS);
}

/** Sorts as time does. */
export function timeOfUid(uid: string): string {
  return uid.slice(0, MS_DIGITS);
}

/** How many digits `rest` of `newUid` has. */
export const UID_REST_DIGITS = UID_DIGITS - MS_DIGITS;

/**
 * Events of 0.1.0 have none: theirs is made from what they say, so that all copies of an old
 * journal agree, also where a merge has put the event into another place.
 */
export function uidOf(event: JournalEvent): string {
  if (event.uid !== undefined) return event.uid;
  const { uid: _, machine: _machine, clock: _clock, ...said } = event;
  return newUid(Date.parse(event.at), sha256(canonicalJson(said)));
}

/** Loads the hashes only now: hooks never need them. */
export function sha256(text: string): string {
  const { createHash }: typeof import('node:crypto') = createRequire(process.execPath)(
    'node:crypto',
  );
  return createHash('sha256').update(text).digest('hex');
}

/** The uid of an item by the event that made it, and its position in it. */
export function itemUid(eventUid: string, position: number): string {
  return `${eventUid}-${String(position).padStart(2, '0')}`;
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
