/**
 * Does what only some hooks need and what takes too much code to load every time: asks the session's
 * own agents where no mod runs and saves their answers (M16, F4), works without a model, and counts
 * prompts (M14).
 */
import { basename } from 'node:path';
import { AGENTS } from '../../memory/log/agents.ts';
import { DELTA_FILE } from '../../memory/log/delta-text.ts';
import { updateMemoryIndex } from '../../memory/log/memory-index.ts';
import { agentFile, allowReading } from '../../memory/model/agent-files.ts';
import { removeFactsQuestion, writeFactsQuestion } from '../../memory/model/agent-requests.ts';
import {
  answeredSubject,
  doJobsThatNeedNoModel,
  finishJob,
  nextJob,
  type ProjectContext,
} from '../../memory/model/jobs.ts';
import { isExpected, messageOf } from '../../messages/expected-error.ts';
import type { Message } from '../../messages/message.ts';
import { BusyError, limitLockWaits } from '../../platform/store/lock.ts';
import { escapeInLine } from '../../platform/text/escape-markers.ts';
import { NOTES } from '../../platform/text/markers.ts';
import { type ProjectMemory, prepareProjectMemory } from '../../projects/project-memory.ts';
import { readSettings } from '../../settings/settings.ts';
import type { HookInput } from './hook-input.ts';

/** The user waits for the hook, and an import or a rebuild can hold the lock for minutes. */
const LOCK_TIMEOUT_MS = 1000;

type MemoryPlace = Pick<HookInput, 'places' | 'memory'>;

/** Opens a memory with its settings, for work that reads all of it. */
export function openProject({ places, memory }: MemoryPlace): ProjectContext {
  return { places, memory, settings: readSettings(places, memory.root).settings };
}

/**
 * A text that has Claude call an agent for what is due, or for what the last session left undone;
 * empty if somebody is doing it, it needs no model, or the memory is locked.
 */
export function requestAgent(
  input: MemoryPlace & Pick<HookInput, 'sessionId'>,
  trigger: 'delta' | 'final',
  lockTimeoutMs = LOCK_TIMEOUT_MS,
): { request: string; problem?: Message } {
  limitLockWaits(lockTimeoutMs);
  try {
    return { request: nextRequest(openProject(input), input.sessionId, trigger) };
  } catch (error) {
    if (error instanceof BusyError) return { request: '' };
    if (!isExpected(error)) throw error;
    return { request: '', problem: messageOf(error) };
  }
}

function nextRequest(work: ProjectContext, sessionId: string, trigger: 'delta' | 'final'): string {
  // An agent takes the user's time: for past sessions, only at a session's start.
  const job = nextJob(work, 'agent', undefined, { withPast: trigger === 'final' });
  if (job === undefined || job.subject.kind === 'rotation') return '';
  const isDelta = job.subject.kind === 'delta';
  const path = isDelta
    ? agentFile(work.memory, DELTA_FILE)
    : writeFactsQuestion(work.memory, job.prompt);
  allowReading(work.places, sessionId, path);
  return isDelta
    ? requestText(trigger, AGENTS.delta, path)
    : requestText('save', AGENTS.facts, path);
}

function requestText(trigger: 'delta' | 'final' | 'save', agent: string, path: string): string {
  const file = escapeInLine(path);
  return `${NOTES[trigger]} file=${basename(file)}
First call the Agent tool once: subagent_type "${agent}", run_in_background false, description "Keep memory", prompt "Read ${file} and answer as your instructions say.". Its answer is saved by itself: do not repeat or mention it, do not edit the file. Then do what the user asked for.`;
}

/** SubagentStop: saves the answer of one of the plugin's own agents. */
export function saveAgentAnswer(input: HookInput): undefined {
  const { agentType, lastMessage: text } = input;
  const kind = (['delta', 'facts'] as const).find((name) => AGENTS[name] === agentType);
  if (kind === undefined) return;
  const work = openProject(input);
  const subject = answeredSubject(work.memory, kind, text);
  if (subject === undefined) return;
  const { saved } = finishJob(work, subject, { text }, 'agent');
  if (saved && kind === 'facts') removeFactsQuestion(work.memory);
}

/** Counts prompts across sessions; every n-th gets the rules, and so does one that is not counted. */
export function countPrompt(
  memory: ProjectMemory,
  frequency: number,
  lockTimeoutMs = LOCK_TIMEOUT_MS,
): { isNth: boolean; problem?: Message } {
  limitLockWaits(lockTimeoutMs);
  try {
    prepareProjectMemory(memory);
    const { rulesInjectionCount = 1 } = updateMemoryIndex(memory, (index) => ({
      ...index,
      rulesInjectionCount: (index.rulesInjectionCount ?? 0) + 1,
    }));
    return { isNth: (rulesInjectionCount - 1) % frequency === 0 };
  } catch (error) {
    return { isNth: true, ...(!(error instanceof BusyError) && { problem: messageOf(error) }) };
  }
}

/** In the background, after a tool or a reply. */
export function workWithoutModel(input: MemoryPlace): void {
  doJobsThatNeedNoModel(openProject(input));
}
