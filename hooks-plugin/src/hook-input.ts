/** What Claude Code tells a hook, parsed at the border: everything may be missing or odd. */
import { resolve } from 'node:path';
import * as v from 'valibot';
import { ExpectedError } from '../../core/expected-error.ts';

const HookInputJson = v.object({
  hook_event_name: v.string(),
  session_id: v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/)),
  transcript_path: v.fallback(v.string(), ''),
  cwd: v.fallback(v.string(), ''),
  source: v.fallback(v.string(), ''),
  reason: v.fallback(v.string(), ''),
  last_assistant_message: v.fallback(v.string(), ''),
});

export interface HookInput {
  event: string;
  sessionId: string;
  transcript: string;
  /** The project's directory as Claude Code sees it, wherever the session's shell has moved to (B3). */
  projectDir: string;
  /** Of SessionStart: startup, resume, clear, compact. */
  source: string;
  /** Of SessionEnd: clear, logout, prompt_input_exit, other. */
  reason: string;
  /** Of Stop: the answer that has just been given. */
  lastAnswer: string;
  /** The process of Claude Code, which stays the same over a `/clear`. */
  claudePid: string;
  env: NodeJS.ProcessEnv;
}

export function parseHookInput(text: string, env: NodeJS.ProcessEnv): HookInput {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new ExpectedError('the hook got no JSON');
  }
  const parsed = v.safeParse(HookInputJson, json);
  if (!parsed.success) throw new ExpectedError(`the hook got unexpected input: ${parsed.issues[0].message}`);
  const told = parsed.output;
  return {
    event: told.hook_event_name,
    sessionId: told.session_id,
    transcript: told.transcript_path,
    projectDir: resolve(env.CLAUDE_PROJECT_DIR || told.cwd || process.cwd()),
    source: told.source,
    reason: told.reason,
    lastAnswer: told.last_assistant_message,
    claudePid: /^\d+$/.test(env.CLAUDE_PID ?? '') ? (env.CLAUDE_PID as string) : '',
    env,
  };
}
