/** Saves what was said to L1 (M5), up to the reply that Claude has just given. */
import { isAnswerKept, type L1Result, saveL1 } from '../../core/memory/log/l1-store.ts';
import { pause } from '../../core/platform/store/pause.ts';
import type { ProjectMemory } from '../../core/projects/project-memory.ts';
import type { HookInput } from './hook-input.ts';

/**
 * Claude Code writes its transcript a little after it tells us, and may not even have begun it with
 * the first answer; what was just said must not wait for the next event.
 */
const TRANSCRIPT_LAG_MS = 3000;
const LOOK_EVERY_MS = 60;

export function keepAnswer(memory: ProjectMemory, input: HookInput): L1Result | undefined {
  const giveUpAt = Date.now() + TRANSCRIPT_LAG_MS;
  for (;;) {
    const saved = saveL1(memory, input);
    const isComplete =
      input.lastAnswer === '' || (saved !== undefined && isAnswerKept(saved, input.lastAnswer));
    if (isComplete || Date.now() > giveUpAt) return saved;
    pause(LOOK_EVERY_MS);
  }
}
