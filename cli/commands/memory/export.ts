/** `memory export`: this project's memory as one file (M20). */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ExpectedError } from '../../../core/expected-error.ts';
import { archiveName } from '../../../core/memory/archive/manifest.ts';
import { exportMemory } from '../../../core/memory/archive/write-archive.ts';
import { UsageError } from '../../command.ts';
import { counted, plain } from '../../text.ts';
import { type Action, endProgress, tellFiles } from './action.ts';

export const exportAction: Action = {
  name: 'export',
  usage: [
    [
      'export [file]',
      "all of this project's memory as one zip file, for another machine or to be kept",
    ],
  ],
  takesWords: true,
  async run({ memory }, words) {
    const [file = archiveName(memory.root), ...more] = words;
    if (more.length > 0)
      throw new UsageError('too many words after "export"', 'memory-keeper memory --help');
    const folder = dirname(resolve(file));
    if (!existsSync(folder))
      throw new ExpectedError(`there is no folder ${folder}; nothing was written`);
    const exported = await exportMemory(memory, resolve(file), tellFiles);
    endProgress();
    const left = exported.leftOut
      .map((name) => `Left out, no plain file: ${plain(name)}\n`)
      .join('');
    const raw =
      exported.rawCopies === 0
        ? ''
        : `Among them ${counted(exported.rawCopies, 'raw copy', 'raw copies')} of conversations, secrets and all.\n`;
    return {
      data: exported,
      text: `${counted(exported.files, 'file')} written to ${plain(exported.file)}.\n${left}${raw}It holds what was said in this project: keep it as private as that.\n`,
    };
  },
};
