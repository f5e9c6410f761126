/**
 * `memory delta` (F2): the entries that memory.md does not reflect yet, for the agent that
 * summarizes them.
 */
import { type Message, message, renderMessage } from '../../../core/usecases/messages.ts';
import { DELTA_FILE } from '../../../core/usecases/vocabulary.ts';
import { UsageError } from '../../command.ts';
import { counted, plainText } from '../../text.ts';
import type { Action, Answer, ProjectHere } from './action.ts';

const STEPS: Record<string, (here: ProjectHere) => Promise<Answer>> = {
  async show({ engine, project }) {
    const delta = await engine.call('delta.show', { project });
    return delta === null ? nothing() : found(delta, `${plainText(delta.text)}\n`);
  },
  async extract({ engine, project }) {
    const delta = await engine.call('delta.extract', { project });
    if (delta === null) return nothing();
    const { entryCount, tokens, file } = delta;
    return found(
      delta,
      `Wrote ${counted(entryCount, 'entry', 'entries')} (about ${counted(tokens, 'token')}) to ${file}\n`,
      file,
    );
  },
  async 'mark-updated'({ engine, project }) {
    const { isMarked } = await engine.call('delta.markUpdated', { project });
    return isMarked ? done('Marked as summarized.') : failed(message('memory.noDelta'));
  },
  async cleanup({ engine, project }) {
    await engine.call('delta.cleanup', { project });
    return done(`Removed ${DELTA_FILE}.`);
  },
  async summarise({ engine, project }) {
    await engine.call('delta.summarise', { project });
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
  run(here, [step = 'show', ...more]) {
    const action = Object.hasOwn(STEPS, step) ? STEPS[step] : undefined;
    if (action === undefined || more.length > 0)
      throw new UsageError(
        `Unknown action "delta ${[step, ...more].join(' ')}"`,
        'memory-keeper memory --help',
      );
    return action(here);
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
export function failed(problem: Message): Answer {
  const reason = renderMessage('en', problem);
  return { data: { success: false, reason, code: problem.code }, text: `${reason}\n` };
}

function nothing(): Answer {
  return failed(message('memory.nothingNew'));
}
