/**
 * Parses what Claude Code sends a hook, where any field may be missing or malformed, and finds the
 * memory that the hook works on.
 */
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { parseJson } from '../../platform/store/attempt.ts';
import { type Places, placesFrom, projectRoot } from '../../platform/store/places.ts';
import { isSessionId } from '../../platform/store/session-id.ts';
import {
  isRecord,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
} from '../../platform/text/json.ts';
import { isModPresent } from '../../projects/mod-presence.ts';
import { linkOutAtTop, type ProjectMemory, projectMemory } from '../../projects/project-memory.ts';

export interface HookInput {
  event: string;
  sessionId: string;
  transcript: string;
  /** Of SessionStart: startup, resume, clear, compact. */
  source: string;
  /** Of SessionEnd: clear, logout, prompt_input_exit, other. */
  reason: string;
  /** Of UserPromptSubmit. */
  prompt: string;
  /** Of SubagentStop: the agent's name, `memory-keeper:delta-summarizer`. */
  agentType: string;
  /** Of Stop: a hook has just kept Claude from stopping. */
  isStopActive: boolean;
  /** Of Stop: Claude's reply; of SubagentStop: the agent's answer. */
  lastMessage: string;
  /** The mod has passed the event on, so it runs in this session. */
  isFromMod: boolean;
  /** The exact figures from the mod, after the first reply. */
  context?: { tokens: number; window: number };
  /** The process of Claude Code, which stays the same over a `/clear`; empty if unknown. */
  claudePid: string;
  places: Places;
  /** Of the project that Claude Code was started in, wherever its shell has moved to (B3). */
  memory: ProjectMemory;
  env: NodeJS.ProcessEnv;
}

/** What a hook prints for Claude Code; nothing if it is undefined. */
export interface HookOutput {
  /** Shown to the user. */
  systemMessage?: string;
  decision?: 'block';
  reason?: string;
  hookSpecificOutput?: { hookEventName: string; additionalContext: string };
}

/**
 * Every hook begins with this, so it uses no schema: making one costs a fortieth of node's start.
 */
export function parseHookInput(stdin: string, env: NodeJS.ProcessEnv): HookInput {
  const fields = parseJsonObject(stdin);
  const text = (field: string) => stringAt(fields, field) ?? '';
  const sessionId = text('session_id');
  if (!isSessionId(sessionId)) throw new ExpectedError(message('hooks.noSession'));
  const places = placesFrom(env);
  const projectDir = env.CLAUDE_PROJECT_DIR || text('cwd') || process.cwd();
  return {
    event: text('hook_event_name'),
    sessionId,
    transcript: text('transcript_path'),
    source: text('source'),
    reason: text('reason'),
    prompt: text('prompt'),
    agentType: text('agent_type'),
    isStopActive: fields.stop_hook_active === true,
    lastMessage: text('last_assistant_message'),
    isFromMod: fields.memory_keeper_mod === true,
    ...exactContext(recordAt(fields, 'memory_keeper_context')),
    claudePid: /^\d+$/.test(env.CLAUDE_PID ?? '') ? (env.CLAUDE_PID as string) : '',
    places,
    memory: projectMemory(places, projectRoot(projectDir, env)),
    env,
  };
}

function exactContext(fields: JsonRecord = {}): Pick<HookInput, 'context'> {
  const tokens = numberAt(fields, 'tokens') ?? 0;
  const window = numberAt(fields, 'window') ?? 0;
  return tokens > 0 && window > 0 ? { context: { tokens, window } } : {};
}

export function parseJsonObject(stdin: string): JsonRecord {
  const value = parseJson(stdin);
  if (value === undefined) throw new ExpectedError(message('hooks.notJson'));
  if (!isRecord(value)) throw new ExpectedError(message('hooks.notObject'));
  return value;
}

/** Refuses a memory where a link leads out of the project (M1), as far as a hook reads it. */
export function assertOwnAtTop(memory: ProjectMemory): void {
  const problem = linkOutAtTop(memory);
  if (problem !== undefined) throw new ExpectedError(problem);
}

/** Where the mod runs, it asks the models itself; the hooks do not use the session's agents. */
export function isModRunning({ isFromMod, claudePid, places }: HookInput): boolean {
  return isFromMod || isModPresent(places, claudePid);
}
