/**
 * Jobs for a model (M16), the same whoever asks it: the mod inside a session, or an agent of the
 * session. `nextJob` says what to ask, `finishJob` takes the answer; an answer that cannot be used
 * changes nothing, and after a few tries the job is done without a model, so nothing waits for ever.
 */
import { readFileSync } from 'node:fs';
import { type Message, message } from '../../messages/message.ts';
import { attempt } from '../../platform/store/attempt.ts';
import type { Places } from '../../platform/store/places.ts';
import { fenced } from '../../platform/text/escape-markers.ts';
import { estimateTokens } from '../../platform/text/estimate-tokens.ts';
import { memoryMdPath, rotatedEntriesPath } from '../../projects/memory-paths.ts';
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
import type { AnsweredBy } from '../log/journal.ts';
import { readL1Range } from '../log/l1-store.ts';
import { type MemoryIndex, readMemoryIndex, updateMemoryIndex } from '../log/memory-index.ts';
import { earlierContext } from '../memory-md/memory-md.ts';
import { redact } from '../redact/redact.ts';
import { catchUp, record } from '../state/derive.ts';
import { deltaWithin, extractDelta, pendingDelta, saveDelta } from './delta.ts';
import { coverDue, extractSessionFacts, factsDue, factsJob, pastFactsDue } from './facts-job.ts';
import {
  type Asker,
  askedSubjects,
  attemptAt,
  claimJob,
  type FactsRange,
  isJobFree,
  releaseJob,
  type Subject,
} from './job-attempts.ts';
import { isDeltaDue } from './job-due.ts';
import { addSpending, tokensSpentToday } from './spend.ts';

export interface ModelJob {
  subject: Subject;
  model: string;
  system: string;
  prompt: string;
  maxTokens: number;
}

interface Usage {
  input: number;
  output: number;
}

export type ModelAnswer = { text: string; usage?: Usage } | { failure: string };
export type Outcome = { saved: true } | { saved: false; reason: Message };

export interface ProjectContext {
  places: Places;
  memory: ProjectMemory;
  settings: Settings;
}

const MAX_TRIES = 5;
const SUMMARY_TOKENS = 400;
const FACTS_TOKENS = 4000;
const MAX_ARCHIVED_CHARS = 40_000;
const NO_MODEL = 'none';

/** Of the day's budget: the rest is for what is said today. */
const SHARE_FOR_PAST = 0.5;

/**
 * Claims the next job for a model, for a mod until its Claude Code (`claudePid`) ends. Does the jobs
 * before it that must be done without a model. `withPast`: if nothing else is due, a session that a
 * backfill brought.
 */
export function nextJob(
  project: ProjectContext,
  asker: Asker = 'mod',
  claudePid?: number,
  { withPast = false } = {},
): ModelJob | undefined {
  for (;;) {
    const job =
      doWithoutModelWhile(project, asker, (due) => mustDoWithout(project, due)) ??
      (withPast ? pastJob(project, asker) : undefined);
    if (job === undefined) return undefined;
    const tokens = estimateTokens(job.system + job.prompt);
    if (claimJob(project.memory, job.subject, { asker, tokens, claudePid })) return job;
  }
}

/**
 * Facts of one past session (L1d). It waits where today's budget is spent, and only what no model is
 * ever going to answer is done without one: one at a time, because somebody may wait.
 */
function pastJob(project: ProjectContext, asker: Asker): ModelJob | undefined {
  const { memory, places, settings } = project;
  const { models, budget } = settings;
  const index = readMemoryIndex(memory);
  const range = pastFactsDue(memory, index, (key) => isJobFree(index, key, asker));
  if (range === undefined) return undefined;
  const job = factsJobOf(memory, range, models.facts);
  if (models.facts === NO_MODEL || hasFailed(memory, job.subject)) {
    doWithoutModel(project, job.subject);
    return undefined;
  }
  const tokens = tokensSpentToday(places) + estimateTokens(job.system + job.prompt);
  return tokens > budget.tokensPerDay * SHARE_FOR_PAST ? undefined : job;
}

function factsJobOf(memory: ProjectMemory, range: FactsRange, model: string): ModelJob {
  return {
    subject: { kind: 'facts', ...range },
    model,
    maxTokens: FACTS_TOKENS,
    ...factsJob(memory, range),
  };
}

