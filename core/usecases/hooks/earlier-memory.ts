/** Moves what 0.1.0 kept in the session's checkout over (M1). Loaded only where there is something. */
import { moveEarlierOf } from '../../memory/portable/move-earlier.ts';
import { isExpected } from '../../messages/expected-error.ts';
import type { HookInput } from './hook-input.ts';
import { noteMove } from './note-move.ts';

export function moveEarlierMemory({ places, projectDir, env }: HookInput): void {
  try {
    const move = moveEarlierOf(places, projectDir, env);
    if (move !== undefined) noteMove(places, move);
  } catch (error) {
    if (!isExpected(error)) throw error; // the doctor reports it, and the old files are still there
  }
}
