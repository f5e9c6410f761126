/** The program for UserPromptSubmit. */
import { addPromptContext } from '../../core/usecases/hooks/prompt-context.ts';
import { hookProgram } from './hook-program.ts';

export const run = hookProgram(addPromptContext);
