/**
 * What all hook programs share: they read JSON and print JSON. Whatever happens they exit with 0,
 * so that they never block the user; errors go to the log.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { appendLog } from '../../core/platform/store/append-log.ts';
import { attempt } from '../../core/platform/store/attempt.ts';
import { placesFrom } from '../../core/platform/store/places.ts';
import { type HookInput, parseHookInput } from './hook-input.ts';

/** As a number: node's own stream for it costs a tenth of the time that node takes to start. */
const STDOUT = 1;

export type Answer = object | undefined | Promise<object | undefined>;

/**
 * A program that answers one kind of event; `hook.cjs` calls it with what Claude Code wrote to its
 * stdin.
 */
export function hookProgram(answer: (input: HookInput) => Answer): (stdin: string) => void {
  return (stdin) => run(() => answer(parseHookInput(stdin, process.env)));
}

export function run(answer: () => Answer): void {
  try {
    const result = answer();
    if (result instanceof Promise) void result.then(tell).catch(log).finally(end);
    else {
      tell(result);
      end();
    }
  } catch (error) {
    log(error);
    end();
  }
}

/** A pipe may take a long text in parts. */
function tell(result: object | undefined): void {
  let left = Buffer.from(result === undefined ? '' : JSON.stringify(result));
  while (left.length > 0) left = left.subarray(writeSync(STDOUT, left));
}

/**
 * To let node take itself apart would cost a fortieth of the time. All that was written is written.
 */
function end(): void {
  process.exit(0);
}

function log(error: unknown): void {
  const { stack, message, code } = error as NodeJS.ErrnoException;
  if (code === 'EPIPE') return; // whoever asked has ended, which is no error of ours
  const path = join(placesFrom().home, 'hooks.log');
  // With no disk to write to there is nobody left to tell.
  attempt(
    () => appendLog(path, `${process.argv.slice(2).join(' ')}: ${stack ?? message}`),
    undefined,
  );
}
