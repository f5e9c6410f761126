/**
 * The record of one clear, `clears/<sessionId>.json`, written at each step. It keeps two
 * applications from clearing the same session, and after a crash says what may have been typed.
 */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import * as v from 'valibot';
import { ExpectedError } from '../messages/expected-error.ts';
import { message, StoredMessage } from '../messages/message.ts';
import { attempt } from '../platform/store/attempt.ts';
import { type DocumentKind, readDocument, updateDocument } from '../platform/store/document.ts';
import { removeFilesOlderThan } from '../platform/store/file-changes.ts';
import { mayBeAlive, thisProcess } from '../platform/store/owner.ts';
import type { Places } from '../platform/store/places.ts';
import { DRIVER_NAMES } from '../settings/setting-definitions.ts';
import { recordPath, recordsFolder } from './clear-record-place.ts';

const BEFORE_TYPING = ['detected', 'countdown', 'waiting', 'saving', 'rechecking'] as const;
/** A key may have been sent, so none may be sent again (A7). */
const AFTER_TYPING = ['delivering', 'verifying'] as const;
const FINAL = ['restored', 'cancelled', 'failed'] as const;
const CLEAR_STATES = [...BEFORE_TYPING, ...AFTER_TYPING, ...FINAL] as const;
export type ClearState = (typeof CLEAR_STATES)[number];

const KEEP_MS = 30 * 24 * 60 * 60 * 1000;
const FOREIGN_TIMEOUT_MS = 60 * 60 * 1000;
/** As many as `autoClear.maxPerHour` can ask for. */
const MAX_EARLIER = 1000;

const ClearRecord = v.object({
  sessionId: v.string(),
  pid: v.number(),
  processStart: v.string(),
  projectRoot: v.string(),
  /** Where the session was started: Claude Code resumes it there (K9). */
  cwd: v.optional(v.string()),
  /** How full its context was when it was saved; missing if nobody knew. */
  percent: v.optional(v.number()),
  by: v.picklist(['threshold', 'user']),
  owner: v.object({ pid: v.number(), startTime: v.string(), host: v.string() }),
  state: v.picklist(CLEAR_STATES),
  steps: v.array(
    v.object({ state: v.picklist(CLEAR_STATES), at: v.string(), note: v.optional(StoredMessage) }),
  ),
  /** When the countdown ends; without it, the clear waits for the user's yes. */
  countdownEnds: v.optional(v.string()),
  /** Until when the user snoozed or cancelled it. */
  notBefore: v.optional(v.string()),
  /** The driver; called `way` in files since 0.1.0. */
  way: v.optional(v.picklist(DRIVER_NAMES)),
  newSessionId: v.optional(v.string()),
  /** Compacted in place, by the mod, rather than cleared; the session keeps its id. */
  method: v.optional(v.literal('compact')),
  /** The context right after it was compacted, if Claude Code said so. */
  tokensAfter: v.optional(v.number()),
  /** The session was told to go on, or may have been (A10). */
  isContinued: v.optional(v.boolean()),
  /** Was not told to go on, because the breaker was open (T5). */
  isLeftIdle: v.optional(v.boolean()),
  /** The user had typed a prompt in the session that was cleared. */
  isPrompted: v.optional(v.boolean()),
  /** The user said yes to it, or hurried it. */
  isAgreed: v.optional(v.boolean()),
  /** The user has reset the breaker since: it no longer counts. */
  isReset: v.optional(v.boolean()),
  /** When earlier automatic clears of the same session ended, which all failed. */
  earlier: v.optional(v.array(v.string())),
});

export type ClearRecord = v.InferOutput<typeof ClearRecord>;

export const isFinal = ({ state }: ClearRecord): boolean => FINAL.some((one) => one === state);
export const mayHaveTyped = ({ state }: ClearRecord): boolean =>
  AFTER_TYPING.some((one) => one === state);

/**
 * When automatic clears of this session ended, failed ones too. What the user asked for, agreed to,
 * or stopped in time does not count (T5).
 */
