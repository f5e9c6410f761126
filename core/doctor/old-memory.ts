/**
 * Tells where the old files of what 0.1.0 kept in projects are (M1), and what of it has not been taken
 * over. Deletes them only when the user asks for it, and only where nothing is left in them.
 */
import { removableBackups, removeBackup } from '../memory/portable/adopt-earlier.ts';
import { type Backup, earlierBackups } from '../memory/portable/earlier-moves.ts';
import { type Message, message } from '../messages/message.ts';
import { type DoctorOptions, firstFew, notice, type Patient, type Result, well } from './check.ts';

const DAY_LETTERS = 'YYYY-MM-DD'.length;

export function checkOldMemory({ options: { places } }: Patient): Result {
  const backups = earlierBackups(places);
  if (backups.length === 0) return well(message('doctor.oldMemoryNone'));
  const removable = removableBackups(places).map(({ path }) => path);
  const isAnyLeft = backups.some(
    ({ path, refusedAt }) => refusedAt === undefined && !removable.includes(path),
  );
  return notice(
    message('plugin.lines', { lines: firstFew(backups.map(whatHappened)) }),
    isAnyLeft ? message('doctor.oldMemoryMend') : undefined,
    removable.length === 0
      ? undefined
      : {
          id: 'remove-old-memory',
          label: message('doctor.oldMemoryRemove'),
          preview: removable.map((path) => message('doctor.oldMemoryPreview', { path })),
        },
  );
}

function whatHappened({ path, at, sessions, left, problem, refusedAt }: Backup): Message {
  if (problem !== undefined) return message('doctor.oldMemoryNotMoved', { path, reason: problem });
  const values = { path, day: at.slice(0, DAY_LETTERS), count: sessions };
  const isAllMoved = left.sessions === 0 && left.edits === 0 && !left.rules && !left.settings;
  if (isAllMoved) return message('doctor.oldMemoryMoved', values);
  if (refusedAt !== undefined) return message('doctor.oldMemoryRestRefused', values);
  const { sessions: others, edits } = left;
  return message('doctor.oldMemoryPartMoved', { ...values, others, edits });
}

export function removeOldMemory({ places }: DoctorOptions): Message[] {
  return removableBackups(places).map(({ path }) =>
    message('doctor.oldMemoryRemoved', { path, count: removeBackup(places, path) }),
  );
}
