/**
 * The Claude Code that runs a hook: its process and whether its version is supported (T7). Where
 * Claude Code does not tell its process (before 2.1.213), its own list of sessions does; a number
 * from a Claude Code around this one is never believed.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isTooOld, OLDEST_CLAUDE_CODE } from '../../claude/sessions/claude-version.ts';
import { message } from '../../messages/message.ts';
import { attempt, parseJson } from '../../platform/store/attempt.ts';
import type { Places } from '../../platform/store/places.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { isRecord, type JsonRecord, stringAt } from '../../platform/text/json.ts';
import type { HookInput, HookOutput } from './hook-input.ts';
import { hookText } from './hook-text.ts';

const MAX_ENTRY_BYTES = 64 * 1024;
const PID = /^\d{1,10}$/;

/** Empty if it is not known. */
export function findClaudePid(
  { CLAUDE_PID: told = '', MEMORY_KEEPER_PARENT: parent = '' }: NodeJS.ProcessEnv,
  places: Places,
  sessionId: string,
): string {
  if (PID.test(told) && told === parent) return told;
  const holdsSession = (pid: string) => registeredId(places, pid) === sessionId;
  // A shell may stand between Claude Code and the hook, and run.cmd does not know who started it.
  const pid = [told, parent].find(holdsSession) ?? registeredPids(places).find(holdsSession);
  if (pid !== undefined) return pid;
  const isOfAnother = registeredId(places, told) !== undefined;
  return PID.test(told) && !isOfAnother ? told : '';
}

const entryOf = ({ claude }: Places, pid: string): JsonRecord | undefined => {
  if (!PID.test(pid)) return undefined;
  const file = readSmallFile(join(claude, 'sessions', `${pid}.json`), MAX_ENTRY_BYTES);
  const entry = file.state === 'ok' ? parseJson(file.text) : undefined;
  return isRecord(entry) ? entry : undefined;
};

function registeredId(places: Places, pid: string): string | undefined {
  const entry = entryOf(places, pid);
  return entry && stringAt(entry, 'sessionId');
}

function registeredPids({ claude }: Places): string[] {
  const names = attempt(() => readdirSync(join(claude, 'sessions')), []);
  return names.flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []));
}

/**
 * What a hook answers where Claude Code is too old; undefined where it is not, or its version is
 * unknown. hooks-plugin/run.sh applies the same rule without starting node.
 */
export function refuseOldClaude(input: HookInput): HookOutput | undefined {
  if (!isClaudeTooOld(input)) return undefined;
  const text = message('hooks.claudeTooOld', { oldest: OLDEST_CLAUDE_CODE });
  return input.event === 'SessionStart' ? { systemMessage: hookText(input, text) } : {};
}

/**
 * Claude Code names itself in `AI_AGENT`, unless that is set already: by the user, or by a Claude
 * Code around this one. 2.1.110 and its like know neither this variable nor `CLAUDE_PID`.
 */
export function isClaudeTooOld({
  env,
  places,
  claudePid,
}: Pick<HookInput, 'env' | 'places' | 'claudePid'>): boolean {
  const { AI_AGENT: agent, CLAUDE_PID: told, CLAUDE_PLUGIN_ROOT: plugin } = env;
  if (agent === undefined && !told && plugin) return true;
  const [, dashed] = /^claude-code_(\d+-\d+-\d+)_harness$/.exec(agent ?? '') ?? [];
  const named = dashed?.replaceAll('-', '.');
  if (named !== undefined && !isTooOld(named)) return false;
  const entry = entryOf(places, claudePid);
  const version = (entry && stringAt(entry, 'version')) ?? named;
  return version !== undefined && isTooOld(version);
}
