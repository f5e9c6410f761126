/** The program for PermissionRequest on Windows; elsewhere run.sh answers by itself. */
import { allowOwnSteps } from '../../core/usecases/hooks/permission.ts';
import { runProgram } from './hook-program.ts';

export const run = (stdin: string) => runProgram(() => allowOwnSteps(stdin, process.env));
