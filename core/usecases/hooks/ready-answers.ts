/**
 * Answers that hooks-plugin/run.sh prints by itself where no mod runs, so that the user does not
 * wait for a node (K2, M14): `prepared/<session id or process>.<task>.ready` in our folder. Such a
 * file names all that its answer was made from. The shell compares it with what is there now, to the
 * nanosecond, and starts the program in any doubt; nothing in the file is ever run.
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { preparedFolder } from '../../memory/restore/prepared-compaction.ts';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { removeFile } from '../../platform/store/file-changes.ts';
import type { Places } from '../../platform/store/places.ts';
import type { HookInput, HookOutput } from './hook-input.ts';

/** The tasks of run.sh that can be answered so; `start` and what follows are the briefing's pages. */
export const START_TASKS = ['start', 'start-2', 'start-3', 'start-4'] as const;
type Task = 'prompt' | (typeof START_TASKS)[number];

/** Changes together with `give_ready` in run.sh. */
const VERSION = '1';
/** What else an answer depends on. run.sh puts the same line together, from its own parent on. */
const VARIABLES = [
  'MEMORY_KEEPER_PARENT',
  'HOME',
  'CLAUDE_CONFIG_DIR',
  'MEMORY_KEEPER_HOME',
  'CLAUDE_PROJECT_DIR',
  'MEMORY_KEEPER_LANG',
  'LC_ALL',
  'LC_MESSAGES',
  'LANG',
  'CLAUDE_CODE_DISABLE_1M_CONTEXT',
  'TMPDIR',
  'TEMP',
  'TMP',
];
/** How `stat` is asked for inode, size and both times of a file. */
const STAT = process.platform === 'darwin' ? '-f %i %z %Fm %Fc' : '-c %i %s %.9Y %.9Z';

type ReadyInput = Pick<HookInput, 'places' | 'env' | 'claudePid'>;

export interface ReadyAnswer {
  /** What it was made from, and what must not be there. */
  paths: readonly string[];
  /** How these were before it was made (`statesOf`). */
  states: readonly string[];
  /** When it is void by itself, in milliseconds. */
  until?: number | undefined;
  output: HookOutput | undefined;
}

const readyPath = (places: Places, key: string, task: Task) =>
  join(preparedFolder(places), `${key}.${task}.ready`);

/** The shell believes in no other process than its own parent (0023), and Windows has none. */
export function canBeReady({ env, claudePid }: ReadyInput): boolean {
  const { CLAUDE_PID, MEMORY_KEEPER_PARENT, CLAUDE_PROJECT_DIR, HOME } = env;
  const isKnown =
    claudePid !== '' && claudePid === CLAUDE_PID && CLAUDE_PID === MEMORY_KEEPER_PARENT;
  return isKnown && Boolean(CLAUDE_PROJECT_DIR && HOME) && process.platform !== 'win32';
}

/** As `stat` prints it: a line for each file that is there. */
export function statesOf(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const stats = attempt(() => statSync(path, { bigint: true, throwIfNoEntry: false }), undefined);
    if (stats === undefined) return [];
    const { ino, size, mtimeNs, ctimeNs } = stats;
    return [`${ino} ${size} ${inSeconds(mtimeNs)} ${inSeconds(ctimeNs)}`];
  });
}

function inSeconds(ns: bigint): string {
  const digits = String(ns).padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`;
}

/** `key`: the session for a prompt, the process for the session after a `/clear`. */
export function keepReady(
  { places, env }: ReadyInput,
  key: string,
  task: Task,
  { paths, states, until, output }: ReadyAnswer,
): void {
  const around = [VERSION, ...VARIABLES.map((name) => env[name] ?? '')].join('|');
  const head = [around, STAT, until === undefined ? '' : String(Math.floor(until / 1000))];
  // A line break in a name would be two lines, and without any file there is nothing to compare.
  if ([...head, ...paths].some((line) => line.includes('\n')) || states.length === 0) return;
  const answer = output === undefined ? '' : JSON.stringify(output);
  const text = [...head, ...paths, '', ...states, '', answer].join('\n');
  writeFileAtomic(readyPath(places, key, task), text, { durable: false });
}

export function isStartReady({ places, claudePid }: ReadyInput): boolean {
  return claudePid !== '' && existsSync(readyPath(places, claudePid, 'start'));
}

/** Before anything changes whose work the next session of this process takes over. */
export function removeReadyStart({ places, claudePid }: ReadyInput): void {
  for (const path of START_TASKS.map((task) => readyPath(places, claudePid, task)))
    if (existsSync(path)) removeFile(path);
}
