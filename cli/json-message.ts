/** A message as `--json` prints it: its code and values for programs, its text for people. */
import { renderMessage } from '../core/messages/all-messages.ts';
import type { Message } from '../core/messages/message.ts';

export function jsonMessage(said: Message | string) {
  return typeof said === 'string' ? { text: said } : { ...said, text: renderMessage('en', said) };
}
