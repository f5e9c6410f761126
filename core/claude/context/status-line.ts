/** Makes a status line from Claude Code's JSON, for users who have none of their own. */
import { stripVTControlCharacters } from 'node:util';
import { STATUS_LINE } from '../../../resources/locales/messages/status-line.ts';
import { type Message, message } from '../../messages/message.ts';
import { type Language, renderWith } from '../../messages/render.ts';

export function statusLineText(input: string, language: Language): string {
  return renderWith(STATUS_LINE, language, statusLine(input));
}

function statusLine(input: string): Message {
  try {
    const { model: used, context_window: context } = JSON.parse(input);
    const model = plain(String(used.display_name ?? used.id));
    return typeof context.used_percentage === 'number'
      ? message('statusLine.context', { model, percent: context.used_percentage })
      : message('statusLine.contextUnknown', { model });
  } catch {
    return message('statusLine.unreadable');
  }
}

/** A model's name comes from outside and ends up in a terminal. */
function plain(name: string): string {
  return stripVTControlCharacters(name).replace(/\p{C}/gu, '�');
}
