/** Renders what hooks say to the user and to Claude, in the language of the environment (G6). */
import { HOOKS } from '../../../resources/locales/messages/hooks.ts';
import { languageFrom } from '../../messages/language.ts';
import type { Message } from '../../messages/message.ts';
import { renderWith } from '../../messages/render.ts';
import type { HookInput } from './hook-input.ts';
import { loadAllMessages } from './loaded-later.ts';

/** For messages of the hooks themselves: loading all others would take too long. */
export function hookText({ env }: HookInput, text: Message): string {
  return renderWith(HOOKS, languageFrom(env), text);
}

/** For messages with a reason in them, which may be any message of core. */
export async function hookTextWithReason({ env }: HookInput, text: Message): Promise<string> {
  const { renderMessage } = await loadAllMessages();
  return renderMessage(languageFrom(env), text);
}
