/** `memory show`: memory.md, the saved sessions, and what models and related notes came to. */
import { basename } from 'node:path';
import { counted, localTime, plain, plainText, thousands } from '../../text.ts';
import type { Action } from './action.ts';

const RECALL_DAYS = 30;

export const showAction: Action = {
  name: 'show',
  usage: [['show', 'show memory.md, the saved sessions, and the tokens that models used today']],
  takesWords: false,
  options: [],
  async run({ engine, project }) {
    const shown = await engine.call('memory.show', { project });
    const { text, sessions, spentToday, tokensToday, budgetTokens } = shown;
    const recall = await engine.call('memory.recallFigures', { project, days: RECALL_DAYS });
    const data = { project, memory: text, sessions, spentToday, recall };
    if (sessions.length === 0 && text === null)
      return {
        data,
        text: `No memory has been saved for ${plain(project)} yet.\nTo save what is in Claude Code's transcripts: memory-keeper memory save\n`,
      };
    const lines = sessions.map(
      ({ file, entries, lastAt }) =>
        `  ${basename(file)}  ${counted(entries, 'entry', 'entries').padStart(15)}, last ${localTime(lastAt)}\n`,
    );
    const saved =
      sessions.length === 0
        ? 'No saved sessions yet.\n'
        : `${counted(sessions.length, 'saved session')}:\n${lines.join('')}`;
    const cost =
      tokensToday === 0
        ? ''
        : `Models used ${thousands(tokensToday)} of ${thousands(budgetTokens)} tokens today, in all projects.\n`;
    const { notes, used, prompts } = recall;
    const recalled =
      notes === 0
        ? ''
        : `Related notes in the last ${RECALL_DAYS} days: ${counted(notes, 'note')} with ${counted(prompts, 'prompt')}; Claude used ${used} (${Math.round((100 * used) / notes)}%).\n`;
    const before = text === null ? '' : `${plainText(text).trim()}\n\n`;
    return { data, text: `${before}${saved}${cost}${recalled}` };
  },
};
