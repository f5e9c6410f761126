/**
 * Does what only some prompts, session starts and turns need and what takes too much code to load
 * every time: asks the session's own agents where no mod runs (M16, F4), works without a model, and
 * counts prompts (M14).
 */
import { basename, join } from 'node:path';
import { AGENTS } from '../../memory/log/agents.ts';
import { DELTA_FILE } from '../../memory/log/delta-text.ts';
import { updateMemoryIndex } from '../../memory/log/memory-index.ts';
import { writeFactsQuestion } from '../../memory/model/agent-requests.ts';
import { doWhatNeedsNoModel, nextJob, type Workplace } from '../../memory/model/jobs.ts';
import { isExpected, messageOf } from '../../messages/expected-error.ts';
import type { Message } from '../../messages/message.ts';
import { BusyError, waitAtMost } from '../../platform/store/lock.ts';
import { type ProjectMemory, prepareProjectMemory } from '../../projects/project-memory.ts';
import type { HookInput } from './hook-input.ts';
import { workplaceFor } from './workplace.ts';

/**
 * The user waits for the hook, and an import or a rebuild can hold the lock for minutes: then the
 * next prompt asks.
 */
const LOCK_TIMEOUT_MS = 1000;

/**
 * A text that has Claude call an agent for what is due, or for what the last session left undone;
 * empty if somebody is doing it or it needs no model. The SubagentStop hook saves the answer.
 */
export function requestAgent(
  input: HookInput,
  trigger: 'DELTA' | 'FINAL',
  lockTimeoutMs = LOCK_TIMEOUT_MS,
): { request: string; problem?: Message } {
  waitAtMost(lockTimeoutMs);
  try {
    return { request: nextRequest(workplaceFor(input.places, input.memory), trigger) };
  } catch (error) {
    if (error instanceof BusyError) return { request: '' };
    if (!isExpected(error)) throw error;
    return { request: '', problem: messageOf(error) };
  }
}

function nextRequest(work: Workplace, trigger: 'DELTA' | 'FINAL'): string {
  const job = nextJob(work, 'agent');
  if (job === undefined || job.subject.kind === 'rotation') return '';
  if (job.subject.kind === 'delta')
    return requestText(trigger, AGENTS.delta, join(work.memory.folder, DELTA_FILE));
  return requestText('SAVE', AGENTS.facts, writeFactsQuestion(work.memory, job.prompt));
}

function requestText(trigger: 'DELTA' | 'FINAL' | 'SAVE', agent: string, path: string): string {
  return `[MEMORY_KEEPER_${trigger}] file=${basename(path)}
First call the Agent tool once: subagent_type "${agent}", run_in_background false, description "Keep memory", prompt "Read ${path} and answer as your instructions say.". Its answer is saved by itself: do not repeat or mention it, do not edit the file. Then do what the user asked for.`;
}

/**
 * Counts prompts across sessions; every n-th gets the rules. So does one that cannot be counted:
 * too often is better than never.
 */
export function countPrompt(
  memory: ProjectMemory,
  frequency: number,
  lockTimeoutMs = LOCK_TIMEOUT_MS,
): { isNth: boolean; problem?: Message } {
  waitAtMost(lockTimeoutMs);
  try {
    prepareProjectMemory(memory);
    const { rulesInjectionCount = 1 } = updateMemoryIndex(memory, (index) => ({
      ...index,
      rulesInjectionCount: (index.rulesInjectionCount ?? 0) + 1,
    }));
    return { isNth: (rulesInjectionCount - 1) % frequency === 0 };
  } catch (error) {
    return error instanceof BusyError
      ? { isNth: true }
      : { isNth: true, problem: messageOf(error) };
  }
}

/** In the background, after a tool or a reply. */
export function workWithoutModel(input: HookInput): void {
  doWhatNeedsNoModel(workplaceFor(input.places, input.memory));
}
