/** SubagentStop: saves what one of the plugin's own agents has answered (M16). */
import { AGENTS } from '../../memory/log/agents.ts';
import { removeFactsQuestion } from '../../memory/model/agent-requests.ts';
import { answeredSubject, finishJob } from '../../memory/model/jobs.ts';
import type { HookInput } from './hook-input.ts';
import { workplaceFor } from './workplace.ts';

const KINDS = new Map<string, 'delta' | 'facts'>([
  [AGENTS.delta, 'delta'],
  [AGENTS.facts, 'facts'],
]);

export function saveAgentAnswer(input: HookInput): undefined {
  const kind = KINDS.get(input.agentType);
  if (kind === undefined) return;
  const work = workplaceFor(input.places, input.memory);
  const subject = answeredSubject(work.memory, kind, input.lastMessage);
  if (subject === undefined) return;
  const { saved } = finishJob(work, subject, { text: input.lastMessage }, 'agent');
  if (saved && kind === 'facts') removeFactsQuestion(work.memory);
}
