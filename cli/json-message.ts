/** A message as `--json` prints it: its code and values for programs, its text for people. */
import { type Message, renderMessage } from '../core/usecases/messages.ts';

export function jsonMessage(note: Message | string) {
  return typeof note === 'string' ? { text: note } : { ...note, text: renderMessage('en', note) };
}
