/** Stop, PostToolUse, PreCompact and SessionEnd: what was said is written to L1 before anything can lose it (M5). */
import { saveL1 } from '../../core/memory/l1-store.ts';
import { memoryIndexFile } from '../../core/memory/memory-index.ts';
import { type ProjectMemory, projectMemory } from '../../core/memory/project-memory.ts';
import { updateDocument } from '../../core/store/document.ts';
import { placesFrom, projectRoot } from '../../core/store/places.ts';
import type { HookInput } from './hook-input.ts';

export async function onWork(input: HookInput): Promise<undefined> {
  await saveL1(await memoryOf(input), input);
  return undefined;
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
