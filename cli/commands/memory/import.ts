/**
 * `memory import`: an archive, or the folder of an older memory keeper, becomes part of this
 * project's memory (M20), and can be taken back.
 */
import type { Counts, ImportResult } from '../../../core/memory/portable/import-memory.ts';
import { renderMessage } from '../../../core/usecases/messages.ts';
import { UsageError } from '../../command.ts';
import { jsonMessage } from '../../json-message.ts';
import { counted, plain, thousands } from '../../text.ts';
import { type Action, type ProjectHere, showProgress } from './action.ts';

const SEE = 'memory-keeper memory --help';

export const importAction: Action = {
  name: 'import',
  usage: [
    [
      'import <file> [--preview] [--replace]',
      'import an archive and merge it into this memory, or replace this memory with --replace',
    ],
    ['import <folder>', 'the same with .claude/memory of memory-keeper 13+ or crabshell'],
    ['import --undo', 'restore the memory from before the last import'],
  ],
  takesWords: true,
  options: ['preview', 'replace', 'undo'],
  async run(here, words, options) {
    const {
      preview: isPreview = false,
      replace: isReplacing = false,
      undo: isUndo = false,
    } = options;
    const [source, ...more] = words;
    if (more.length > 0) throw new UsageError('Too many arguments after "import"', SEE);
    if (isUndo === (source !== undefined))
      throw new UsageError(
        isUndo ? '--undo takes no file' : 'Name the file or folder to import',
        SEE,
      );
    if (isUndo && isReplacing)
      throw new UsageError('--undo always replaces; leave out --replace', SEE);
    const imported = await (source === undefined
      ? undoImport(here, isPreview)
      : importFrom(here, source, { isPreview, isReplacing }));
    const data = { ...imported, notes: imported.notes.map(jsonMessage) };
    return { data, text: textOf(imported, isUndo) };
  },
};

function undoImport({ engine, project }: ProjectHere, isPreview: boolean): Promise<ImportResult> {
  return engine.call('archive.undo', { project, isPreview }, showProgress);
}

function importFrom(
  { engine, project }: ProjectHere,
  source: string,
  { isPreview, isReplacing }: { isPreview: boolean; isReplacing: boolean },
): Promise<ImportResult> {
  const method = isPreview ? 'archive.preview' : 'archive.import';
  return engine.call(method, { project, source, isReplacing }, showProgress);
}

const UNDO = 'memory-keeper memory import --undo';

const WOULD = {
  placed: 'would become the memory of this project, which has none yet',
  joined: 'would be merged into the memory of this project',
  replaced: 'would replace the memory of this project',
} as const;
const DONE = {
  placed: 'is now the memory of this project',
  joined: 'was merged into the memory of this project',
  replaced: 'replaced the memory of this project',
} as const;

function textOf(
  { way, isPreview, from, before, after, notes, backup }: ImportResult,
  isUndo: boolean,
): string {
  const what = isUndo ? 'The memory from before the last import' : `The memory of ${plain(from)}`;
  const done = isUndo ? 'is back' : DONE[way];
  const lines = [
    isPreview
      ? `${what} ${isUndo ? 'would be back' : WOULD[way]}. Nothing was changed.`
      : `${what} ${done}.`,
    ...change('session', before, after, 'sessions'),
    ...change('entry', before, after, 'entries'),
    ...change('fact', before, after, 'facts'),
    ...change('concept', before, after, 'concepts'),
    ...change('file', before, after, 'files'),
    ...notes.map((note) => `  ${plain(renderMessage('en', note))}`),
    ...(backup === undefined ? [] : [`To undo: ${UNDO}${was(before, backup)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function was({ files }: Counts, backup: string): string {
  return files === 0 ? '' : ` (the memory from before is in ${plain(backup)})`;
}

function change(one: string, before: Counts, after: Counts, many: keyof Counts): string[] {
  const now = counted(after[many], one, many);
  return [
    before[many] === after[many]
      ? `  ${now} (unchanged)`
      : `  ${now} (before: ${thousands(before[many])})`,
  ];
}
