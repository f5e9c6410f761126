/** `memory facts`, `concepts`, `forget`, `undo`: what is known, and what a person does about it. */

import { editedThing } from '../../../core/memory/edits/edit-log.ts';
import {
  FACT_LISTS,
  type Fact,
  type FactsFile,
  factsFile,
  PERMANENT_LISTS,
} from '../../../core/memory/l2-facts/facts-file.ts';
import { conceptsFile } from '../../../core/memory/l3-concepts/concepts-file.ts';
import { askForFacts } from '../../../core/memory/model/agent-requests.ts';
import { forgetFact, undoLastEdit } from '../../../core/memory/state/edits.ts';
import { renderMessage } from '../../../core/messages/all-messages.ts';
import { ExpectedError } from '../../../core/messages/expected-error.ts';
import { message } from '../../../core/messages/message.ts';
import { readDocument } from '../../../core/platform/store/document.ts';
import { conceptsPath, factsPath } from '../../../core/projects/memory-paths.ts';
import type { ProjectMemory } from '../../../core/projects/project-memory.ts';
import { UsageError } from '../../command.ts';
import { counted, plain } from '../../text.ts';
import type { Action } from './action.ts';
import { failed } from './delta.ts';

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
  run(work, _, { kind, all = false, ask = false }) {
    if (ask) {
      const file = askForFacts(work.memory);
      return file === undefined
        ? failed(message('memory.nothingNewForFacts'))
        : { data: { success: true, factsFile: file }, text: `${file}\n` };
    }
    const facts = readFacts(work.memory);
    if (kind !== undefined && kind !== 'permanent' && !FACT_LISTS.some((list) => list === kind))
      throw new UsageError(`Unknown kind "${kind}"`, SEE);
    const lists = [
      ['permanent', PERMANENT_LISTS.flatMap((list) => facts.permanent[list])] as const,
      ...FACT_LISTS.map((list) => [list, facts[list]] as const),
    ].filter(([name]) => kind === undefined || kind === name);
    const shown = lists.map(
      ([name, items]) =>
        [name, items.filter((fact) => all || fact.supersededBy === undefined)] as const,
    );
    const text = shown
      .flatMap(([name, items]) =>
        items.length === 0 ? [] : [`${name}:\n${items.map(factLine).join('')}`],
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
  ];
  return `  ${fact.id}  ${plain(fact.content)} (${marks.join(', ')})\n`;
}

export const conceptsAction: Action = {
  name: 'concepts',
  usage: [['concepts', 'list what the facts are about']],
  takesWords: false,
  options: [],
  run({ memory }) {
    const reading = readDocument(conceptsPath(memory), conceptsFile);
    if ('reason' in reading) throw new ExpectedError(reading.reason);
    const { concepts } = reading.value;
    const lines = concepts.map(
      ({ id, name, summary }) =>
        `  ${id}  ${plain(name)}${summary === '' ? '' : `: ${plain(summary)}`}\n`,
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
  run({ memory }, [id, ...more]) {
    if (id === undefined || more.length > 0)
      throw new UsageError('Name one fact by its id, such as d001', SEE);
    const fact = forgetFact(memory, id);
    if (fact === undefined) throw new ExpectedError(message('edit.noFact', { id }));
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
  run({ memory }) {
    const undone = undoLastEdit(memory);
    if (undone === undefined) throw new ExpectedError(message('edit.nothingToUndo'));
    return {
      data: { undone },
      text: `Undone: ${plain(renderMessage('en', editedThing(undone)))}\n`,
    };
  },
};

function readFacts(memory: ProjectMemory): FactsFile {
  const reading = readDocument(factsPath(memory), factsFile);
  if ('reason' in reading) throw new ExpectedError(reading.reason);
  return reading.value;
}