export function automaticClears(record: ClearRecord): string[] {
  const { by, isAgreed, isReset, steps, earlier = [] } = record;
  if (isReset === true) return [];
  const isDelivered = steps.some(({ state }) => state === 'delivering');
  const last = by === 'threshold' && isAgreed !== true && isDelivered ? steps.at(-1) : undefined;
  return last === undefined ? earlier : [...earlier, last.at];
}

/** A process on another machine cannot be checked, so its clear expires. */
export function isAbandoned({ owner, steps }: ClearRecord): boolean {
  if (!mayBeAlive(owner)) return true;
  const isHere = owner.host === thisProcess().host;
  return !isHere && Date.now() - Date.parse(steps.at(-1)?.at ?? '') > FOREIGN_TIMEOUT_MS;
}

/** The clears that this very process runs. */
const ours = new Set<string>();

const recordFile: DocumentKind<{ record?: ClearRecord | undefined }> = {
  version: 1,
  schema: v.looseObject({ record: v.optional(ClearRecord) }),
  empty: () => ({}),
};

/** Leaves out those that cannot be read. */
export function readRecords(places: Places): ClearRecord[] {
  const names = attempt(() => readdirSync(recordsFolder(places)), []);
  return names
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => readRecord(places, basename(name, '.json')) ?? []);
}

export function readRecord(places: Places, sessionId: string): ClearRecord | undefined {
  const reading = readDocument(recordPath(places, sessionId), recordFile);
  return reading.state === 'ok' ? reading.value.record : undefined;
}

/** Takes a clear for this process. One that may have typed can only be finished, as it is. */
export function claim(
  places: Places,
  record: Omit<ClearRecord, 'owner'>,
): { claimed: ClearRecord } | { taken: ClearRecord } {
  const owner = thisProcess();
  let taken: ClearRecord | undefined;
  let claimed: ClearRecord = { ...record, owner };
  updateDocument(recordPath(places, record.sessionId), recordFile, (file) => {
    const existing = file.record;
    taken = existing !== undefined && isTaken(existing) ? existing : undefined;
    if (taken !== undefined) return file;
    if (existing !== undefined && isSameProcess(existing, record))
      claimed = takenOver(existing, claimed);
    return { ...file, record: claimed };
  });
  if (taken !== undefined) return { taken };
  ours.add(record.sessionId);
  attempt(() => removeFilesOlderThan(recordsFolder(places), KEEP_MS), undefined);
  return { claimed };
}

/** A session may run in two terminals; those are cleared one after the other. */
function isTaken(record: ClearRecord): boolean {
  if (isFinal(record) || isAbandoned(record)) return false;
  return record.owner.pid !== process.pid || ours.has(record.sessionId);
}

type InProcess = Pick<ClearRecord, 'pid' | 'processStart'>;

export const isSameProcess = (one: InProcess, other: InProcess): boolean =>
  one.pid === other.pid && one.processStart === other.processStart;

/** A request for one terminal must not hurry the clear of the same session in another one. */
export function assertSameTerminal(taken: ClearRecord, session: InProcess): void {
  if (!isSameProcess(taken, session)) throw new ExpectedError(message('clear.otherTerminal'));
}

/** Only a clear that an application runs can be stopped; the record alone may outlive it. */
export function assertStoppable(record: ClearRecord | undefined): asserts record is ClearRecord {
  if (record === undefined || isFinal(record)) throw new ExpectedError(message('clear.notRunning'));
  if (isAbandoned(record))
    throw new ExpectedError(message('clear.ownerEnded', { pid: String(record.owner.pid) }));
}

function takenOver(existing: ClearRecord, wanted: ClearRecord): ClearRecord {
  if (mayHaveTyped(existing)) return { ...existing, owner: wanted.owner };
  const { notBefore } = existing;
  const earlier = automaticClears(existing).slice(-MAX_EARLIER);
  return {
    ...wanted,
    ...(notBefore !== undefined && { notBefore }),
    ...(earlier.length > 0 && { earlier }),
  };
}

/** Durable: after a crash the next application must know whether a key may have been sent. */
export function writeRecord(places: Places, record: ClearRecord): void {
  updateDocument(recordPath(places, record.sessionId), recordFile, (file) => ({ ...file, record }));
  if (isFinal(record)) ours.delete(record.sessionId);
}
