/**
 * Work for a model (M16), the same whoever asks it: the mod inside a session, an agent of the
 * session, or nobody, in which case the work is done without a model. `nextJob` says what is to be
 * asked, `finishJob` takes the answer; an answer that cannot be used moves nothing, and after a few
 * tries the work is done without a model, so that nothing waits for ever.
 */
import { type Message, message } from '../../messages/message.ts';
import type { Places } from '../../platform/store/places.ts';
import { estimateTokens } from '../../platform/text/estimate-tokens.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import type { Settings } from '../../settings/settings.ts';
import { type FactCandidate, parseFactsAnswer } from '../l2-facts/l2-answer.ts';
import {
  DELTA_SYSTEM,
  deltaPrompt,
  extractSummary,
  isAbout,
  usableSummary,
} from '../log/delta-text.ts';
import type { Way } from '../log/journal.ts';
import { readKeptL1 } from '../log/l1-store.ts';
import { type MemoryIndex, readMemoryIndex, updateMemoryIndex } from '../log/memory-index.ts';
import { redact } from '../redact/redact.ts';
import { catchUp, record } from '../state/derive.ts';
import { deltaWithin, extractDelta, pendingDelta, saveDelta } from './delta.ts';
import { isDeltaDue } from './delta-due.ts';
import {
  coverDue,
  extractSessionFacts,
  type FactsStretch,
  factsDue,
  factsJob,
} from './facts-job.ts';
import {
  type Asker,
  askedSubjects,
  attemptAt,
  isUntaken,
  releaseJob,
  type Subject,
  takeFreeJob,
} from './job-attempts.ts';
import { rotationDue, rotationPrompt } from './rotation-job.ts';
import { addSpending, tokensSpentToday } from './spend.ts';

export interface ModelJob {
  subject: Subject;
  model: string;
  system: string;
  prompt: string;
  maxTokens: number;
}

export type ModelAnswer =
  | { text: string; usage?: { input: number; output: number } }
  | { failure: string };
export type Outcome = { saved: true } | { saved: false; reason: Message };

export interface Workplace {
  places: Places;
  memory: ProjectMemory;
  settings: Settings;
}

const MAX_TRIES = 5;
const SUMMARY_TOKENS = 400;
const FACTS_TOKENS = 4000;
const NO_MODEL = 'none';

/**
 * The next thing to ask a model, taken by the caller (for a mod: in the name of its Claude Code, as
 * long as that lives); what must be done without one is done on the way.
 */
export function nextJob(
  work: Workplace,
  asker: Asker = 'mod',
  claudePid?: number,
): ModelJob | undefined {
  catchUp(work.memory);
  for (;;) {
    const due = dueJob(work, readMemoryIndex(work.memory), asker);
    if (due === undefined) return undefined;
    if (mustDoWithout(work, due)) doWithoutModel(work, due.subject);
    else if (
      takeFreeJob(
        work.memory,
        due.subject,
        asker,
        estimateTokens(due.system + due.prompt),
        claudePid,
      )
    )
      return due;
  }
}

/**
 * What is due and needs no model: the user wants none, today's budget is spent, or none has
 * answered.
 */
export function doWhatNeedsNoModel(work: Workplace): void {
  catchUp(work.memory);
  for (;;) {
    const due = dueJob(work, readMemoryIndex(work.memory), 'mod');
    if (due === undefined || !mustDoWithout(work, due)) return;
    doWithoutModel(work, due.subject);
  }
}

/** Everything that is due, without asking any model. */
export function doAllWithoutModel(work: Workplace): void {
  catchUp(work.memory);
  for (;;) {
    const due = dueJob(work, readMemoryIndex(work.memory), 'mod');
    if (due === undefined) return;
    doWithoutModel(work, due.subject);
  }
}

/**
 * Which of the questions that agents were asked an answer belongs to; undefined if to none. Not by
 * the session that it comes from: an agent that is at work over a /clear answers in the name of the
 * new one, and a slow one when another has been asked.
 */
export function answeredSubject(
  memory: ProjectMemory,
  kind: 'delta' | 'facts',
  text: string,
): Subject | undefined {
  const asked = askedSubjects(memory, kind);
  const facts = kind === 'facts' ? (parseFactsAnswer(text) ?? []) : [];
  if (facts.length === 0) return asked[0];
  return asked.find((subject) => subject.kind === 'facts' && areAbout(memory, subject, facts));
}

export function finishJob(
  work: Workplace,
  subject: Subject,
  answer: ModelAnswer,
  way: Way,
): Outcome {
  const { places, memory } = work;
  catchUp(memory);
  if ('text' in answer)
    addSpending(places, subject.kind, answer.usage ?? guessedUsage(memory, subject, answer.text));
  // Another process has finished this job and may have claimed the next one under the same key; do
  // not release that claim.
  if (isDone(memory, subject)) return { saved: false, reason: message('memory.alreadyDone') };
  const refused = (reason: Message): Outcome => {
    releaseJob(memory, subject, { isFailure: true });
    return { saved: false, reason };
  };
  if ('failure' in answer) return refused(message('system.words', { words: answer.failure }));
  const reason = unusable(memory, subject, answer.text);
  if (reason !== undefined) return refused(reason);
  save(memory, subject, answer.text, way);
  releaseJob(memory, subject, { isFailure: false });
  return { saved: true };
}

/**
 * What the model of a session said of all of it, before it is cleared (A2): stands in memory.md as
 * the summary of what it said last.
 */
