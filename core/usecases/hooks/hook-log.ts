/** Writes the errors of hooks to `hooks.log` (G8): a hook must never fail where the user sees it. */
import { join } from 'node:path';
import { appendLog } from '../../platform/store/append-log.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { placesFrom } from '../../platform/store/places.ts';

export function logHookError(error: unknown, task: string, env: NodeJS.ProcessEnv): void {
  const { stack, message, code } = error as NodeJS.ErrnoException;
  if (code === 'EPIPE') return; // Claude Code ended before it took the answer
  const path = join(placesFrom(env).home, 'hooks.log');
  // If the disk cannot be written to, the error is lost.
  attempt(() => appendLog(path, `${task}: ${stack ?? message}`), undefined);
}
