/**
 * The program for Stop, PostToolUse, PreCompact and SessionEnd. That for a prompt loads it for
 * `keeping-turn`.
 */
import { saveTurn } from '../../core/usecases/hooks/save-turn.ts';
import { hookProgram } from './hook-program.ts';

export * from '../../core/usecases/hooks/keeping-turn.ts';

export const run = hookProgram(saveTurn);