function hasFailed(memory: ProjectMemory, subject: Subject): boolean {
  return (attemptAt(memory, subject)?.tries ?? 0) >= MAX_TRIES;
}

/** Jobs for which the user wants no model, the budget is spent, or no model has answered. */
export function doJobsThatNeedNoModel(project: ProjectContext): void {
  doWithoutModelWhile(project, 'mod', (due) => mustDoWithout(project, due));
}

export function doAllJobsWithoutModel(project: ProjectContext): void {
  doWithoutModelWhile(project, 'mod', () => true);
}

/** Returns the first due job that does not meet the condition. */
function doWithoutModelWhile(
  project: ProjectContext,
  asker: Asker,
  condition: (due: ModelJob) => boolean,
): ModelJob | undefined {
  catchUp(project.memory);
  for (;;) {
    const due = dueJob(project, asker);
    if (due === undefined || !condition(due)) return due;
    doWithoutModel(project, due.subject);
  }
}

/**
 * The question of an agent that an answer belongs to. The session does not tell: an agent that is at
 * work during a /clear answers in the name of the new one, and a slow one after another was asked.
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
  { places, memory }: ProjectContext,
  subject: Subject,
  answer: ModelAnswer,
  way: AnsweredBy,
): Outcome {
  catchUp(memory);
  if ('text' in answer) {
    const input = attemptAt(memory, subject)?.tokens ?? 0;
    const guess = { input, output: estimateTokens(answer.text) };
    addSpending(places, subject.kind, answer.usage ?? guess);
  }
  // Another process has finished this job and may have claimed the next one under the same key; do
  // not release that claim.
  if (isDone(memory, subject)) return { saved: false, reason: message('memory.alreadyDone') };
  const reason =
    'failure' in answer
      ? message('system.words', { words: answer.failure })
      : unusable(memory, subject, answer.text);
  if ('text' in answer && reason === undefined) save(memory, subject, answer.text, way);
  releaseJob(memory, subject, { isFailure: reason !== undefined });
  return reason === undefined ? { saved: true } : { saved: false, reason };
}

/** Saves a session's own summary of itself, made before a clear (A2), to memory.md. */
export function saveHandOver(
  { places, memory }: ProjectContext,
  sessionId: string,
  { text, usage = { input: 0, output: estimateTokens(text) } }: { text: string; usage?: Usage },
): Outcome {
  catchUp(memory);
  addSpending(places, 'handOver', usage);
  // The model has read the conversation itself and not L1, which has no secrets.
  const summary = usableSummary(redact(text));
  if (summary === undefined) return { saved: false, reason: message('memory.notASummary') };
  const index = readMemoryIndex(memory);
  const ends = { [sessionId]: index.sessions[sessionId]?.l1Bytes ?? 0 };
  const delta = deltaWithin(memory, index, { ends, upTo: '' });
  if (delta === undefined) return { saved: false, reason: message('memory.alreadySummarized') };
  saveDelta(memory, delta, summary, 'mod');
  return { saved: true };
}

function dueJob({ memory, settings }: ProjectContext, asker: Asker): ModelJob | undefined {
  const { models, saveInterval } = settings;
  const index = readMemoryIndex(memory);
  const isFree = (key: string) => isJobFree(index, key, asker);
  const isSummaryDue = isFree('delta') && isDeltaDue(index, saveInterval);
  const delta = isSummaryDue ? extractDelta(memory) : undefined;
  if (delta !== undefined)
    return {
      subject: { kind: 'delta', ends: delta.ends, upTo: delta.upTo },
      model: models.delta,
      system: DELTA_SYSTEM,
      prompt: deltaPrompt(delta.text),
      maxTokens: SUMMARY_TOKENS,
    };
  const range = factsDue(memory, index, saveInterval, isFree) ?? coverDue(memory, index, isFree);
  if (range !== undefined) return factsJobOf(memory, range, models.facts);
  const rotation = isFree('rotation') ? rotationDue(memory, index) : undefined;
  if (rotation === undefined) return undefined;
  return {
    subject: { kind: 'rotation', stamp: rotation.upTo },
    model: models.rotation,
    system: DELTA_SYSTEM,
    prompt: rotationPrompt(memory, rotation),
    maxTokens: SUMMARY_TOKENS * 2,
  };
}

