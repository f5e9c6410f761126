/** The program for Stop, PostToolUse, PreCompact and SessionEnd. */
import { saveTurn } from '../../core/usecases/hooks/save-turn.ts';
import { hookProgram } from './hook-program.ts';

export const run = hookProgram(saveTurn);
