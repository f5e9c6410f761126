/**
 * Asks the session's own agents for what is due (M16, F4), where no mod does it: a text for Claude
 * that goes along with a prompt or a session's start. What an agent answers is saved by the
 * SubagentStop hook; Claude need not do anything with it.
 */
import { basename, join } from 'node:path';
import { AGENTS } from '../../core/memory/log/agents.ts';
import { DELTA_FILE } from '../../core/memory/log/delta-text.ts';
import { writeFactsQuestion } from '../../core/memory/model/agent-requests.ts';
import { nextJob, type Workplace } from '../../core/memory/model/jobs.ts';

/**
 * `[MEMORY_KEEPER_DELTA] file=delta_temp.txt` and what to do about it; undefined if nothing is due.
 */
export function askAgents(work: Workplace, trigger: 'DELTA' | 'FINAL'): string | undefined {
  const job = nextJob(work, 'agent');
  if (job === undefined || job.subject.kind === 'rotation') return undefined;
  const { folder } = work.memory;
  if (job.subject.kind === 'delta') return request(trigger, AGENTS.delta, join(folder, DELTA_FILE));
  return request('SAVE', AGENTS.facts, writeFactsQuestion(work.memory, job.prompt));
}

function request(trigger: 'DELTA' | 'FINAL' | 'SAVE', agent: string, path: string): string {
  return `[MEMORY_KEEPER_${trigger}] file=${basename(path)}
First call the Agent tool once: subagent_type "${agent}", run_in_background false, description "Keep memory", prompt "Read ${path} and answer as your instructions say.". Its answer is saved by itself: do not repeat or mention it, do not edit the file. Then do what the user asked for.`;
}
