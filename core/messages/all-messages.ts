/** Renders any message of core. For hosts that can afford the whole catalogue. */
import { CATALOGUE } from '../../resources/locales/messages/catalogue.ts';
import { engineTextIn } from '../api/engine-text.ts';
import { messageOf } from '../expected-error.ts';
import type { Message } from './message.ts';
import { type Language, renderWith } from './render.ts';

export function renderMessage(language: Language, said: Message | string): string {
  return typeof said === 'string'
    ? engineTextIn(language, said)
    : renderWith(CATALOGUE, language, said);
}

/** For code that still puts sentences together itself. */
export function englishOf(error: unknown): string {
  return renderMessage('en', messageOf(error));
}