export function saveHandOver(
  { places, memory }: Workplace,
  sessionId: string,
  {
    text,
    usage = { input: 0, output: estimateTokens(text) },
  }: { text: string; usage?: { input: number; output: number } },
): Outcome {
  catchUp(memory);
  addSpending(places, 'handOver', usage);
  // The model has read the conversation itself, and not L1, which has no secrets.
  const summary = usableSummary(redact(text));
  if (summary === undefined) return { saved: false, reason: message('memory.notASummary') };
  const index = readMemoryIndex(memory);
  const ends = { [sessionId]: index.sessions[sessionId]?.l1Bytes ?? 0 };
  const delta = deltaWithin(memory, index, { ends, upTo: '' });
  if (delta === undefined) return { saved: false, reason: message('memory.alreadySummarized') };
  saveDelta(memory, delta, summary, 'mod');
  return { saved: true };
}

function guessedUsage(
  memory: ProjectMemory,
  subject: Subject,
  text: string,
): { input: number; output: number } {
  return { input: attemptAt(memory, subject)?.tokens ?? 0, output: estimateTokens(text) };
}

function dueJob(work: Workplace, index: MemoryIndex, asker: Asker): ModelJob | undefined {
  const { memory, settings } = work;
  const isFree = (key: string) => isUntaken(index, key, asker);
  if (isFree('delta') && isDeltaDue(index, settings.saveInterval)) {
    const delta = extractDelta(memory);
    if (delta !== undefined) {
      const { ends, upTo, text } = delta;
      const subject = { kind: 'delta' as const, ends, upTo };
      return {
        subject,
        model: settings.models.delta,
        system: DELTA_SYSTEM,
        prompt: deltaPrompt(text),
        maxTokens: SUMMARY_TOKENS,
      };
    }
  }
  const stretch =
    factsDue(memory, index, settings.saveInterval, isFree) ?? coverDue(memory, index, isFree);
  if (stretch !== undefined)
    return {
      subject: { kind: 'facts', ...stretch },
      model: settings.models.facts,
      maxTokens: FACTS_TOKENS,
      ...factsJob(memory, stretch),
    };
  const rotation = isFree('rotation') ? rotationDue(memory, index) : undefined;
  if (rotation === undefined) return undefined;
  return {
    subject: { kind: 'rotation', stamp: rotation.stamp },
    model: settings.models.rotation,
    system: DELTA_SYSTEM,
    prompt: rotationPrompt(rotation),
    maxTokens: SUMMARY_TOKENS * 2,
  };
}

function mustDoWithout(
  { places, memory, settings }: Workplace,
  { subject, model, system, prompt }: ModelJob,
): boolean {
  const tokens = tokensSpentToday(places) + estimateTokens(system + prompt);
  return (
    model === NO_MODEL ||
    (attemptAt(memory, subject)?.tries ?? 0) >= MAX_TRIES ||
    tokens > settings.budget.tokensPerDay
  );
}

function doWithoutModel({ memory, settings }: Workplace, subject: Subject): void {
  if (subject.kind === 'delta') {
    const delta = pendingDelta(memory, readMemoryIndex(memory));
    if (delta !== undefined)
      saveDelta(memory, delta, extractSummary(delta.entries, settings.summaryMaxLength), 'extract');
  } else if (subject.kind === 'facts')
    save(memory, subject, subject.cover ? '[]' : extractSessionFacts(memory, subject), 'extract');
  else save(memory, subject, '', 'extract'); // what stands there was made without a model already
  releaseJob(memory, subject, { isFailure: false });
}

function save(memory: ProjectMemory, subject: Subject, text: string, way: Way): void {
  const at = new Date().toISOString();
  if (subject.kind === 'delta') saveDelta(memory, subject, text, way);
  else if (subject.kind === 'facts')
    record(memory, { type: 'facts', at, way, text, ...factsOf(subject) });
  else {
    if (text !== '') record(memory, { type: 'rotation', at, way, text, stamp: subject.stamp });
    updateMemoryIndex(memory, ({ rotated: _, ...index }) => index);
  }
}

function factsOf({ session, file, from, to, cover }: FactsStretch): FactsStretch {
  return { session, file, from, to, cover };
}

/** Another answer about the same has been saved. */
function isDone(memory: ProjectMemory, subject: Subject): boolean {
  const index = readMemoryIndex(memory);
  if (subject.kind === 'delta') return deltaWithin(memory, index, subject) === undefined;
  if (subject.kind === 'rotation') return rotationDue(memory, index)?.stamp !== subject.stamp;
  const { file, factsBytes = 0, coveredBytes = 0 } = index.sessions[subject.session] ?? {};
  return file !== subject.file || subject.to <= (subject.cover ? coveredBytes : factsBytes);
}

/** Why an answer cannot be used; undefined if it can. */
function unusable(memory: ProjectMemory, subject: Subject, text: string): Message | undefined {
  if (subject.kind === 'facts') return unusableFacts(memory, subject, text);
  const summary = usableSummary(text);
  if (summary === undefined) return message('memory.notASummary');
  if (subject.kind !== 'delta') return undefined;
  const told = deltaWithin(memory, readMemoryIndex(memory), subject)?.text ?? '';
  return isAbout(summary, told) ? undefined : message('memory.summaryOfOther');
}

function unusableFacts(
  memory: ProjectMemory,
  stretch: FactsStretch,
  text: string,
): Message | undefined {
  const facts = parseFactsAnswer(text);
  if (facts === undefined) return message('memory.notFacts');
  return facts.length === 0 || areAbout(memory, stretch, facts)
    ? undefined
    : message('memory.factsOfOther');
}

/** An answer to another question names other entries. */
function areAbout(
  memory: ProjectMemory,
  { file, from, to }: FactsStretch,
  facts: readonly FactCandidate[],
): boolean {
  const entries = new Set((readKeptL1(memory, file, from, to) ?? []).map(({ id }) => id));
  return facts.some(({ entry }) => entries.has(entry.replace(/^#/, '')));
}
