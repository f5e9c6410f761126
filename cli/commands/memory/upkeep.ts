/** `memory compress`, `verify`, `move`, `rebuild`. */

import { keptFiles } from '../../../core/memory/portable/contents.ts';
import { moveMemory } from '../../../core/memory/portable/move-memory.ts';
import { rebuild } from '../../../core/memory/state/derive.ts';
import { verifyMemory } from '../../../core/memory/state/verify.ts';
import { compress } from '../../../core/memory/tiers/compress.ts';
import { renderMessage } from '../../../core/messages/all-messages.ts';
import { ExpectedError } from '../../../core/messages/expected-error.ts';
import { message } from '../../../core/messages/message.ts';
import type { ProjectMemory } from '../../../core/projects/project-memory.ts';
import { jsonMessage } from '../../json-message.ts';
import { counted, plain } from '../../text.ts';
import { type Action, endProgress, tellProgress } from './action.ts';

export const compressAction: Action = {
  name: 'compress',
  usage: [['compress', 'update permanent memory, and session, weekly and monthly summaries']],
  takesWords: false,
  options: [],
  run({ memory, settings }) {
    assertSomethingKept(memory);
    const compressed = compress(memory, settings);
    const written = counted(compressed.summaries.length, 'session summary', 'session summaries');
    return { data: compressed, text: `Compressed. Wrote ${written}.\n` };
  },
};

export const verifyAction: Action = {
  name: 'verify',
  usage: [['verify', 'check that every file can be read and every fact still has its quote']],
  takesWords: false,
  options: [],
  run({ memory }) {
    const verified = verifyMemory(memory);
    const { sessions, entries, facts, problems } = verified;
    const checked = `Checked ${counted(entries, 'entry', 'entries')} of ${counted(sessions, 'session')} and ${counted(facts, 'fact')}: `;
    const lines = problems.map((problem) => `  ${plain(renderMessage('en', problem))}\n`);
    const found =
      lines.length === 0
        ? 'no problems.\n'
        : `${counted(lines.length, 'problem')}.\n${lines.join('')}`;
    const data = { ...verified, problems: problems.map(jsonMessage) };
    return { data, text: checked + found, isFailure: lines.length > 0 };
  },
};

export const moveAction: Action = {
  name: 'move',
  usage: [['move', 'move the memory of this project to where the setting `storage` says']],
  takesWords: false,
  options: [],
  run({ places, memory }) {
    const moved = moveMemory(places, memory.root);
    const text = moved.isMoved
      ? `Moved from ${plain(moved.from)} to ${plain(moved.folder)}.\n`
      : `The memory is already in ${plain(moved.folder)}.\n`;
    return { data: moved, text };
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
  run({ memory }) {
    assertSomethingKept(memory);
    tellProgress('Rebuilding the memory');
    const rebuilt = rebuild(memory);
    endProgress();
    const { facts, concepts, events } = rebuilt;
    return {
      data: rebuilt,
      text: `Rebuilt from ${counted(events, 'event')}: ${counted(facts, 'fact')}, ${counted(concepts, 'concept')}.\n`,
    };
  },
};

/** Neither makes a memory where there is none. */
function assertSomethingKept(memory: ProjectMemory): void {
  if (keptFiles(memory).files.length === 0)
    throw new ExpectedError(message('memory.empty', { root: memory.root }));
}
