/** Renders any message of core, for hosts that can afford to load the whole catalogue. */
import { CATALOGUE } from '../../resources/locales/messages/catalogue.ts';
import type { Message } from './message.ts';
import { type Language, renderWith } from './render.ts';

/** A string is a sentence from a file of 0.1.0, or another program's output: shown as it is. */
export function renderMessage(language: Language, message: Message | string): string {
  return renderWith(CATALOGUE, language, message);
}
