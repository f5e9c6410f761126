/** What Claude Code tells a hook, parsed at the border: everything may be missing or odd. */

import { resolve } from 'node:path';
import { ExpectedError } from '../../core/messages/expected-error.ts';
import { message } from '../../core/messages/message.ts';
import { type Places, placesFrom } from '../../core/platform/store/places.ts';
import { isSessionId } from '../../core/platform/store/session-id.ts';
import {
  isRecord,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
} from '../../core/platform/text/json.ts';

export interface HookInput {
  event: string;
  sessionId: string;
  transcript: string;
  /**
   * The project's directory as Claude Code sees it, wherever the session's shell has moved to (B3).
   */
  projectDir: string;
  /** Of SessionStart: startup, resume, clear, compact. */
  source: string;
  /** Of SessionEnd: clear, logout, prompt_input_exit, other. */
  reason: string;
  /** Of UserPromptSubmit. */
  prompt: string;
  /** Of SubagentStop: the agent's name, `memory-keeper:delta-summarizer`. */
  agentType: string;
  /** Of Stop: a hook has kept Claude from stopping just before. */
  isStopActive: boolean;
  /** Of Stop and SubagentStop: the answer that has just been given. */
  lastAnswer: string;
  /** The mod has passed this on: it is at work in this session. */
  isFromMod: boolean;
  /** The exact figures, as the mod tells them once there was a reply. */
  context?: { tokens: number; window: number };
  /** The process of Claude Code, which stays the same over a `/clear`. */
  claudePid: string;
  places: Places;
  env: NodeJS.ProcessEnv;
}

/**
 * Without a schema: it is the first thing that every hook does, and a schema for it costs a
 * fortieth of node's start.
 */
export function parseHookInput(stdin: string, env: NodeJS.ProcessEnv): HookInput {
  const told = parseJson(stdin);
  if (!isRecord(told)) throw new ExpectedError(message('hooks.notObject'));
  const text = (field: string) => stringAt(told, field) ?? '';
  const sessionId = text('session_id');
  if (!isSessionId(sessionId)) throw new ExpectedError(message('hooks.noSession'));
  return {
    event: text('hook_event_name'),
    sessionId,
    transcript: text('transcript_path'),
    projectDir: resolve(env.CLAUDE_PROJECT_DIR || text('cwd') || process.cwd()),
    source: text('source'),
    reason: text('reason'),
    prompt: text('prompt'),
    agentType: text('agent_type'),
    isStopActive: told.stop_hook_active === true,
    lastAnswer: text('last_assistant_message'),
    isFromMod: told.memory_keeper_mod === true,
    ...exactContext(recordAt(told, 'memory_keeper_context')),
    claudePid: /^\d+$/.test(env.CLAUDE_PID ?? '') ? (env.CLAUDE_PID as string) : '',
    places: placesFrom(env),
    env,
  };
}

function exactContext(told: JsonRecord | undefined): Pick<HookInput, 'context'> {
  const tokens = told && numberAt(told, 'tokens');
  const window = told && numberAt(told, 'window');
  return tokens !== undefined && window !== undefined && tokens > 0 && window > 0
    ? { context: { tokens, window } }
    : {};
}

export function parseJson(stdin: string): unknown {
  try {
    return JSON.parse(stdin);
  } catch {
    throw new ExpectedError(message('hooks.notJson'));
  }
}
