/** The program for SessionStart. */
import { briefSession } from '../../core/usecases/hooks/session-briefing.ts';
import { hookProgram } from './hook-program.ts';

export const run = hookProgram(briefSession);
