/**
 * What one action of `memory-keeper memory` is: its words come in, an answer for a person and for a
 * program goes out.
 */

import type { WorkProgress } from '../../../core/usecases/contract.ts';
import type { Engine } from '../../../core/usecases/engine.ts';

export interface Answer {
  /** What `--json` prints. */
  data: object;
  text: string;
  /** It was made for Claude: its markers are ours. */
  isForClaude?: boolean;
  /** Something is wrong that a script should notice. */
  isFailure?: boolean;
}

/** Every option that an action may have. */
export const OPTIONS = {
  accept: { type: 'boolean' },
  all: { type: 'boolean' },
  'all-projects': { type: 'boolean' },
  ask: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  empty: { type: 'boolean' },
  except: { type: 'string', multiple: true },
  kind: { type: 'string' },
  layer: { type: 'string' },
  session: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  limit: { type: 'string' },
  preview: { type: 'boolean' },
  project: { type: 'string', multiple: true },
  refuse: { type: 'boolean' },
  replace: { type: 'boolean' },
  restore: { type: 'boolean' },
  undo: { type: 'boolean' },
  yes: { type: 'boolean' },
} as const;

export type OptionName = keyof typeof OPTIONS;
export type ActionOptions = {
  [Name in OptionName]?: OptionValue<(typeof OPTIONS)[Name]> | undefined;
};
type OptionValue<Option> = Option extends { multiple: true }
  ? string[]
  : Option extends { type: 'boolean' }
    ? boolean
    : string;

/** The project that an action is about. */
export interface ProjectHere {
  engine: Engine;
  /** Its root folder. */
  project: string;
}

export interface Action {
  name: string;
  /** How it is called, without `memory-keeper memory`, and what it does. */
  usage: [string, string][];
  /** Whether words may follow it. */
  takesWords: boolean;
  /** Those that it has beside `--json`; the others are refused. */
  options: readonly OptionName[];
  run(here: ProjectHere, words: string[], options: ActionOptions): Answer | Promise<Answer>;
}

const STEPS: Record<NonNullable<WorkProgress['step']>, string> = {
  preparing: 'Preparing the memory',
  reading: 'Reading',
  packing: 'Packing',
  unpacking: 'Unpacking',
};

/** For work that takes long; only for a person who looks. */
export function showProgress(progress: WorkProgress): void {
  showLine(progressText(progress), { isLast: progress.isOver });
}

/** Draws the line over the last one. */
export function showLine(text: string, { isLast }: { isLast: boolean }): void {
  if (process.stderr.isTTY !== true || text === '') return;
  process.stderr.write(`\r\u001b[K${text}${isLast ? '\n' : ''}`);
}

function progressText({ what, step, done, total }: WorkProgress): string {
  if (what === 'save') return total === 0 ? '' : `Reading transcript ${done} of ${total}`;
  if (what === 'rebuild') return 'Rebuilding the memory';
  if (step === undefined) return '';
  return total === 0 ? STEPS[step] : `${STEPS[step]} ${done} of ${total} files`;
}
