/**
 * Runs a hook program: prints what core returns and exits with 0 whatever happens, so that a failing
 * hook never disturbs the user; errors go to the log. The build adds the code that reads stdin and
 * calls `run` (scripts/build.ts).
 */
import { writeSync } from 'node:fs';
import { refuseOldClaude } from '../../core/usecases/hooks/claude-process.ts';
import { type HookInput, parseHookInput } from '../../core/usecases/hooks/hook-input.ts';
import { logHookError } from '../../core/usecases/hooks/hook-log.ts';

/** As a number: node's own stream for it costs a tenth of the time that node takes to start. */
const STDOUT = 1;

type ProgramOutput = object | string | undefined;

/** A program for an event of the conversation. */
export function hookProgram(
  answer: (input: HookInput) => ProgramOutput | Promise<ProgramOutput>,
): (stdin: string) => Promise<void> {
  return (stdin) =>
    runProgram(() => {
      const input = parseHookInput(stdin, process.env);
      return refuseOldClaude(input) ?? answer(input);
    });
}

export async function runProgram(
  answer: () => ProgramOutput | Promise<ProgramOutput>,
): Promise<void> {
  try {
    print(await answer());
  } catch (error) {
    logHookError(error, process.argv.slice(2).join(' '), process.env);
  }
  // Letting node shut itself down would cost a fortieth of the time; nothing is left to be written.
  process.exit(0);
}

function print(answer: ProgramOutput = ''): void {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  // A pipe may take a long text in parts.
  let rest = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(writeSync(STDOUT, rest));
}
