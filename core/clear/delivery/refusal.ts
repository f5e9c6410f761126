/** Decides before each key whether it may be sent (A3), so it reads only two small files. */
import type { SessionFinder } from '../../claude/sessions/live-sessions.ts';
import { type Message, message } from '../../messages/message.ts';
import type { ClearTarget } from './driver.ts';

/** What Claude Code writes about a session that waits for its user. */
const WAITING_FOR: ReadonlyMap<string, Message> = new Map([
  ['permission prompt', message('clear.permissionPrompt')],
  ['input needed', message('clear.inputNeeded')],
  ['dialog open', message('clear.dialogOpen')],
]);

/** A newer Claude Code may have other words; those are shown as they are. */
export function waitingForMessage(words: string): Message {
  return WAITING_FOR.get(words) ?? message('system.words', { words });
}

/** Why not; undefined if they may. */
export async function refusalNow(
  finder: SessionFinder,
  target: ClearTarget,
): Promise<Message | undefined> {
  const { sessions } = await finder.find();
  const session = sessions.find((one) => one.pid === target.pid);
  const pid = String(target.pid);
  if (session === undefined) return message('clear.processEnded', { pid });
  if (session.process.startTime !== target.processStart)
    return message('clear.processReplaced', { pid });
  if (session.sessionId !== target.sessionId) return message('clear.sessionReplaced');
  if (session.process.isForeground === false) return message('clear.notInForeground');
  if (session.state === 'idle') return undefined;
  if (session.state === 'waiting')
    return session.waitingFor === undefined
      ? message('clear.waitingForAnswer')
      : message('clear.waitingFor', { what: waitingForMessage(session.waitingFor) });
  return message(session.state === 'busy' ? 'clear.busy' : 'clear.stateUnknown');
}
