/** What the engine says, in the language that the window has at the moment (G6). */
import { renderMessage } from '../../core/messages/all-messages.ts';
import type { Message } from '../../core/messages/message.ts';
import { BridgeError } from '../bridge/bridge.ts';
import { language } from './locale.ts';

export function messageText(said: Message | string): string {
  return renderMessage(language(), said);
}

export function errorText(error: Error): string {
  return error instanceof BridgeError ? messageText(error.said) : error.message;
}
