/** A message as `--json` prints it: its code and values for programs, its text for people. */
import { type Message, renderMessage } from '../core/usecases/messages.ts';

export function jsonMessage(said: Message | string) {
  return typeof said === 'string' ? { text: said } : { ...said, text: renderMessage('en', said) };
}
