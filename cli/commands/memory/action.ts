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

/** Options behind the action; which of them mean something tells its help. */
export interface ActionOptions {
  kind?: string | undefined;
  layer?: string | undefined;
  session?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  limit?: string | undefined;
  all: boolean;
  allProjects: boolean;
  ask: boolean;
  isPreview: boolean;
  isReplacing: boolean;
  isUndo: boolean;
}

export interface Action {
  name: string;
  /** How it is called, without `memory-keeper memory`, and what it does. */
  usage: [string, string][];
  /** Whether words may follow it. */
  takesWords: boolean;
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
