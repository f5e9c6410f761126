/**
 * Who is at which piece of work for a model (M16), and how often it was tried: so that two sessions
 * do not ask the same, and nothing is tried for ever. Kept in the memory index.
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
  v.object({ kind: v.literal('delta'), ends: v.record(v.string(), v.number()), upTo: v.string() }),
  v.object({
    kind: v.literal('facts'),
    session: v.string(),
    file: v.pipe(v.string(), v.regex(/^[\w-]+\.l1\.jsonl$/)),
    from: v.number(),
    to: v.number(),
    cover: v.boolean(),
  }),
  v.object({ kind: v.literal('rotation'), stamp: v.string() }),
]);

/** What a job is about: goes out with it and comes back with the answer. */
export type Subject = v.InferOutput<typeof JobSubject>;

/** After this long, whoever took a job is not coming back with an answer. */
const LEASE_MS = 5 * 60 * 1000;

function keyOf(subject: Subject): string {
  return subject.kind === 'facts' ? `facts ${subject.session}` : subject.kind;
}

/** Who is going to ask a model. */
export type Asker = 'mod' | 'agent';

/**
 * Claims a job for an agent that was asked for outright, even if another process has claimed it.
 * `tokens`: roughly what the question costs.
 */
export function takeForAgent(memory: ProjectMemory, subject: Subject, tokens: number): void {
  const busyUntil = Date.now() + LEASE_MS;
  changeAttempt(memory, subject, (tries) => ({
    tries: tries + 1,
    busyUntil,
    subject,
    tokens,
    isOfAgent: true,
  }));
}

/**
 * False if somebody has taken it meanwhile. Counted before it is asked: who asks may be killed
 * while it waits for the answer.
 */
export function takeFreeJob(
  memory: ProjectMemory,
  subject: Subject,
  asker: Asker,
  tokens: number,
  claudePid?: number,
): boolean {
  let isTaken = false;
  updateMemoryIndex(memory, (index) => {
    const key = keyOf(subject);
    isTaken = isUntaken(index, key, asker);
    if (!isTaken) return index;
    const tries = (index.attempts?.[key]?.tries ?? 0) + 1;
    const attempt = {
      tries,
      busyUntil: Date.now() + LEASE_MS,
      subject,
      tokens,
      isOfAgent: asker === 'agent',
      claudePid,
    };
    return { ...index, attempts: { ...index.attempts, [key]: attempt } };
  });
  return isTaken;
}

export function releaseJob(
  memory: ProjectMemory,
  subject: Subject,
  { isFailure }: { isFailure: boolean },
): void {
  changeAttempt(memory, subject, (tries) => (isFailure ? { tries, subject } : undefined));
}

/** What agents were asked about and have not answered yet, the newest first. */
export function askedSubjects(memory: ProjectMemory, kind: 'delta' | 'facts'): Subject[] {
  const attempts = Object.values(readMemoryIndex(memory).attempts ?? {}).filter(
    ({ isOfAgent }) => isOfAgent === true,
  );
  return attempts
    .sort((a, b) => (b.busyUntil ?? 0) - (a.busyUntil ?? 0))
    .flatMap(({ subject }) => {
      const parsed = v.safeParse(JobSubject, subject);
      return parsed.success && parsed.output.kind === kind ? [parsed.output] : [];
    });
}

/**
 * Whether nobody is at it. Of agents, one at a time is asked for facts, in all sessions together:
 * their answers do not say about what.
 */
export function isUntaken(
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

function changeAttempt(
  memory: ProjectMemory,
  subject: Subject,
  change: (tries: number) => Attempt | undefined,
): void {
  updateMemoryIndex(memory, (index) => {
    const { [keyOf(subject)]: known, ...others } = index.attempts ?? {};
    const attempt = change(known?.tries ?? 0);
    return {
      ...index,
      attempts: attempt === undefined ? others : { ...others, [keyOf(subject)]: attempt },
    };
  });
}
