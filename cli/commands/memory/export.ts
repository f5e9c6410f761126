/** `memory export`: this project's memory as one file (M20). */
import { resolve } from 'node:path';
import { UsageError } from '../../command.ts';
import { counted, plain } from '../../text.ts';
import { type Action, showProgress } from './action.ts';

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
  async run({ engine, project }, [named, ...more]) {
    if (more.length > 0)
      throw new UsageError('Too many arguments after "export"', 'memory-keeper memory --help');
    const file = resolve(named ?? (await engine.call('archive.name', { project })));
    const exported = await engine.call(
      'archive.export',
      { project, target: file, mayReplace: false },
      showProgress,
    );
    const left = exported.leftOut
      .map((name) => `Skipped, not a regular file: ${plain(name)}\n`)
      .join('');
    const raw =
      exported.rawCopies === 0
        ? ''
        : `This includes ${counted(exported.rawCopies, 'raw copy', 'raw copies')} of conversations, with any secrets in them.\n`;
    return {
      data: { file, ...exported },
      text: `Exported ${counted(exported.files, 'file')} to ${plain(file)}.\n${left}${raw}It contains your conversations in this project. Keep it private.\n`,
    };
  },
};
