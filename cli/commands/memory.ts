/** `memory-keeper memory`: the memory of the project in this folder, and what can be done with it. */

import { createEngine } from '../../core/usecases/engine.ts';
import { type Command, currentFolder, parseOptions, UsageError } from '../command.ts';
import { print, printJson } from '../output.ts';
import { type Action, OPTIONS, type OptionName } from './memory/action.ts';
import { deltaAction } from './memory/delta.ts';
import { earlierAction } from './memory/earlier.ts';
import { exportAction } from './memory/export.ts';
import { conceptsAction, factsAction, forgetAction, undoAction } from './memory/facts.ts';
import { foreignAction } from './memory/foreign.ts';
import { importAction } from './memory/import.ts';
import { importHistoryAction } from './memory/import-history.ts';
import { linkAction, whereAction } from './memory/place.ts';
import { restoreAction } from './memory/restore.ts';
import { saveAction } from './memory/save.ts';
import { searchAction } from './memory/search.ts';
import { showAction } from './memory/show.ts';
import { suggestionsAction } from './memory/suggestions.ts';
import { trashAction } from './memory/trash.ts';
import { compressAction, rebuildAction, verifyAction } from './memory/upkeep.ts';

const ACTIONS: Action[] = [
  showAction,
  saveAction,
  restoreAction,
  searchAction,
  factsAction,
  conceptsAction,
  forgetAction,
  undoAction,
  suggestionsAction,
  foreignAction,
  earlierAction,
  deltaAction,
  compressAction,
  trashAction,
  verifyAction,
  rebuildAction,
  exportAction,
  importAction,
  importHistoryAction,
  whereAction,
  linkAction,
];

const usage = ([call, does]: [string, string]) => `  memory-keeper memory ${call}\n      ${does}`;

const HELP = `Shows, saves, searches and restores the memory of the project in this folder.

Usage: memory-keeper memory <action> [--json]

${ACTIONS.flatMap((action) => action.usage.map(usage)).join('\n')}
`;

const SEE = 'memory-keeper memory --help';

export const memoryCommand: Command = {
  name: 'memory',
  summary: 'the memory of this project: show, save, search, restore, …',
  help: HELP,
  async run(args) {
    const { values, positionals } = parseOptions('memory', {
      args,
      allowPositionals: true,
      options: { ...OPTIONS, json: { type: 'boolean' } },
    });
    const [name = 'show', ...words] = positionals;
    const action = ACTIONS.find((candidate) => candidate.name === name);
    if (action === undefined) throw new UsageError(`Unknown action "${name}"`, SEE);
    const foreign = Object.keys(values).find(
      (option) => option !== 'json' && !action.options.includes(option as OptionName),
    );
    if (foreign !== undefined)
      throw new UsageError(`"memory ${name}" has no option --${foreign}`, SEE);
    if (words.length > 0 && !action.takesWords)
      throw new UsageError(`Too many arguments after "${name}"`, SEE);
    const engine = createEngine();
    const project = engine.projectRoot(currentFolder());
    const answer = await action.run({ engine, project }, words, values);
    const { data, text, isFailure = false, isForClaude = false } = answer;
    if (values.json === true) printJson(data, { isForClaude });
    else print(text, { isForClaude });
    if (isFailure) process.exitCode = 1;
  },
};
