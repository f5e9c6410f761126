/**
 * `memory import-history`: takes in the conversations of all projects that were there before Memory
 * Keeper (L1d), shows how far it is, and can be interrupted, continued and taken back.
 */
import { resolve } from 'node:path';
import type {
  BackfillPreview,
  BackfillProgress,
  BackfillProject,
  BackfillRecord,
  BackfillResult,
  BackfillUndone,
} from '../../../core/usecases/contract.ts';
import { renderMessage } from '../../../core/usecases/messages.ts';
import { currentFolder, UsageError } from '../../command.ts';
import { interruption } from '../../interruption.ts';
import { jsonMessage } from '../../json-message.ts';
import { counted, plain, thousands } from '../../text.ts';
import { type Action, type Answer, type ProjectHere, showLine } from './action.ts';

const SEE = 'memory-keeper memory --help';
const AGAIN = 'memory-keeper memory import-history';
const MEGABYTE = 1024 * 1024;
const DAY_LETTERS = 'YYYY-MM-DD'.length;

export const importHistoryAction: Action = {
  name: 'import-history',
  usage: [
    [
      'import-history [--project <folder>]… [--except <folder>]… [--since <date>] [--dry-run]',
      'import the past conversations of all projects on this machine; --dry-run only says what would be imported',
    ],
    ['import-history --undo', 'take the last such import back; what was said since stays'],
  ],
  takesWords: false,
  options: ['project', 'except', 'since', 'dry-run', 'undo'],
  async run({ engine }, _, options) {
    const { project = [], except = [], since, undo = false, 'dry-run': isDry = false } = options;
    const isChosen = project.length + except.length > 0 || since !== undefined;
    if (undo && (isChosen || isDry)) throw new UsageError('--undo takes no other options', SEE);
    if (undo) return undone(await engine.call('backfill.undo', {}));
    const folders = (names: readonly string[]) =>
      names.map((name) => resolve(currentFolder(), name));
    const choice = { only: folders(project), except: folders(except), since };
    return isDry
      ? previewed(await engine.call('backfill.preview', choice))
      : imported(await importNow(engine, { ...choice, goOn: !isChosen }), isChosen);
  },
};

type Choice = { only: string[]; except: string[]; since: string | undefined; goOn: boolean };

/** The first Ctrl+C lets the session that it is at come to its end, the second ends it at once. */
async function importNow(engine: ProjectHere['engine'], choice: Choice): Promise<BackfillResult> {
  const { wanted } = interruption();
  void wanted.then(async () => {
    showLine('Stopping after this conversation …', { isLast: true });
    await engine.call('backfill.cancel', {}).catch(() => undefined); // it has just ended
  });
  return engine.call('backfill.run', choice, undefined, (progress) =>
    showLine(progressText(progress), { isLast: progress.isOver }),
  );
}

function progressText(progress: BackfillProgress): string {
  const { sessionsDone, sessionsTotal, bytesDone, bytesTotal, projectName } = progress;
  if (sessionsTotal === 0) return '';
  const bytes = `${megabytes(bytesDone)} of ${megabytes(bytesTotal)}`;
  return `Conversation ${sessionsDone} of ${sessionsTotal}, ${bytes}, ${plain(projectName)}`;
}

function previewed(preview: BackfillPreview): Answer {
  const { projects, transcriptDays, unfinished, undoable } = preview;
  const lines = [
    `${totals(preview)} Nothing was changed.`,
    ...projects.map(projectLine),
    ...passedOver(preview),
    `Claude Code deletes transcripts after ${counted(transcriptDays.days, 'day')}${transcriptDays.isDefault ? ' (its default; cleanupPeriodDays in its settings)' : ''}.`,
    ...(unfinished === null ? [] : [unfinishedLine(unfinished)]),
    ...(undoable === null ? [] : [`To take the last import back: ${AGAIN} --undo`]),
  ];
  return { data: preview, text: `${lines.join('\n')}\n` };
}

const NOTHING = 'There are no past conversations to import.';

