/**
 * The program for Stop that the user waits for. run.sh starts it only where a setting asks for it.
 */
import { enforceMemory } from '../../core/usecases/hooks/enforcement.ts';
import { hookProgram } from './hook-program.ts';

export const run = hookProgram(enforceMemory);
