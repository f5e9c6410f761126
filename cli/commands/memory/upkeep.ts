/** `memory compress`, `verify`, `rebuild`. */

import { renderMessage } from '../../../core/usecases/messages.ts';
import { jsonMessage } from '../../json-message.ts';
import { counted, plain } from '../../text.ts';
import { type Action, showProgress } from './action.ts';

export const compressAction: Action = {
  name: 'compress',
  usage: [['compress', 'update permanent memory, and session, weekly and monthly summaries']],
  takesWords: false,
  options: [],
  async run({ engine, project }) {
    const { summaries } = await engine.call('work.run', { project, what: 'compress' });
    const written = counted(summaries.length, 'session summary', 'session summaries');
    return { data: { summaries }, text: `Compressed. Wrote ${written}.\n` };
  },
};

export const verifyAction: Action = {
  name: 'verify',
  usage: [['verify', 'check that every file can be read and every fact still has its quote']],
  takesWords: false,
  options: [],
  async run({ engine, project }) {
    const { figures, problems } = await engine.call('work.run', { project, what: 'verify' });
    const { sessions = 0, entries = 0, facts = 0 } = figures;
    const checked = `Checked ${counted(entries, 'entry', 'entries')} of ${counted(sessions, 'session')} and ${counted(facts, 'fact')}: `;
    const lines = problems.map((problem) => `  ${plain(renderMessage('en', problem))}\n`);
    const found =
      lines.length === 0
        ? 'no problems.\n'
        : `${counted(lines.length, 'problem')}.\n${lines.join('')}`;
    const data = { ...figures, problems: problems.map(jsonMessage) };
    return { data, text: checked + found, isFailure: lines.length > 0 };
  },
};

export const rebuildAction: Action = {
  name: 'rebuild',
  usage: [
    [
      'rebuild',
      "rebuild facts, concepts and memory.md from what was said, the models' answers and your changes",
    ],
  ],
  takesWords: false,
  options: [],
  async run({ engine, project }) {
    const { figures } = await engine.call('work.run', { project, what: 'rebuild' }, showProgress);
    const { facts = 0, concepts = 0, events = 0 } = figures;
    return {
      data: figures,
      text: `Rebuilt from ${counted(events, 'event')}: ${counted(facts, 'fact')}, ${counted(concepts, 'concept')}.\n`,
    };
  },
};
