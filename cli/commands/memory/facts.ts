/** `memory facts`, `concepts`, `forget`, `undo`: lists facts and concepts, and changes facts. */

import type { Fact } from '../../../core/memory/l2-facts/facts-file.ts';
import { message, renderMessage } from '../../../core/usecases/messages.ts';
import { ADOPTED, FACT_LISTS } from '../../../core/usecases/vocabulary.ts';
import { UsageError } from '../../command.ts';
import { counted, plain } from '../../text.ts';
import type { Action } from './action.ts';
import { failed } from './delta.ts';

const KINDS = ['permanent', ...FACT_LISTS] as const;
const SEE = 'memory-keeper memory --help';

export const factsAction: Action = {
  name: 'facts',
  usage: [
    [
      'facts [--kind decisions|patterns|issues|notes|permanent] [--all]',
      'list facts; --all includes outdated ones',
    ],
    ['facts --ask', 'write the question for the l2-summarizer agent to a file and print its path'],
  ],
  takesWords: false,
  options: ['all', 'ask', 'kind'],
  async run({ engine, project }, _, { kind, all: isAll = false, ask = false }) {
    if (ask) {
      const asked = await engine.call('delta.askFacts', { project });
      return asked === null
        ? failed(message('memory.nothingNewForFacts'))
        : { data: { success: true, factsFile: asked.file }, text: `${asked.file}\n` };
    }
    if (kind !== undefined && !KINDS.some((name) => name === kind))
      throw new UsageError(`Unknown kind "${kind}"`, SEE);
    const lists = await engine.call('memory.factLists', { project, isAll });
    const shown = KINDS.filter((name) => kind === undefined || kind === name).map(
      (name) => [name, lists[name]] as const,
    );
    const text = shown
      .flatMap(([name, facts]) =>
        facts.length === 0 ? [] : [`${name}:\n${facts.map(factLine).join('')}`],
      )
      .join('\n');
    return {
      data: Object.fromEntries(shown),
      text: text === '' ? 'No facts yet.\n' : text,
    };
  },
};

function factLine(fact: Fact): string {
  const marks = [
    fact.date,
    counted(new Set(fact.evidence.map(({ session }) => session)).size, 'session'),
    ...(fact.status === undefined ? [] : [fact.status]),
    ...(fact.supersededBy === undefined ? [] : [`replaced by ${fact.supersededBy}`]),
    ...(fact.origin === undefined ? [] : [ADOPTED]),
  ];
  return `  ${fact.id}  ${plain(fact.content)} (${marks.join(', ')})\n`;
}

export const conceptsAction: Action = {
  name: 'concepts',
  usage: [['concepts', 'list what the facts are about']],
  takesWords: false,
  options: [],
  async run({ engine, project }) {
    const concepts = await engine.call('memory.conceptList', { project });
    const lines = concepts.map(
      ({ id, name, summary, origin }) =>
        `  ${id}  ${plain(name)}${summary === '' ? '' : `: ${plain(summary)}`}${origin === undefined ? '' : ` (${ADOPTED})`}\n`,
    );
    return {
      data: { concepts },
      text: lines.length === 0 ? 'No concepts yet.\n' : lines.join(''),
    };
  },
};

export const forgetAction: Action = {
  name: 'forget',
  usage: [
    [
      'forget <id>',
      'remove a fact for good, even after a rebuild; `memory-keeper memory undo` brings it back',
    ],
  ],
  takesWords: true,
  options: [],
  async run({ engine, project }, [id, ...more]) {
    if (id === undefined || more.length > 0)
      throw new UsageError('Name one fact by its id, such as d001', SEE);
    const fact = await engine.call('memory.forgetFactNow', { project, id });
    return {
      data: { forgotten: fact },
      text: `Removed: ${plain(fact.content)}\nTo bring it back: memory-keeper memory undo\n`,
    };
  },
};

export const undoAction: Action = {
  name: 'undo',
  usage: [['undo', 'undo your last change']],
  takesWords: false,
  options: [],
  async run({ engine, project }) {
    const { undone, thing } = await engine.call('memory.undoLast', { project });
    return { data: { undone }, text: `Undone: ${plain(renderMessage('en', thing))}\n` };
  },
};
