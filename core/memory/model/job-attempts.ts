/**
 * Records in the memory index who works on which job for a model (M16), and how often it was tried:
 * so that two sessions do not ask the same, and nothing is tried for ever.
 */
import * as v from 'valibot';
import { isAlive } from '../../platform/store/owner.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import {
  type Attempt,
  readMemoryIndex,
  updateMemoryIndex,
  type WorkMarks,
} from '../log/memory-index.ts';

export const JobSubject = v.variant('kind', [
  v.object({
    kind: v.literal('delta'),
    /** How much of each session's L1 file it covers, in bytes. */
    ends: v.record(v.string(), v.number()),
    /** Time of its newest entry. */
    upTo: v.string(),
  }),
  /** A range of one session's L1 file, in bytes. */
  v.object({
    kind: v.literal('facts'),
    session: v.string(),
    file: v.pipe(v.string(), v.regex(/^[\w-]+\.l1\.jsonl$/)),
    from: v.number(),
    to: v.number(),
    /** The second look, at the entries that gave no fact at the first. */
    cover: v.boolean(),
  }),
  /** Up to the newest of the rotated entries. */
  v.object({ kind: v.literal('rotation'), stamp: v.string() }),
]);

/** What a job is about: goes out with it and comes back with the answer. */
export type Subject = v.InferOutput<typeof JobSubject>;
export type DeltaReach = Omit<Extract<Subject, { kind: 'delta' }>, 'kind'>;
export type FactsRange = Omit<Extract<Subject, { kind: 'facts' }>, 'kind'>;

/** Who is going to ask a model. */
export type Asker = 'mod' | 'agent';

export interface Claim {
  asker: Asker;
  /** About how many tokens the question has. */
  tokens: number;
  /** The Claude Code whose mod asks. */
  claudePid?: number | undefined;
  /** The user asked for it: take the job from whoever has it. */
  isForced?: boolean;
}

/** After this long, no answer is expected any more. */
const LEASE_MS = 5 * 60 * 1000;

function keyOf(subject: Subject): string {
  return subject.kind === 'facts' ? `facts ${subject.session}` : subject.kind;
}

/**
 * False if somebody else has claimed it meanwhile. Counts as a try at once, because the asker may be
 * killed while it waits for the answer.
 */
export function claimJob(
  memory: ProjectMemory,
  subject: Subject,
  { asker, tokens, claudePid, isForced = false }: Claim,
): boolean {
  let isClaimed = false;
  updateMemoryIndex(memory, (index) => {
    const key = keyOf(subject);
    isClaimed = isForced || isJobFree(index, key, asker);
    if (!isClaimed) return index;
    const attempt = {
      tries: (index.attempts?.[key]?.tries ?? 0) + 1,
      busyUntil: Date.now() + LEASE_MS,
      subject,
      tokens,
      isOfAgent: asker === 'agent',
      claudePid,
    };
    return { ...index, attempts: { ...index.attempts, [key]: attempt } };
  });
  return isClaimed;
}

export function releaseJob(
  memory: ProjectMemory,
  subject: Subject,
  { isFailure }: { isFailure: boolean },
): void {
  updateMemoryIndex(memory, (index) => {
    const key = keyOf(subject);
    const { [key]: attempt, ...others } = index.attempts ?? {};
    const failed = { [key]: { tries: attempt?.tries ?? 0, subject } };
    return { ...index, attempts: { ...others, ...(isFailure && failed) } };
  });
}

/** What agents were asked about and have not answered yet, the newest first. */
export function askedSubjects(memory: ProjectMemory, kind: 'delta' | 'facts'): Subject[] {
  return Object.values(readMemoryIndex(memory).attempts ?? {})
    .filter(({ isOfAgent }) => isOfAgent === true)
    .sort((a, b) => (b.busyUntil ?? 0) - (a.busyUntil ?? 0))
    .flatMap(({ subject }) => {
      const parsed = v.safeParse(JobSubject, subject);
      return parsed.success && parsed.output.kind === kind ? [parsed.output] : [];
    });
}

/**
 * Agents are asked for facts one at a time in all sessions together, because an answer does not say
 * which question it is for.
 */
export function isJobFree(
  { attempts = {} }: Pick<WorkMarks, 'attempts'>,
  key: string,
  asker: Asker,
): boolean {
  const isBusy = (attempt: Pick<Attempt, 'busyUntil' | 'claudePid'> | undefined) =>
    (attempt?.busyUntil ?? 0) >= Date.now() &&
    (attempt?.claudePid === undefined || isAlive(attempt.claudePid));
  if (asker === 'mod' || !key.startsWith('facts ')) return !isBusy(attempts[key]);
  return !Object.entries(attempts).some(
    ([other, attempt]) => other.startsWith('facts ') && isBusy(attempt),
  );
}

export function attemptAt(memory: ProjectMemory, subject: Subject): Attempt | undefined {
  return readMemoryIndex(memory).attempts?.[keyOf(subject)];
}
