/** The program for Claude Code's status line: no hook, but as quick and as quiet as one. */
import { statusLine } from '../../core/usecases/hooks/status-line.ts';
import { runProgram } from './hook-program.ts';

export const run = (stdin: string) => runProgram(() => `${statusLine(stdin, process.env)}\n`);
