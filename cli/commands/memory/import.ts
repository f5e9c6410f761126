/**
 * `memory import`: an archive, or the folder of an older memory keeper, becomes part of this
 * project's memory (M20), and can be taken back.
 */
import {
  type Counts,
  type Imported,
  importMemory,
  undoImport,
} from '../../../core/memory/archive/import-memory.ts';
import { UsageError } from '../../command.ts';
import { counted, plain, thousands } from '../../text.ts';
import { type Action, endProgress, tellFiles } from './action.ts';

const SEE = 'memory-keeper memory --help';

export const importAction: Action = {
  name: 'import',
  usage: [
    [
      'import <file> [--preview] [--replace]',
      'takes an archive in: joined with what is there, or with --replace in its place',
    ],
    ['import <folder>', 'the same for .claude/memory of memory-keeper 13+ or crabshell'],
    ['import --undo', 'puts the memory back as it was before the last import'],
  ],
  takesWords: true,
  async run({ places, memory }, words, { isPreview, isReplacing, isUndo }) {
    const [source, ...more] = words;
    if (more.length > 0) throw new UsageError('too many words after "import"', SEE);
    if (isUndo === (source !== undefined))
      throw new UsageError(isUndo ? 'undo takes no file' : 'which file or folder?', SEE);
    if (isUndo && isReplacing) throw new UsageError('undo replaces by itself', SEE);
    const request = { places, memory, isPreview, tell: tellFiles };
    const imported =
      source === undefined
        ? await undoImport(request)
        : await importMemory({ ...request, source, isReplacing });
    endProgress();
    return { data: imported, text: textOf(imported, isUndo) };
  },
};

const UNDO = '`memory-keeper memory import --undo`';

const WAYS = {
  placed: ['would be put in place; there is no memory of this project yet', 'put in place'],
  joined: [
    'would be joined with what is kept of this project',
    'joined with what was kept of this project',
  ],
  replaced: [
    'would take the place of what is kept of this project',
    'in the place of what was kept of this project',
  ],
} as const;

const UNDONE = [
  'The memory would be again as it was before the last import.',
  'The memory is again as it was before the last import.',
] as const;

function textOf(
  { way, isPreview, from, before, after, notes, backup }: Imported,
  isUndo: boolean,
): string {
  const would = isUndo ? UNDONE[0] : `The memory of ${plain(from)} ${WAYS[way][0]}.`;
  const done = isUndo ? UNDONE[1] : `The memory of ${plain(from)} is ${WAYS[way][1]}.`;
  const lines = [
    isPreview ? `${would} Nothing was changed.` : done,
    ...change('session', before, after, 'sessions'),
    ...change('entry', before, after, 'entries'),
    ...change('fact', before, after, 'facts'),
    ...change('concept', before, after, 'concepts'),
    ...change('file', before, after, 'files'),
    ...notes.map((note) => `  ${plain(note)}`),
    ...(backup === undefined
      ? []
      : [
          before.files === 0
            ? `${UNDO} takes it out again.`
            : `${UNDO} brings back what was there before (${plain(backup)}).`,
        ]),
  ];
  return `${lines.join('\n')}\n`;
}

function change(one: string, before: Counts, after: Counts, many: keyof Counts): string[] {
  const now = counted(after[many], one, many);
  return [
    before[many] === after[many]
      ? `  ${now}, as before`
      : `  ${now} (${thousands(before[many])} before)`,
  ];
}
