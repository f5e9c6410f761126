/**
 * Activity as a person remembers it (G2): the steps of one clear, what was saved before it and what
 * the new session was given after it make one entry; everything else stands alone. Rows come in
 * newest first, as the engine lists them, and entries go out newest first.
 */

import type { ActivityRow } from '../../../core/usecases/contract.ts';
import type { Message } from '../../../core/usecases/messages.ts';

export interface ClearEntry {
  kind: 'clear';
  key: string;
  at: string;
  project: string | null;
  /** The session that was cleared. */
  sessionId: string;
  outcome: 'restored' | 'cancelled' | 'failed' | 'running';
  /** Why it ended as it did. */
  note: Message | string | null;
  way: string | null;
  isSaved: boolean;
  /** Compacted rather than cleared. */
  isCompaction: boolean;
  /** From the first key to the new session. */
  seconds: number | null;
  given: ActivityRow | null;
  /** Oldest first. */
  steps: ActivityRow[];
}

export interface SingleEntry {
  kind: 'single';
  key: string;
  at: string;
  row: ActivityRow;
}

export type Entry = ClearEntry | SingleEntry;

const STEPS = [
  'detected',
  'countdown',
  'waiting',
  'saving',
  'rechecking',
  'delivering',
  'verifying',
];
const FINAL = ['restored', 'cancelled', 'failed'];
/** A new session may be given its text a little before or after the clear is called done. */
const GIVEN_WITHIN_MS = 15_000;

export function entriesOf(rows: readonly ActivityRow[]): Entry[] {
  const entries: Entry[] = [];
  const open = new Map<string, ClearEntry>();
  const oldestFirst = rows.toReversed();
  for (const row of oldestFirst) {
    if (isStep(row)) addStep(row, open, entries);
    else if (row.what === 'given') addGiven(row, entries);
    else if (row.what === 'facts' && row.figures.facts === 0)
      continue; // a look that found nothing changed nothing
    else entries.push(single(row));
  }
  return entries.reverse();
}

function isStep({ what, sessionId }: ActivityRow): boolean {
  return sessionId !== null && (STEPS.includes(what) || FINAL.includes(what) || what === 'saved');
}

function addStep(row: ActivityRow, open: Map<string, ClearEntry>, entries: Entry[]): void {
  const sessionId = row.sessionId ?? '';
  let entry = open.get(sessionId);
  if (entry === undefined) {
    if (row.what === 'saved') {
      entries.push(single(row)); // saved as work went on, not for a clear
      return;
    }
    entry = newClear(row, sessionId);
    open.set(sessionId, entry);
    entries.push(entry);
  }
  entry.steps.push(row);
  entry.at = row.at;
  entry.way = row.way ?? entry.way;
  entry.isSaved ||= row.what === 'saved';
  entry.isCompaction ||= row.method === 'compact';
  if (!FINAL.includes(row.what)) return;
  entry.outcome = row.what as ClearEntry['outcome'];
  entry.note = row.note;
  entry.seconds = secondsOf(entry);
  open.delete(sessionId);
}

function newClear({ at, project }: ActivityRow, sessionId: string): ClearEntry {
  return {
    kind: 'clear',
    key: `${sessionId} ${at}`,
    at,
    project,
    sessionId,
    outcome: 'running',
    note: null,
    way: null,
    isSaved: false,
    isCompaction: false,
    seconds: null,
    given: null,
    steps: [],
  };
}

/** The new session has another id, so the project and the time tell which clear it belongs to. */
function addGiven(row: ActivityRow, entries: Entry[]): void {
  const clear = entries.findLast(
    (entry): entry is ClearEntry =>
      entry.kind === 'clear' &&
      entry.given === null &&
      (entry.project === row.project || row.project === null) &&
      entry.steps.some(({ what }) => what === 'delivering') &&
      Math.abs(Date.parse(row.at) - Date.parse(entry.at)) <= GIVEN_WITHIN_MS,
  );
  if (clear === undefined) {
    entries.push(single(row));
    return;
  }
  clear.given = row;
  clear.steps.push(row);
  clear.seconds = secondsOf(clear);
}

function secondsOf({ steps, outcome }: ClearEntry): number | null {
  const begin = steps.findLast(({ what }) => what === 'delivering')?.at;
  const end = steps.find(
    ({ what, at }) =>
      (what === 'given' || what === 'restored') && begin !== undefined && at >= begin,
  )?.at;
  if (outcome === 'cancelled' || outcome === 'failed' || begin === undefined || end === undefined)
    return null;
  return Math.max(0, Date.parse(end) - Date.parse(begin)) / 1000;
}

function single(row: ActivityRow): SingleEntry {
  return {
    kind: 'single',
    key: `${row.at} ${row.what} ${row.sessionId ?? ''} ${JSON.stringify(row.note)}`,
    at: row.at,
    row,
  };
}

export interface Day {
  /** Of the user's own time zone. */
  day: string;
  at: string;
  entries: Entry[];
}

export function daysOf(entries: readonly Entry[]): Day[] {
  const days: Day[] = [];
  for (const entry of entries) {
    const day = new Date(entry.at).toDateString();
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, at: entry.at, entries: [entry] });
  }
  return days;
}
