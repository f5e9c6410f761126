/**
 * The line that is shown where the user has no status line of their own: from the JSON that Claude
 * Code sends it.
 */
import { stripVTControlCharacters } from 'node:util';

export function statusLineText(input: string): string {
  try {
    const { model, context_window: context } = JSON.parse(input);
    const percent =
      typeof context.used_percentage === 'number' ? `${context.used_percentage} %` : '–';
    return `${plain(String(model.display_name ?? model.id))} · context ${percent}`;
  } catch {
    return 'memory-keeper: Claude Code sent no status that can be read';
  }
}

/** The name of a model comes from outside, and ends up in a terminal. */
function plain(name: string): string {
  return stripVTControlCharacters(name).replace(/\p{C}/gu, '�');
}
