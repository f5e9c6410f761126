/**
 * Whether keys may be sent to a session right now (A3): asked anew before each key, so it reads two
 * small files and nothing else.
 */
import type { SessionFinder } from '../../sessions/live-sessions.ts';
import type { ClearTarget } from './driver.ts';

export const BUSY = 'it is busy';

/** Why not, in words for the user; undefined if they may. */
export async function refusalNow(
  finder: SessionFinder,
  target: ClearTarget,
): Promise<string | undefined> {
  const { sessions } = await finder.find();
  const session = sessions.find(({ pid }) => pid === target.pid);
  if (session === undefined) return `the process ${target.pid} of the session has ended`;
  if (session.process.startTime !== target.processStart)
    return `the process ${target.pid} is another one by now`;
  if (session.sessionId !== target.sessionId) return 'another session has begun in its place';
  if (session.process.isForeground === false)
    return 'it is suspended, or another program has its terminal';
  if (session.state === 'idle') return undefined;
  if (session.state === 'waiting')
    return `it waits for you (${session.waitingFor ?? 'a question is open'})`;
  return session.state === 'busy' ? BUSY : 'what it is doing is not known';
}
