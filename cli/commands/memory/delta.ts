/**
 * `memory delta` (F2): what was said since memory.md was last brought up to date, for the agent
 * that sums it up.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dropDelta, pendingDelta } from '../../../core/memory/delta/delta.ts';
import { DELTA_FILE } from '../../../core/memory/delta/delta-text.ts';
import { readMemoryIndex } from '../../../core/memory/project/memory-index.ts';
import { askForDelta, markDeltaUpdated } from '../../../core/memory/work/agent-requests.ts';
import { doAllWithoutModel, type Workplace } from '../../../core/memory/work/jobs.ts';
import { UsageError } from '../../command.ts';
import { thousands } from '../../text.ts';
import type { Action, Answer } from './action.ts';

const STEPS: Record<string, (work: Workplace) => Answer> = {
  show: ({ memory }) => {
    const delta = pendingDelta(memory, readMemoryIndex(memory));
    return delta === undefined ? nothing() : found(delta, `${delta.text}\n`);
  },
  extract: (work) => {
    const delta = askForDelta(work.memory);
    if (delta === undefined) return nothing();
    const deltaFile = join(work.memory.folder, DELTA_FILE);
    return found(
      delta,
      `${thousands(delta.entryCount)} entries, about ${thousands(delta.tokens)} tokens, in ${deltaFile}\n`,
      deltaFile,
    );
  },
  'mark-updated': ({ memory }) =>
    markDeltaUpdated(memory)
      ? done('The watermark has moved.')
      : failed('there is no delta that was extracted'),
  cleanup: ({ memory }) => {
    if (existsSync(memory.index)) dropDelta(memory);
    return done(`${DELTA_FILE} is gone.`);
  },
  summarise: (work) => {
    doAllWithoutModel(work);
    return done('What was due is summed up without a model.');
  },
};

export const deltaAction: Action = {
  name: 'delta',
  usage: [
    ['delta', 'what memory.md does not have yet'],
    ['delta extract', `writes it to ${DELTA_FILE} for an agent to sum up`],
    ['delta mark-updated', 'says that memory.md has it now'],
    ['delta cleanup', `removes ${DELTA_FILE}; what it holds is still to be summed up`],
    ['delta summarise', 'sums up what is due without a model'],
  ],
  takesWords: true,
  run(work, [step = 'show', ...more]) {
    const action = Object.hasOwn(STEPS, step) ? STEPS[step] : undefined;
    if (action === undefined || more.length > 0)
      throw new UsageError(
        `memory delta cannot "${[step, ...more].join(' ')}"`,
        'memory-keeper memory --help',
      );
    return action(work);
  },
};

function found(
  { entryCount, tokens }: { entryCount: number; tokens: number },
  text: string,
  deltaFile?: string,
): Answer {
  return {
    data: { success: true, ...(deltaFile !== undefined && { deltaFile }), entryCount, tokens },
    text,
  };
}

function done(text: string): Answer {
  return { data: { success: true }, text: `${text}\n` };
}

function failed(reason: string): Answer {
  return { data: { success: false, reason }, text: `${reason}\n` };
}

function nothing(): Answer {
  return failed('nothing new has been said');
}