type EarlierContext = NonNullable<ReturnType<typeof earlierContext>>;

/** What was rotated out of memory.md (M3) and has only its first sentences for a summary yet. */
function rotationDue(memory: ProjectMemory, index: MemoryIndex): EarlierContext | undefined {
  return index.rotated === true ? earlierContext(textIn(memoryMdPath(memory))) : undefined;
}

function rotationPrompt(memory: ProjectMemory, { upTo, summary: told }: EarlierContext): string {
  const archived = textIn(rotatedEntriesPath(memory, upTo)).slice(-MAX_ARCHIVED_CHARS);
  return `These notes about a project are leaving its memory for the archive. Sum them up in at most five plain sentences: what was decided and what still matters.\n\n${fenced('notes', `${told}\n\n${archived}`)}`;
}

function textIn(path: string): string {
  return attempt(() => readFileSync(path, 'utf8'), '');
}

function mustDoWithout(
  { places, memory, settings }: ProjectContext,
  { subject, model, system, prompt }: ModelJob,
): boolean {
  const tokens = tokensSpentToday(places) + estimateTokens(system + prompt);
  return model === NO_MODEL || hasFailed(memory, subject) || tokens > settings.budget.tokensPerDay;
}

function doWithoutModel({ memory, settings }: ProjectContext, subject: Subject): void {
  if (subject.kind === 'delta') {
    const delta = pendingDelta(memory, readMemoryIndex(memory));
    if (delta !== undefined)
      saveDelta(memory, delta, extractSummary(delta.entries, settings.summaryMaxLength), 'extract');
  } else if (subject.kind === 'facts')
    save(memory, subject, subject.cover ? '[]' : extractSessionFacts(memory, subject), 'extract');
  else save(memory, subject, '', 'extract'); // the rotation has made a summary already
  releaseJob(memory, subject, { isFailure: false });
}

function save(memory: ProjectMemory, subject: Subject, text: string, way: AnsweredBy): void {
  const at = new Date().toISOString();
  if (subject.kind === 'delta') saveDelta(memory, subject, text, way);
  else if (subject.kind === 'facts') {
    const { session, file, from, to, cover } = subject;
    record(memory, { type: 'facts', at, way, text, session, file, from, to, cover });
  } else {
    if (text !== '') record(memory, { type: 'rotation', at, way, text, stamp: subject.stamp });
    updateMemoryIndex(memory, ({ rotated: _, ...index }) => index);
  }
}

/** Whether an answer about the same subject has been saved. */
function isDone(memory: ProjectMemory, subject: Subject): boolean {
  const index = readMemoryIndex(memory);
  if (subject.kind === 'delta') return deltaWithin(memory, index, subject) === undefined;
  if (subject.kind === 'rotation') return rotationDue(memory, index)?.upTo !== subject.stamp;
  const { file, factsBytes = 0, coveredBytes = 0 } = index.sessions[subject.session] ?? {};
  return file !== subject.file || subject.to <= (subject.cover ? coveredBytes : factsBytes);
}

/** Why an answer cannot be used; undefined if it can. */
function unusable(memory: ProjectMemory, subject: Subject, text: string): Message | undefined {
  if (subject.kind === 'facts') {
    const facts = parseFactsAnswer(text);
    if (facts === undefined) return message('memory.notFacts');
    const isUsable = facts.length === 0 || areAbout(memory, subject, facts);
    return isUsable ? undefined : message('memory.factsOfOther');
  }
  const summary = usableSummary(text);
  if (summary === undefined) return message('memory.notASummary');
  if (subject.kind !== 'delta') return undefined;
  const delta = deltaWithin(memory, readMemoryIndex(memory), subject)?.text ?? '';
  return isAbout(summary, delta) ? undefined : message('memory.summaryOfOther');
}

/** An answer to another question names other entries. */
function areAbout(
  memory: ProjectMemory,
  { file, from, to }: FactsRange,
  facts: readonly FactCandidate[],
): boolean {
  const entries = new Set((readL1Range(memory, file, from, to) ?? []).map(({ id }) => id));
  return facts.some(({ entry }) => entries.has(entry.replace(/^#/, '')));
}
