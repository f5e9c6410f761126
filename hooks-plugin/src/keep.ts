/** The program for Stop, PostToolUse, PreCompact and SessionEnd. */
import { keepTurn } from '../../core/usecases/hooks/keep-turn.ts';
import { hookProgram } from './hook-program.ts';

export const run = hookProgram(keepTurn);
