/** `memory save`: reads all of the project's transcripts and keeps what is not kept yet. */
import { saveL1 } from '../../../core/memory/l1/l1-store.ts';
import { projectTranscripts } from '../../../core/memory/l1/project-transcripts.ts';
import { counted } from '../../text.ts';
import { type Action, endProgress, tellProgress } from './action.ts';

export const saveAction: Action = {
  name: 'save',
  usage: [['save', "reads all of the project's transcripts and keeps what is not kept yet"]],
  takesWords: false,
  run({ places, memory }) {
    const sources = projectTranscripts(places, memory.root, process.env);
    const saved = [];
    for (const [index, source] of sources.entries()) {
      tellProgress(`${index + 1} of ${sources.length} transcripts`);
      const result = saveL1(memory, source);
      if (result !== undefined && result.added > 0)
        saved.push({ sessionId: source.sessionId, ...result });
    }
    if (sources.length > 0) endProgress();
    const added = saved.reduce((sum, result) => sum + result.added, 0);
    return {
      data: { project: memory.root, transcripts: sources.length, added, saved },
      text: `${counted(added, 'new entry', 'new entries')} of ${counted(saved.length, 'session')} kept (${counted(sources.length, 'transcript')} looked at).\n`,
    };
  },
};
