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
    const name = stripVTControlCharacters(String(used.display_name ?? used.id));
    const model = name.replace(/\p{C}/gu, '�'); // comes from outside, ends up in a terminal
    return typeof context.used_percentage === 'number'
      ? message('statusLine.context', { model, percent: context.used_percentage })
      : message('statusLine.contextUnknown', { model });
  } catch {
    return message('statusLine.unreadable');
  }
}
