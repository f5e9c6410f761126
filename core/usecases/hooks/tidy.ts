/**
 * Tidies up in the background when a session starts: moves what 0.1.0 kept in the checkout over (M1),
 * closes sessions whose process was killed (M5, M8), and does what is due in the project's memory
 * without a model (M12).
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SessionFinder } from '../../claude/sessions/live-sessions.ts';
import { saveL1 } from '../../memory/log/l1-store.ts';
import {
  changeProgress,
  readMemoryIndex,
  updateMemoryIndex,
} from '../../memory/log/memory-index.ts';
import type { ProjectContext } from '../../memory/model/jobs.ts';
import { copyToProject } from '../../memory/portable/project-copy.ts';
import { removeOldBriefings } from '../../memory/restore/briefing-file.ts';
import { tidyUp } from '../../memory/tiers/tidy-up.ts';
import { systemProcessTable } from '../../platform/process/process-table.ts';
import { runProgram } from '../../platform/process/run-program.ts';
import { checkoutRoot, rememberCheckout } from '../../platform/project/project-place.ts';
import { openProject } from './due-work.ts';
import type { HookInput } from './hook-input.ts';
import { loadEarlierMemory } from './loaded-later.ts';

export async function tidyProject(input: HookInput): Promise<undefined> {
  await moveEarlierMemory(input);
  const work = openProject(input);
  await closeKilledSessions(work, input.sessionId, input.env);
  tidyUp(work);
  if (work.settings.storage === 'project') copyToProject(work.places, work.memory);
  removeOldBriefings(work.places);
  rememberCheckout(work.places, input.projectDir, input.env);
}

/** Nearly always there is none, which costs one look. */
async function moveEarlierMemory(input: HookInput): Promise<void> {
  const index = join(checkoutRoot(input.projectDir, input.env), '.claude/memory/memory-index.json');
  if (existsSync(index)) (await loadEarlierMemory()).moveEarlierMemory(input);
}

/** A killed session could not report its end: saves what was said in it and marks it as over. */
export async function closeKilledSessions(
  { places, memory }: ProjectContext,
  ownId: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const open = Object.entries(readMemoryIndex(memory).sessions).filter(
    ([id, { isOver }]) => isOver !== true && id !== ownId,
  );
  if (open.length === 0) return;
  const finder = new SessionFinder({
    claudeFolder: places.claude,
    env,
    processes: systemProcessTable(),
    run: runProgram,
  });
  if (!(await finder.registry.read()).isUsable) return; // any of them may be alive
  const alive = new Set((await finder.find()).sessions.map((session) => session.sessionId));
  for (const [sessionId, { transcript = '' }] of open) {
    if (alive.has(sessionId)) continue;
    if (saveL1(memory, { sessionId, transcript }, { isOver: true }) !== undefined) continue;
    // The transcript is gone.
    updateMemoryIndex(memory, (index) => changeProgress(index, sessionId, { isOver: true }));
  }
}
