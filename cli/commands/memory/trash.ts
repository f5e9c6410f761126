/** `memory trash`: what retention has taken out of this project's memory, and how to get it back. */

import type { TrashRow } from '../../../core/usecases/memory/trash.ts';
import { UsageError } from '../../command.ts';
import { counted, plain } from '../../text.ts';
import type { Action, Answer, ProjectHere } from './action.ts';

const SEE = 'memory-keeper memory --help';

export const trashAction: Action = {
  name: 'trash',
  usage: [
    ['trash', 'list what `retention.l1Days` has moved to the trash, and when it will be gone'],
    ['trash --restore <name> | --restore --all', 'put conversations back'],
    ['trash --empty --yes', 'delete all that is in the trash for good'],
  ],
  takesWords: true,
  options: ['all', 'empty', 'restore', 'yes'],
  run(here, names, { all = false, empty = false, restore = false, yes = false }) {
    if (restore) {
      if (empty || yes || all === names.length > 0)
        throw new UsageError('Name what to restore, or use --all', SEE);
      return restored(here, all ? undefined : names);
    }
    if (names.length > 0) throw new UsageError('To put it back, add --restore', SEE);
    if (all || (yes && !empty))
      throw new UsageError('Use --all with --restore, --yes with --empty', SEE);
    return empty ? emptied(here, yes) : listed(here);
  },
};

async function listed({ engine, project }: ProjectHere): Promise<Answer> {
  const trash = await engine.call('memory.trash', { project });
  const text =
    trash.length === 0
      ? 'The trash is empty.\n'
      : `${trash.map(line).join('')}\nTo put one back: memory-keeper memory trash --restore <name>\n`;
  return { data: { trash }, text };
}

async function restored(
  { engine, project }: ProjectHere,
  names: string[] | undefined,
): Promise<Answer> {
  const result = await engine.call('memory.restoreTrash', { project, names });
  const back = `Restored ${counted(result.restored.length, 'file')}.\n`;
  const stays = result.taken.map(
    ({ name }) => `  ${plain(name)} stays in the trash: there is another file of that name.\n`,
  );
  return { data: result, text: back + stays.join(''), isFailure: stays.length > 0 };
}

async function emptied({ engine, project }: ProjectHere, isSure: boolean): Promise<Answer> {
  const trash = await engine.call('memory.trash', { project });
  if (trash.length > 0 && !isSure) {
    const warning = `This deletes ${counted(trash.length, 'file')} for good; nothing brings them back:\n`;
    const how = '\nTo go on: memory-keeper memory trash --empty --yes\n';
    const data = { removed: { files: 0, bytes: 0 }, trash };
    return { data, text: warning + trash.map(line).join('') + how, isFailure: true };
  }
  const removed = await engine.call('memory.emptyTrash', { project });
  const text =
    removed.files === 0
      ? 'The trash is empty.\n'
      : `Deleted ${counted(removed.files, 'file')} for good.\n`;
  return { data: { removed }, text };
}

function line({ name, isRawCopy, bytes, wentOn, goneOn }: TrashRow): string {
  const what = isRawCopy ? 'raw copy' : 'conversation';
  const size = `${Math.max(1, Math.round(bytes / 1024))} KB`;
  return `  ${plain(name)}  ${what}, ${size}, in the trash since ${wentOn}, gone on ${goneOn}\n`;
}
