/**
 * PermissionRequest and PreToolUse: allows without asking the user what the plugin itself asks for. Its own
 * agents may read the one file they are sent to (M16), and Claude may take the steps of enforcement,
 * word for word (M15), and look into the project's own memory (K8). hooks-plugin/run.sh applies the same rule without starting node; this is for
 * Windows.
 */
import { AGENTS } from '../../memory/log/agents.ts';
import { isReadingAllowed } from '../../memory/model/agent-files.ts';
import { parseJson } from '../../platform/store/attempt.ts';
import { type Places, placesFrom } from '../../platform/store/places.ts';
import { findClaudePid, isClaudeTooOld } from './claude-process.ts';

const STEPS = [
  'memory-keeper memory compress',
  'memory-keeper memory facts --ask',
  'memory-keeper memory delta extract',
];
/** The tools that only look into this project's memory (K8); a test compares them with the list. */
export const READING_TOOLS: readonly unknown[] = ['search', 'get', 'timeline'].map(
  (name) => `mcp__plugin_memory-keeper_memory__${name}`,
);
const ALLOW = {
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
};

/** The user's own rules to deny or to ask come first all the same. */
const ALLOW_LOOK = {
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' },
};

/** Undefined leaves the decision to the user. */
export function allowOwnSteps(stdin: string, env: NodeJS.ProcessEnv): object | undefined {
  const request = Object(parseJson(stdin));
  const places = placesFrom(env);
  const claudePid = findClaudePid(env, places, String(request.session_id));
  if (isClaudeTooOld({ env, places, claudePid })) return undefined;
  if (request.hook_event_name === 'PreToolUse')
    return READING_TOOLS.includes(request.tool_name) ? ALLOW_LOOK : undefined;
  const isAllowed = STEPS.includes(request.tool_input?.command) || isOwnReading(request, places);
  return isAllowed ? ALLOW : undefined;
}

function isOwnReading(
  { agent_type: agent, session_id: session, tool_name: tool, tool_input: input }: AnyRequest,
  places: Places,
): boolean {
  const isOwnAgent = (Object.values(AGENTS) as unknown[]).includes(agent);
  const path = input?.file_path;
  if (!isOwnAgent || tool !== 'Read' || typeof path !== 'string') return false;
  return isReadingAllowed(places, String(session), path);
}

/** As Claude Code sends it, or anybody: nothing in it is certain. */
interface AnyRequest {
  agent_type?: unknown;
  session_id?: unknown;
  tool_name?: unknown;
  tool_input?: { file_path?: unknown };
}
