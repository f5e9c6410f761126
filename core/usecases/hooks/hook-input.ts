/**
 * Parses what Claude Code sends a hook, where any field may be missing or malformed, and finds the
 * memory that the hook works on.
 */
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { parseJson } from '../../platform/store/attempt.ts';
import { keepMachineIdIn } from '../../platform/store/machine.ts';
import { placesFrom } from '../../platform/store/places.ts';
import { isSessionId } from '../../platform/store/session-id.ts';
import {
  isRecord,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
} from '../../platform/text/json.ts';
import { isModPresent } from '../../projects/mod-presence.ts';
import { projectMemory } from '../../projects/project-memory.ts';
import { findClaudePid } from './claude-process.ts';

export type HookInput = ReturnType<typeof parseHookInput>;

/** What a hook prints for Claude Code; nothing if it is undefined. */
export interface HookOutput {
  /** Shown to the user. */
  systemMessage?: string;
  decision?: 'block';
  reason?: string;
  hookSpecificOutput?: { hookEventName: string; additionalContext: string };
}

/** Every hook begins with this, so it uses no schema: making one costs 1/40 of node's start. */
export function parseHookInput(stdin: string, env: NodeJS.ProcessEnv) {
  const fields = parseJsonObject(stdin);
  const text = (field: string) => stringAt(fields, field) ?? '';
  const sessionId = text('session_id');
  if (!isSessionId(sessionId)) throw new ExpectedError(message('hooks.noSession'));
  const places = placesFrom(env);
  keepMachineIdIn(places.home);
  const { CLAUDE_PROJECT_DIR } = env;
  const projectDir = CLAUDE_PROJECT_DIR || text('cwd') || process.cwd();
  return {
    event: text('hook_event_name'),
    sessionId,
    transcript: text('transcript_path'),
    /** Of SessionStart: startup, resume, clear, compact. */
    source: text('source'),
    /** Of SessionEnd: clear, logout, prompt_input_exit, other. */
    reason: text('reason'),
    /** Of UserPromptSubmit. */
    prompt: text('prompt'),
    /** Of SubagentStop: the agent's name, `memory-keeper:delta-summarizer`. */
    agentType: text('agent_type'),
    /** Of Stop: Claude goes on because a hook has blocked the stop before. */
    isStopActive: fields.stop_hook_active === true,
    /** Of Stop: Claude's reply; of SubagentStop: the agent's answer. */
    lastMessage: text('last_assistant_message'),
    /** The mod has passed the event on, so it runs in this session. */
    isFromMod: fields.memory_keeper_mod === true,
    /** Of SessionStart after a compaction: the mod has answered it (K4). */
    isCompactedByMod: fields.memory_keeper_compacted === true,
    context: exactContext(recordAt(fields, 'memory_keeper_context')),
    /** The process of Claude Code, which stays the same over a `/clear`; empty if unknown. */
    claudePid: findClaudePid(env, places, sessionId),
    places,
    projectDir,
    /** Of the project that Claude Code was started in, wherever its shell has moved to (B3). */
    memory: projectMemory(places, projectDir, env),
    env,
  };
}

/** The mod's exact figures; it has them after the first reply. */
function exactContext(fields: JsonRecord = {}): { tokens: number; window: number } | undefined {
  const tokens = numberAt(fields, 'tokens') ?? 0;
  const window = numberAt(fields, 'window') ?? 0;
  return tokens > 0 && window > 0 ? { tokens, window } : undefined;
}

export function parseJsonObject(stdin: string): JsonRecord {
  const value = parseJson(stdin);
  if (value === undefined) throw new ExpectedError(message('hooks.notJson'));
  if (!isRecord(value)) throw new ExpectedError(message('hooks.notObject'));
  return value;
}

/** Where the mod runs, it asks the models itself; the hooks do not use the session's agents. */
export function isModRunning({ isFromMod, claudePid, places }: HookInput): boolean {
  return isFromMod || isModPresent(places, claudePid);
}
