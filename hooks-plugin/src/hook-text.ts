/** A hook's own texts; it has no time to load those of others. */
import type { Message } from '../../core/messages/message.ts';
import { type Language, renderWith } from '../../core/messages/render.ts';
import { HOOKS } from '../../resources/locales/messages/hooks.ts';

export function hookText(language: Language, said: Message): string {
  return renderWith(HOOKS, language, said);
}
