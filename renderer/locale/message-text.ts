/** What the engine says, in the language that the window has at the moment (G6). */

import type { Message, MessageValue } from '../../core/usecases/messages.ts';
import { renderMessage } from '../../core/usecases/messages.ts';
import { BridgeError } from '../bridge/bridge.ts';
import { language, textIfAny } from './locale.ts';

/** Values with these names are keys of settings, for which the page has labels. */
const SETTING_NAMES = ['setting', 'otherSetting'];

export function messageText(said: Message | string): string {
  return renderMessage(language(), typeof said === 'string' ? said : withLabels(said));
}

export function settingLabel(key: string): string {
  return textIfAny(`settings.label_${key}`) ?? key;
}

export function errorText(error: Error): string {
  return error instanceof BridgeError ? messageText(error.said) : error.message;
}

function withLabels(said: Message): Message {
  if (said.values === undefined) return said;
  const values = Object.entries(said.values).map(([name, value]): [string, MessageValue] => {
    if (SETTING_NAMES.includes(name)) return [name, `“${settingLabel(String(value))}”`];
    return [name, isMessage(value) ? withLabels(value) : value];
  });
  return { ...said, values: Object.fromEntries(values) };
}

function isMessage(value: MessageValue): value is Message {
  return typeof value === 'object' && !Array.isArray(value);
}
