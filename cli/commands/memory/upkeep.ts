/** `memory compress`, `verify`, `rebuild`: memory is tidied up, looked through, and made anew. */

import { ExpectedError } from '../../../core/expected-error.ts';
import { keptFiles } from '../../../core/memory/archive/contents.ts';
import { rebuild } from '../../../core/memory/journal/derive.ts';
import { moveMemory } from '../../../core/memory/project/move-memory.ts';
import type { ProjectMemory } from '../../../core/memory/project/project-memory.ts';
import { verifyMemory } from '../../../core/memory/project/verify.ts';
import { compress } from '../../../core/memory/tiers/compress.ts';
import { renderMessage } from '../../../core/messages/all-messages.ts';
import { counted, plain } from '../../text.ts';
import { type Action, endProgress, tellProgress } from './action.ts';

export const compressAction: Action = {
  name: 'compress',
  usage: [['compress', 'permanent rules, session summaries, weekly and monthly archives']],
  takesWords: false,
  run({ memory, settings }) {
    assertSomethingKept(memory);
    const compressed = compress(memory, settings);
    const written = counted(compressed.summaries.length, 'session summary', 'session summaries');
    return { data: compressed, text: `Tidied up; ${written} written.\n` };
  },
};

export const verifyAction: Action = {
  name: 'verify',
  usage: [['verify', 'looks whether every file is whole and every fact stands where it was said']],
  takesWords: false,
  run({ memory }) {
    const verified = verifyMemory(memory);
    const { sessions, entries, facts, problems } = verified;
    const looked = `${counted(entries, 'entry', 'entries')} of ${counted(sessions, 'session')} and ${counted(facts, 'fact')} looked at: `;
    const found =
      problems.length === 0
        ? 'all is well.\n'
        : `${counted(problems.length, 'problem')}.\n${problems.map((problem) => `  ${plain(renderMessage('en', problem))}\n`).join('')}`;
    return { data: verified, text: looked + found, isFailure: problems.length > 0 };
  },
};

export const moveAction: Action = {
  name: 'move',
  usage: [['move', 'moves the memory of this project to where the setting storage says']],
  takesWords: false,
  run({ places, memory }) {
    const moved = moveMemory(places, memory.root);
    const text = moved.isMoved
      ? `Moved from ${plain(moved.from)} to ${plain(moved.folder)}.\n`
      : `It is in ${plain(moved.folder)} already.\n`;
    return { data: moved, text };
  },
};

export const rebuildAction: Action = {
  name: 'rebuild',
  usage: [
    [
      'rebuild',
      "makes facts, concepts and memory.md anew from what was said, the models' answers and your changes",
    ],
  ],
  takesWords: false,
  run({ memory }) {
    assertSomethingKept(memory);
    tellProgress('making memory anew');
    const rebuilt = rebuild(memory);
    endProgress();
    const { facts, concepts, events } = rebuilt;
    return {
      data: rebuilt,
      text: `Made anew from ${counted(events, 'event')}: ${counted(facts, 'fact')}, ${counted(concepts, 'concept')}.\n`,
    };
  },
};

/** Neither makes a memory where there is none. */
function assertSomethingKept(memory: ProjectMemory): void {
  if (keptFiles(memory).files.length === 0)
    throw new ExpectedError(`nothing is kept of ${memory.root} yet`);
}
