/** What Claude Code writes of a session that waits for its user, as messages. */
import { type Message, message } from '../../messages/message.ts';

const MESSAGES: ReadonlyMap<string, Message> = new Map([
  ['permission prompt', message('clear.permissionPrompt')],
  ['input needed', message('clear.inputNeeded')],
  ['dialog open', message('clear.dialogOpen')],
]);

/** A newer Claude Code may have other words; those are shown as they are. */
export function waitingForMessage(words: string): Message {
  return MESSAGES.get(words) ?? message('system.words', { words });
}
