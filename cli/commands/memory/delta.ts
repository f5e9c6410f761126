/**
 * `memory delta` (F2): the entries that memory.md does not reflect yet, for the agent that
 * summarizes them.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DELTA_FILE } from '../../../core/memory/log/delta-text.ts';
import { readMemoryIndex } from '../../../core/memory/log/memory-index.ts';
import { askForDelta, markDeltaUpdated } from '../../../core/memory/model/agent-requests.ts';
import { dropDelta, pendingDelta } from '../../../core/memory/model/delta.ts';
import { doAllWithoutModel, type Workplace } from '../../../core/memory/model/jobs.ts';
import { renderMessage } from '../../../core/messages/all-messages.ts';
import { type Message, message } from '../../../core/messages/message.ts';
import { UsageError } from '../../command.ts';
import { counted } from '../../text.ts';
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
      `Wrote ${counted(delta.entryCount, 'entry', 'entries')} (about ${counted(delta.tokens, 'token')}) to ${deltaFile}\n`,
      deltaFile,
    );
  },
  'mark-updated': ({ memory }) =>
    markDeltaUpdated(memory) ? done('Marked as summarized.') : failed(message('memory.noDelta')),
  cleanup: ({ memory }) => {
    if (existsSync(memory.index)) dropDelta(memory);
    return done(`Removed ${DELTA_FILE}.`);
  },
  summarise: (work) => {
    doAllWithoutModel(work);
    return done('Summarized what was due, without a model.');
  },
};

export const deltaAction: Action = {
  name: 'delta',
  usage: [
    ['delta', 'show what memory.md does not reflect yet'],
    ['delta extract', `write it to ${DELTA_FILE} for an agent to summarize`],
    ['delta mark-updated', 'mark it as reflected in memory.md'],
    ['delta cleanup', `remove ${DELTA_FILE}; its entries still wait for a summary`],
    ['delta summarise', 'summarize what is due without a model'],
  ],
  takesWords: true,
  options: [],
  run(work, [step = 'show', ...more]) {
    const action = Object.hasOwn(STEPS, step) ? STEPS[step] : undefined;
    if (action === undefined || more.length > 0)
      throw new UsageError(
        `Unknown action "delta ${[step, ...more].join(' ')}"`,
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

/** Scripts read the reason; its code does not change with the wording. */
export function failed(said: Message): Answer {
  const reason = renderMessage('en', said);
  return { data: { success: false, reason, code: said.code }, text: `${reason}\n` };
}

function nothing(): Answer {
  return failed(message('memory.nothingNew'));
}
