/** `memory facts`, `concepts`, `forget`, `undo`: what is known, and what a person does about it. */

import { ExpectedError } from '../../../core/expected-error.ts';
import { editedThing } from '../../../core/memory/journal/edit-words.ts';
import { forgetFact, undoLastEdit } from '../../../core/memory/journal/edits.ts';
import {
  FACT_LISTS,
  type Fact,
  type FactsFile,
  factsFile,
  PERMANENT_LISTS,
} from '../../../core/memory/l2-facts/facts-file.ts';
import { conceptsFile } from '../../../core/memory/l3-concepts/concepts-file.ts';
import { conceptsPath, factsPath } from '../../../core/memory/project/memory-paths.ts';
import type { ProjectMemory } from '../../../core/memory/project/project-memory.ts';
import { askForFacts } from '../../../core/memory/work/agent-requests.ts';
import { readDocument } from '../../../core/store/document.ts';
import { UsageError } from '../../command.ts';
import { counted, plain } from '../../text.ts';
import type { Action } from './action.ts';

const SEE = 'memory-keeper memory --help';

export const factsAction: Action = {
  name: 'facts',
  usage: [
    [
      'facts [--kind decisions|patterns|issues|notes|permanent] [--all]',
      'what is known; --all: also what is out of date',
    ],
    ['facts --ask', 'writes the question for the l2-summarizer agent to a file and names it'],
  ],
  takesWords: false,
  run(work, _, { kind, all, ask }) {
    if (ask) {
      const file = askForFacts(work.memory);
      return file === undefined
        ? {
            data: { success: false, reason: 'nothing new to look for facts in' },
            text: 'nothing new to look for facts in\n',
          }
        : { data: { success: true, factsFile: file }, text: `${file}\n` };
    }
    const facts = readFacts(work.memory);
    if (kind !== undefined && kind !== 'permanent' && !FACT_LISTS.some((list) => list === kind))
      throw new UsageError(`there is no kind "${kind}"`, SEE);
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
      text: text === '' ? 'No facts are known yet.\n' : text,
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
  usage: [['concepts', 'what the facts are about']],
  takesWords: false,
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
      text: lines.length === 0 ? 'There are no concepts yet.\n' : lines.join(''),
    };
  },
};

export const forgetAction: Action = {
  name: 'forget',
  usage: [
    [
      'forget <id>',
      'removes a fact, also where memory is made anew; `memory-keeper memory undo` brings it back',
    ],
  ],
  takesWords: true,
  run({ memory }, [id, ...more]) {
    if (id === undefined || more.length > 0)
      throw new UsageError('which fact? Give one id, such as d001', SEE);
    const fact = forgetFact(memory, id);
    if (fact === undefined) throw new ExpectedError(`there is no fact "${plain(id)}"`);
    return {
      data: { forgotten: fact },
      text: `Forgotten: ${plain(fact.content)}\n\`memory-keeper memory undo\` brings it back.\n`,
    };
  },
};

export const undoAction: Action = {
  name: 'undo',
  usage: [['undo', 'takes the last change of yours back']],
  takesWords: false,
  run({ memory }) {
    const undone = undoLastEdit(memory);
    if (undone === undefined) throw new ExpectedError('there is no change to take back');
    return { data: { undone }, text: `Taken back: the change of ${plain(editedThing(undone))}.\n` };
  },
};

function readFacts(memory: ProjectMemory): FactsFile {
  const reading = readDocument(factsPath(memory), factsFile);
  if ('reason' in reading) throw new ExpectedError(reading.reason);
  return reading.value;
}
