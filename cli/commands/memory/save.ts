/** `memory save`: saves what is new in the project's transcripts. */
import { counted } from '../../text.ts';
import { type Action, showProgress } from './action.ts';

export const saveAction: Action = {
  name: 'save',
  usage: [['save', "save what is new in the project's transcripts"]],
  takesWords: false,
  options: [],
  async run({ engine, project }) {
    const { figures, saved } = await engine.call(
      'work.run',
      { project, what: 'save' },
      showProgress,
    );
    const { transcripts = 0, entries = 0 } = figures;
    return {
      data: { project, transcripts, added: entries, saved },
      text: `Saved ${counted(entries, 'new entry', 'new entries')} from ${counted(saved.length, 'session')} (${counted(transcripts, 'transcript')} read).\n`,
    };
  },
};
