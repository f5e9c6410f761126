/** `memory restore`: the text that a session gets after /clear. */
import { basename } from 'node:path';
import { handOver } from '../../../core/memory/log/hand-over.ts';
import { readL1Tail } from '../../../core/memory/log/l1-store.ts';
import { restoreText } from '../../../core/memory/restore/restore.ts';
import { readDigest } from '../../../core/memory/state/digest.ts';
import type { Action } from './action.ts';
import { keptSessions, memoryText } from './show.ts';

export const restoreAction: Action = {
  name: 'restore',
  usage: [['restore', 'show the text that a session gets after /clear']],
  takesWords: false,
  options: [],
  run({ memory }) {
    const newest = keptSessions(memory)
      .sort((a, b) => (a.lastAt < b.lastAt ? -1 : 1))
      .at(-1);
    const text = restoreText({
      projectName: basename(memory.root),
      handOver: newest === undefined ? undefined : handOver(readL1Tail(newest.file)),
      memory: memoryText(memory),
      digest: readDigest(memory),
    });
    return {
      data: { text, characters: text.length },
      text: text === '' ? 'Nothing to restore yet.\n' : `${text}\n`,
    };
  },
};
