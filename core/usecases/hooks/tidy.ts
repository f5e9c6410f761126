/**
 * Tidies up in the background when a session starts: moves what 0.1.0 kept in the checkout over (M1),
 * closes sessions whose process was killed (M5, M8), and does what is due in the project's memory
 * without a model (M12).
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SessionFinder } from '../../claude/sessions/live-sessions.ts';
import {
  forgetKeepingNote,
  notedSessions,
  removeOldKeepingNotes,
} from '../../claude/status/keeping.ts';
import { searchTranscript } from '../../claude/transcript/locate.ts';
import { saveL1 } from '../../memory/log/l1-store.ts';
import {
  changeProgress,
  readMemoryIndex,
  updateMemoryIndex,
} from '../../memory/log/memory-index.ts';
import { removeOldAgentFiles } from '../../memory/model/agent-files.ts';
import type { ProjectContext } from '../../memory/model/jobs.ts';
import { copyToProject } from '../../memory/portable/project-copy.ts';
import { removeOldBriefings } from '../../memory/restore/briefing-file.ts';
import { removeOldPrepared } from '../../memory/restore/prepared-compaction.ts';
import { tidyUp } from '../../memory/tiers/tidy-up.ts';
import { systemProcessTable } from '../../platform/process/process-table.ts';
import { runProgram } from '../../platform/process/run-program.ts';
import { removeLeftBehind } from '../../platform/project/link-place.ts';
import {
  checkoutRoot,
  projectRoot,
  rememberCheckout,
} from '../../platform/project/project-place.ts';
import { firstDirectory } from '../../projects/project-transcripts.ts';
import { openProject } from './due-work.ts';
import type { HookInput } from './hook-input.ts';
import { loadEarlierMemory } from './loaded-later.ts';
import { noteRetention } from './note-retention.ts';
import { removeReadyStart } from './ready-answers.ts';
import { noteGivenByShell } from './ready-start.ts';

export async function tidyProject(input: HookInput): Promise<undefined> {
  noteGivenByShell(input);
  await moveEarlierMemory(input);
  const work = openProject(input);
  await closeKilledSessions(work, input.sessionId, input.env);
  forgetCleared(input);
  noteRetention(work, tidyUp(work));
  if (work.settings.storage === 'project') copyToProject(work.places, work.memory);
  removeOldBriefings(work.places);
  removeOldPrepared(work.places);
  removeOldAgentFiles(work.places);
  removeOldKeepingNotes(work.places);
  removeLeftBehind(work.places);
  rememberCheckout(work.places, input.projectDir, input.env);
}

/** Nearly always there is none, which costs one look. */
async function moveEarlierMemory(input: HookInput): Promise<void> {
  const index = join(checkoutRoot(input.projectDir, input.env), '.claude/memory/memory-index.json');
  if (existsSync(index)) (await loadEarlierMemory()).moveEarlierMemory(input);
}

/** A new Claude Code may have the number of one that has ended, whose work is not its own. */
function forgetCleared(input: HookInput): void {
  const { source, claudePid, memory } = input;
  const isNew = source === 'startup' || source === 'resume';
  if (isNew && claudePid !== '') removeReadyStart(input);
  if (!isNew || readMemoryIndex(memory).cleared?.[claudePid] === undefined) return;
  updateMemoryIndex(memory, (index) => {
    const { [claudePid]: _, ...cleared } = index.cleared ?? {};
    return { ...index, cleared };
  });
}

/** A killed session could not report its end: saves what was said in it and marks it as over. */
export async function closeKilledSessions(
  { places, memory }: ProjectContext,
  ownId: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const noted = unsavedTranscripts({ places, memory }, ownId, env);
  const open = new Map([
    ...Object.entries(readMemoryIndex(memory).sessions)
      .filter(([id, { isOver }]) => isOver !== true && id !== ownId)
      .map(([id, { transcript = '' }]) => [id, transcript] as const),
    ...noted,
  ]);
  if (open.size === 0) return;
  const finder = new SessionFinder({
    claudeFolder: places.claude,
    env,
    processes: systemProcessTable(),
    run: runProgram,
  });
  if (!(await finder.registry.read()).isUsable) return; // any of them may be alive
  const alive = new Set((await finder.find()).sessions.map((session) => session.sessionId));
  for (const [sessionId, transcript] of open) {
    if (alive.has(sessionId)) continue;
    const saved = saveL1(memory, { sessionId, transcript }, { isOver: true });
    // Nobody is left in that session to be told.
    if (noted.has(sessionId)) forgetKeepingNote({ sessionId, places, env });
    if (saved !== undefined) continue;
    // The transcript is gone.
    updateMemoryIndex(memory, (index) => changeProgress(index, sessionId, { isOver: true }));
  }
}

/**
 * The transcripts of this project's sessions that could not be saved at their end (T6), by session.
 * The index may not know them at all.
 */
function unsavedTranscripts(
  { places, memory }: Pick<ProjectContext, 'places' | 'memory'>,
  ownId: string,
  env: NodeJS.ProcessEnv,
): Map<string, string> {
  const transcripts = new Map<string, string>();
  for (const id of notedSessions({ places, env })) {
    const path = id === ownId ? undefined : searchTranscript(places.claude, id);
    const cwd = path === undefined ? undefined : firstDirectory(path);
    if (path !== undefined && cwd !== undefined && projectRoot(places, cwd, env) === memory.root)
      transcripts.set(id, path);
  }
  return transcripts;
}
