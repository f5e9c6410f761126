/**
 * Runs `claude agents --json`, the supported list of running sessions. It costs a third of a second
 * of CPU, so it runs only when the registry files are of no use.
 */
import * as v from 'valibot';
import { asMessage, type Message, message } from '../../messages/message.ts';
import type { RunProgram } from '../../platform/process/run-program.ts';
import { parseJson } from '../../platform/store/attempt.ts';
import { type RegisteredSession, RegistryEntry, registeredSession } from './registry.ts';

const TIMEOUT_MS = 10_000;

export type AgentsAnswer =
  | { ok: true; sessions: RegisteredSession[] }
  | { ok: false; reason: Message };

export async function askAgentsCommand(
  run: RunProgram,
  env: NodeJS.ProcessEnv,
): Promise<AgentsAnswer> {
  const answer = await run('claude', ['agents', '--json'], { timeoutMs: TIMEOUT_MS, env });
  if (!answer.ok) return { ok: false, reason: asMessage(answer.reason) };
  const json = parseJson(answer.stdout);
  if (json === undefined) return { ok: false, reason: message('sessions.commandNotJson') };
  if (!Array.isArray(json)) return { ok: false, reason: message('sessions.commandNotList') };
  const sessions = json.flatMap((item) => {
    const parsed = v.safeParse(RegistryEntry, item);
    return parsed.success ? [registeredSession(parsed.output)] : [];
  });
  return { ok: true, sessions };
}
