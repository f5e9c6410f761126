/**
 * PermissionRequest: allows without asking the user what the plugin itself asks for. Its own
 * agents may read the one file they are sent to (M16), and Claude may take the steps of enforcement,
 * word for word (M15). hooks-plugin/run.sh applies the same rule without starting node; this is for
 * Windows.
 */
import { AGENTS } from '../../memory/log/agents.ts';
import { parseJson } from '../../platform/store/attempt.ts';

const STEPS = [
  'memory-keeper memory compress',
  'memory-keeper memory facts --ask',
  'memory-keeper memory delta extract',
];
const QUESTION_FILE = /[\\/]memory[\\/](?:delta|facts)_temp\.txt$/;
const ALLOW = {
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
};

/** Undefined leaves the decision to the user. */
export function allowOwnSteps(stdin: string): object | undefined {
  const { agent_type: agent, tool_input: input } = Object(parseJson(stdin));
  const isOwnAgent = Object.values(AGENTS).includes(agent);
  const isAllowed =
    STEPS.includes(input?.command) || (isOwnAgent && QUESTION_FILE.test(input?.file_path));
  return isAllowed ? ALLOW : undefined;
}
