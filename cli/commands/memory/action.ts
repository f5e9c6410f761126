/**
 * What one action of `memory-keeper memory` is: its words come in, an answer for a person and for a
 * program goes out.
 */

import type { Workplace } from '../../../core/memory/model/jobs.ts';
import type { Step } from '../../../core/memory/portable/write-archive.ts';

export interface Answer {
  /** What `--json` prints. */
  data: object;
  text: string;
  /** Something is wrong that a script should notice. */
  isFailure?: boolean;
}

/** Every option that an action may have. */
export const OPTIONS = {
  all: { type: 'boolean' },
  'all-projects': { type: 'boolean' },
  ask: { type: 'boolean' },
  kind: { type: 'string' },
  layer: { type: 'string' },
  session: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  limit: { type: 'string' },
  preview: { type: 'boolean' },
  replace: { type: 'boolean' },
  undo: { type: 'boolean' },
} as const;

export type OptionName = keyof typeof OPTIONS;
export type ActionOptions = {
  [Name in OptionName]?:
    | ((typeof OPTIONS)[Name]['type'] extends 'boolean' ? boolean : string)
    | undefined;
};

export interface Action {
  name: string;
  /** How it is called, without `memory-keeper memory`, and what it does. */
  usage: [string, string][];
  /** Whether words may follow it. */
  takesWords: boolean;
  /** Those that it has beside `--json`; the others are refused. */
  options: readonly OptionName[];
  run(work: Workplace, words: string[], options: ActionOptions): Answer | Promise<Answer>;
}

/** Progress of what takes long; only for a person who looks. */
export function tellProgress(text: string): void {
  if (process.stderr.isTTY === true) process.stderr.write(`\r${text}`);
}

const STEPS: Record<Step, string> = {
  preparing: 'Preparing the memory',
  reading: 'Reading',
  packing: 'Packing',
  unpacking: 'Unpacking',
};

export function tellFiles(step: Step, done: number, total: number): void {
  tellProgress(total === 0 ? STEPS[step] : `${STEPS[step]} ${done} of ${total} files`);
}

export function endProgress(): void {
  if (process.stderr.isTTY === true) process.stderr.write('\n');
}
