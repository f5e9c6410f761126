/** `memory restore`: the text that a session gets after /clear. */
import { plainText } from '../../text.ts';
import type { Action } from './action.ts';

export const restoreAction: Action = {
  name: 'restore',
  usage: [['restore', 'show the text that a session gets after /clear']],
  takesWords: false,
  options: [],
  async run({ engine, project }) {
    const data = await engine.call('memory.briefing', { project });
    return {
      data,
      isForClaude: true,
      text: data.text === '' ? 'Nothing to restore yet.\n' : `${plainText(data.text)}\n`,
    };
  },
};
