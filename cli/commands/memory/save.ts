/** `memory save`: saves what is new in the project's transcripts. */
import { saveL1 } from '../../../core/memory/log/l1-store.ts';
import { projectTranscripts } from '../../../core/projects/project-transcripts.ts';
import { counted } from '../../text.ts';
import { type Action, endProgress, tellProgress } from './action.ts';

export const saveAction: Action = {
  name: 'save',
  usage: [['save', "save what is new in the project's transcripts"]],
  takesWords: false,
  options: [],
  run({ places, memory }) {
    const sources = projectTranscripts(places, memory.root, process.env);
    const saved = [];
    for (const [index, source] of sources.entries()) {
      tellProgress(`Reading transcript ${index + 1} of ${sources.length}`);
      const result = saveL1(memory, source);
      if (result !== undefined && result.added > 0)
        saved.push({ sessionId: source.sessionId, ...result });
    }
    if (sources.length > 0) endProgress();
    const added = saved.reduce((sum, result) => sum + result.added, 0);
    return {
      data: { project: memory.root, transcripts: sources.length, added, saved },
      text: `Saved ${counted(added, 'new entry', 'new entries')} from ${counted(saved.length, 'session')} (${counted(sources.length, 'transcript')} read).\n`,
    };
  },
};
