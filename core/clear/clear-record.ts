/**
 * One clear from its beginning to its end, on disk: `clears/<sessionId>.json` in our own folder,
 * written at each step. It tells what is going on, keeps two applications from clearing the same
 * session, and after a crash tells the next one what may have been typed.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { ExpectedError } from '../messages/expected-error.ts';
import { message, StoredMessage } from '../messages/message.ts';
import { attempt } from '../platform/store/attempt.ts';
import { type DocumentKind, readDocument, updateDocument } from '../platform/store/document.ts';
import { mayBeAlive, thisProcess } from '../platform/store/owner.ts';
import type { Places } from '../platform/store/places.ts';
import { removeFilesOlderThan } from '../platform/store/prune.ts';
import { WAYS_TO_CLEAR } from '../settings/setting-definitions.ts';

export const CLEAR_STATES = [
  'detected',
  'countdown',
  'waiting',
  'saving',
  'rechecking',
  'delivering',
  'verifying',
  'restored',
  'cancelled',
  'failed',
] as const;
export type ClearState = (typeof CLEAR_STATES)[number];

/** From here on a key may have been sent, and never again may one be (A7). */
const AFTER_TYPING: ClearState[] = ['delivering', 'verifying'];
const FINAL: ClearState[] = ['restored', 'cancelled', 'failed'];
const KEEP_MS = 30 * 24 * 60 * 60 * 1000;
const FOREIGN_MS = 60 * 60 * 1000;

const ClearRecord = v.object({
  sessionId: v.string(),
  pid: v.number(),
  processStart: v.string(),
  projectRoot: v.string(),
  /** Who wanted it: the threshold, or the user. */
  by: v.picklist(['threshold', 'user']),
  owner: v.object({ pid: v.number(), startTime: v.string(), host: v.string() }),
  state: v.picklist(CLEAR_STATES),
  steps: v.array(
    v.object({ state: v.picklist(CLEAR_STATES), at: v.string(), note: v.optional(StoredMessage) }),
  ),
  /** When the countdown ends; without one the user's yes is waited for. */
  countdownEnds: v.optional(v.string()),
  /** The user put it off, or said no, until then. */
  notBefore: v.optional(v.string()),
  way: v.optional(v.picklist(WAYS_TO_CLEAR)),
  newSessionId: v.optional(v.string()),
  /** The session was told to go on, or may have been (A10). */
  isContinued: v.optional(v.boolean()),
});

export type ClearRecord = v.InferOutput<typeof ClearRecord>;
type NewRecord = Omit<ClearRecord, 'owner'>;

export const isFinal = ({ state }: ClearRecord): boolean => FINAL.includes(state);
export const mayHaveTyped = ({ state }: Pick<ClearRecord, 'state'>): boolean =>
  AFTER_TYPING.includes(state);

/**
 * True if the owning process has ended. A process on another machine cannot be checked; its clear
 * counts as abandoned after an hour without a step.
 */
export function isAbandoned({ owner, steps }: ClearRecord): boolean {
  if (!mayBeAlive(owner)) return true;
  const isHere = owner.host === thisProcess().host;
  return !isHere && Date.now() - Date.parse(steps.at(-1)?.at ?? '') > FOREIGN_MS;
}

/** What this very process is at. */
const ours = new Set<string>();

interface StoredRecord {
  record?: ClearRecord | undefined;
}

const recordFile: DocumentKind<StoredRecord> = {
  version: 1,
  schema: v.looseObject({ record: v.optional(ClearRecord) }) as v.GenericSchema<
    unknown,
    StoredRecord
  >,
  empty: () => ({}),
};

export function recordsFolder(places: Places): string {
  return join(places.home, 'clears');
}

function recordPath(places: Places, sessionId: string): string {
  return join(recordsFolder(places), `${sessionId}.json`);
}

/** All that are known; one that cannot be read counts as none. */
export function readRecords(places: Places): ClearRecord[] {
  const names = attempt(() => readdirSync(recordsFolder(places)), []).filter((name) =>
    name.endsWith('.json'),
  );
  return names.flatMap((name) => readRecord(places, name.slice(0, -'.json'.length)) ?? []);
}

export function readRecord(places: Places, sessionId: string): ClearRecord | undefined {
  const reading = readDocument(recordPath(places, sessionId), recordFile);
  return reading.state === 'ok' ? reading.value.record : undefined;
}

/**
 * Takes a clear for this process, unless another one is at it. One that was abandoned when it may
 * have typed already is taken as it is: it can only be finished.
 */
export function claim(
  places: Places,
  record: NewRecord,
): { claimed: ClearRecord } | { taken: ClearRecord } {
  const owner = thisProcess();
  let taken: ClearRecord | undefined;
  let claimed: ClearRecord = { ...record, owner };
  updateDocument(recordPath(places, record.sessionId), recordFile, (file) => {
    const known = file.record;
    taken = known !== undefined && isTaken(known) ? known : undefined;
    if (taken !== undefined) return file;
    if (known !== undefined && isSameProcess(known, record)) claimed = takenOver(known, claimed);
    return { ...file, record: claimed };
  });
  if (taken !== undefined) return { taken };
  ours.add(record.sessionId);
  attempt(() => removeFilesOlderThan(recordsFolder(places), KEEP_MS), undefined);
  return { claimed };
}

/**
 * Also where the session runs in two terminals and the other one is being cleared: one after the
 * other.
 */
function isTaken(known: ClearRecord): boolean {
  if (isFinal(known) || isAbandoned(known)) return false;
  return known.owner.pid !== process.pid || ours.has(known.sessionId);
}

type InProcess = Pick<ClearRecord, 'pid' | 'processStart'>;

const isSameProcess = (one: InProcess, other: InProcess) =>
  one.pid === other.pid && one.processStart === other.processStart;

/**
 * A clear that is under way already may be hurried by whoever wants this session cleared, and not
 * the same session in another terminal.
 */
export function assertSameTerminal(taken: ClearRecord, session: InProcess): void {
  if (!isSameProcess(taken, session)) throw new ExpectedError(message('clear.otherTerminal'));
}

/**
 * That a clear can be stopped: somebody is at it. The record of one whose application has ended stays
 * as it was, and nobody counts down any more.
 */
export function assertStoppable(record: ClearRecord | undefined): asserts record is ClearRecord {
  if (record === undefined || isFinal(record)) throw new ExpectedError(message('clear.notRunning'));
  if (isAbandoned(record))
    throw new ExpectedError(message('clear.ownerEnded', { pid: String(record.owner.pid) }));
}

function takenOver(known: ClearRecord, wanted: ClearRecord): ClearRecord {
  if (mayHaveTyped(known)) return { ...known, owner: wanted.owner };
  return known.notBefore === undefined ? wanted : { ...wanted, notBefore: known.notBefore };
}

/** Durable: after a crash the next one must know whether a key may have been sent. */
export function writeRecord(places: Places, record: ClearRecord): void {
  updateDocument(recordPath(places, record.sessionId), recordFile, (file) => ({ ...file, record }));
  if (isFinal(record)) ours.delete(record.sessionId);
}
