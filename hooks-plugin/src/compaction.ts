/** The program that the mod starts when Claude Code is about to compact a session (K4). */
import { answerCompaction } from '../../core/usecases/hooks/compaction.ts';
import { runProgram } from './hook-program.ts';

export const run = (stdin: string): Promise<void> =>
  runProgram(() => answerCompaction(stdin, process.env));
