/**
 * Tells at a prompt whether it is worth asking if the session is being kept (T6). The user waits, so
 * it takes three looks at the disk and no more: everything else is loaded later. The mod looks in the
 * same way (`isKept` in hooks-plugin/register.js).
 */
import { existsSync, statSync } from 'node:fs';
import { keepingNotePath, temporaryNotePath } from '../../claude/status/keeping-note-path.ts';
import { attempt } from '../../platform/store/attempt.ts';
import type { HookInput } from './hook-input.ts';

/** After a reply the hook that saves it has this long; it waits for the transcript itself. */
export const HOOK_HAD_ITS_CHANCE_MS = 4000;
/** Behind a reply Claude Code writes a few rows that say nothing. */
export const LAST_ROWS_MS = 1000;

/** There is a note about the session, or its transcript has grown and no index has followed. */
export function mayNotBeKept({ places, env, sessionId, transcript, memory }: HookInput): boolean {
  if (existsSync(keepingNotePath(places, sessionId))) return true;
  const saidAt = changedAt(transcript);
  if (saidAt - changedAt(memory.index) <= LAST_ROWS_MS) return false;
  const hadItsChance = Date.now() - saidAt >= HOOK_HAD_ITS_CHANCE_MS;
  return hadItsChance || existsSync(temporaryNotePath(env, sessionId));
}

/** 0 for a file that is not there, or not for us. */
function changedAt(path: string): number {
  return attempt(() => statSync(path, { throwIfNoEntry: false })?.mtimeMs, 0) ?? 0;
}