function totals({ projects, sessions, bytes, diskBytes, oldest, newest }: BackfillPreview): string {
  if (sessions === 0) return NOTHING;
  const count = projects.filter(({ isLeftOut }) => !isLeftOut).length;
  const where = `${counted(sessions, 'conversation')} in ${counted(count, 'project')}`;
  return `${where}, from ${day(oldest)} to ${day(newest)}: ${megabytes(bytes)} to read, about ${megabytes(diskBytes)} on disk.`;
}

function projectLine({
  root,
  isGone,
  isLeftOut,
  sessions,
  bytes,
  oldest,
  newest,
}: BackfillProject) {
  const marks = [isGone && 'folder no longer exists', isLeftOut && 'left out'].filter(Boolean);
  const notes = marks.length === 0 ? '' : ` (${marks.join(', ')})`;
  return `  ${plain(root)}${notes}: ${counted(sessions, 'conversation')}, ${megabytes(bytes)}, ${day(oldest)} to ${day(newest)}`;
}

const PASSED_OVER: Record<keyof BackfillPreview['passedOver'], string> = {
  kept: 'already in memory',
  programs: 'from programs and other tools',
  subagents: 'from subagents',
  empty: 'empty',
  unreadable: 'unreadable',
  tooOld: 'too old',
};

function passedOver({ passedOver: counts }: BackfillPreview): string[] {
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([why, count]) => `${thousands(count)} ${PASSED_OVER[why as keyof typeof counts]}`);
  return parts.length === 0 ? [] : [`Not imported: ${parts.join(', ')}.`];
}

function unfinishedLine({ state, sessions }: BackfillRecord): string {
  return state === 'running'
    ? 'An import is running now.'
    : `An import was interrupted after ${counted(sessions, 'conversation')}; the next one continues it.`;
}

/** `isChosen`: now; else it may have gone on with what was chosen when it was begun. */
function imported(result: BackfillResult, isChosen: boolean): Answer {
  const { state, sessions, projects, left, l1Bytes, problems } = result;
  const count = `${counted(sessions, 'conversation')} in ${counted(projects.length, 'project')}`;
  const done =
    sessions === 0 && state === 'done' && problems.length === 0
      ? NOTHING
      : `Imported ${count} (${megabytes(l1Bytes)} on disk before packing).`;
  const ends = {
    done: sessions === 0 ? [] : [`To take it back: ${AGAIN} --undo`],
    cancelled: [`Stopped; ${counted(left, 'conversation')} left. To go on: ${AGAIN}`],
    stopped: [`It could not go on; ${counted(left, 'conversation')} left. To go on: ${AGAIN}`],
  };
  const reasons = problems.map((problem) => `  ${plain(renderMessage('en', problem))}`);
  return {
    data: { ...result, problems: problems.map(jsonMessage) },
    text: `${[...(isChosen ? [] : goneOn(result)), done, ...reasons, ...ends[state]].join('\n')}\n`,
    isFailure: state !== 'done' || problems.length > 0,
  };
}

/** The user may have expected everything. */
function goneOn({ choice: { only, except, since } }: BackfillResult): string[] {
  const parts = [
    only.length > 0 ? `only ${only.map(plain).join(', ')}` : '',
    except.length > 0 ? `without ${except.map(plain).join(', ')}` : '',
    since === undefined ? '' : `since ${plain(since)}`,
  ].filter((part) => part !== '');
  return parts.length === 0
    ? []
    : [`Continued the import that was interrupted, as it was begun: ${parts.join('; ')}.`];
}

function undone(result: BackfillUndone): Answer {
  const { sessions, projects, kept } = result;
  const lines = [
    `Took back ${counted(sessions, 'conversation')} from ${counted(projects.length, 'project')}. They are in the trash of each project (memory-keeper memory trash).`,
    ...(kept === 0
      ? []
      : [
          `${counted(kept, 'conversation')} continued after the import and ${kept === 1 ? 'stays' : 'stay'}.`,
        ]),
  ];
  return { data: result, text: `${lines.join('\n')}\n` };
}

function day(time: string | null): string {
  return (time ?? '').slice(0, DAY_LETTERS);
}

function megabytes(bytes: number): string {
  const value = bytes / MEGABYTE;
  return `${value >= 10 ? thousands(Math.round(value)) : value.toFixed(1)} MB`;
}
