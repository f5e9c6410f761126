/** Stop, PostToolUse, PreCompact and SessionEnd: what was said is written to L1 before anything can lose it (M5). */
import { setTimeout as sleep } from 'node:timers/promises';
import { isAnswerKept, saveL1 } from '../../core/memory/l1-store.ts';
import { memoryIndexFile } from '../../core/memory/memory-index.ts';
import { type ProjectMemory, projectMemory } from '../../core/memory/project-memory.ts';
import { updateDocument } from '../../core/store/document.ts';
import { placesFrom, projectRoot } from '../../core/store/places.ts';
import type { HookInput } from './hook-input.ts';

/** Claude Code writes its transcript a little after it tells us; the answer that was just given must not wait for the next event. */
const TRANSCRIPT_LAG_MS = 3000;
const LOOK_EVERY_MS = 60;

export async function onWork(input: HookInput): Promise<undefined> {
  const memory = await memoryOf(input);
  const giveUpAt = Date.now() + TRANSCRIPT_LAG_MS;
  for (;;) {
    const saved = await saveL1(memory, input);
    const isComplete = saved === undefined || input.lastAnswer === '' || (await isAnswerKept(saved, input.lastAnswer));
    if (isComplete || Date.now() > giveUpAt) return undefined;
    await sleep(LOOK_EVERY_MS);
  }
}

export async function onSessionEnd(input: HookInput): Promise<undefined> {
  const memory = await memoryOf(input);
  const saved = await saveL1(memory, input, { isOver: true });
  if (input.reason === 'clear' && input.claudePid !== '' && saved !== undefined) await rememberCleared(memory, input);
  return undefined;
}

/** So that the session which follows in the same process knows whose work it takes over, however many others run meanwhile. */
async function rememberCleared(memory: ProjectMemory, { claudePid, sessionId }: HookInput): Promise<void> {
  await updateDocument(memory.index, memoryIndexFile, (index) => ({
    ...index,
    cleared: { ...index.cleared, [claudePid]: sessionId },
  }));
}

export async function memoryOf({ projectDir, env }: HookInput): Promise<ProjectMemory> {
  return projectMemory(placesFrom(env), await projectRoot(projectDir, env));
}
