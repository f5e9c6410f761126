/**
 * The program for longer work: for the mod, for the answers of agents, and for tidying up. Other
 * programs load it for `due-work` and `prepared-answers`.
 */
import { saveAgentAnswer } from '../../core/usecases/hooks/due-work.ts';
import { workForMod } from '../../core/usecases/hooks/mod-work.ts';
import { tidyProject } from '../../core/usecases/hooks/tidy.ts';
import { hookProgram, runProgram } from './hook-program.ts';

export * from '../../core/usecases/hooks/due-work.ts';
export * from '../../core/usecases/hooks/prepared-answers.ts';

export function run(stdin: string, task: string | undefined): Promise<void> {
  if (task === 'mod') return runProgram(() => workForMod(stdin, process.env));
  return hookProgram(task === 'tidy' ? tidyProject : saveAgentAnswer)(stdin);
}
