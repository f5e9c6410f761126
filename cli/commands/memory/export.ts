/** `memory export`: this project's memory as one file (M20). */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { archiveName } from '../../../core/memory/portable/manifest.ts';
import { exportMemory } from '../../../core/memory/portable/write-archive.ts';
import { ExpectedError } from '../../../core/messages/expected-error.ts';
import { message } from '../../../core/messages/message.ts';
import { UsageError } from '../../command.ts';
import { counted, plain } from '../../text.ts';
import { type Action, endProgress, tellFiles } from './action.ts';

export const exportAction: Action = {
  name: 'export',
  usage: [
    [
      'export [file]',
      "save this project's memory as one zip file, as a backup or for another machine",
    ],
  ],
  takesWords: true,
  options: [],
  async run({ memory }, words) {
    const [file = archiveName(memory.root), ...more] = words;
    if (more.length > 0)
      throw new UsageError('Too many arguments after "export"', 'memory-keeper memory --help');
    const folder = dirname(resolve(file));
    if (!existsSync(folder)) throw new ExpectedError(message('archive.noFolder', { folder }));
    const exported = await exportMemory(memory, resolve(file), tellFiles);
    endProgress();
    const left = exported.leftOut
      .map((name) => `Skipped, not a regular file: ${plain(name)}\n`)
      .join('');
    const raw =
      exported.rawCopies === 0
        ? ''
        : `This includes ${counted(exported.rawCopies, 'raw copy', 'raw copies')} of conversations, with any secrets in them.\n`;
    return {
      data: exported,
      text: `Exported ${counted(exported.files, 'file')} to ${plain(exported.file)}.\n${left}${raw}It contains your conversations in this project. Keep it private.\n`,
    };
  },
};
