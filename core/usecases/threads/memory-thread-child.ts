/**
 * A thread that reads and changes memory and runs the doctor, one call after the other, so that the
 * window and the tray never wait for the disk. All that goes between it and the application is
 * plain data.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { BackfillProgress } from '../../memory/backfill/run-backfill.ts';
import { moveAllEarlier } from '../../memory/portable/move-earlier.ts';
import { copyToProject } from '../../memory/portable/project-copy.ts';
import { tidyUpForgotten } from '../../memory/tiers/tidy-up.ts';
import { isExpected, messageOf } from '../../messages/expected-error.ts';
import { systemProcessTable } from '../../platform/process/process-table.ts';
import { runProgram } from '../../platform/process/run-program.ts';
import { removeLeftBehind } from '../../platform/project/link-place.ts';
import type { Places } from '../../platform/store/places.ts';
import { knownProjects } from '../../projects/known-projects.ts';
import { openProject } from '../hooks/due-work.ts';
import { noteMove } from '../hooks/note-move.ts';
import { noteRetention } from '../hooks/note-retention.ts';
import type { ProjectsOfSessions } from '../memory/activity-list.ts';
import type { WorkProgress } from '../memory/long-work.ts';
import { type DoctorProgress, MemoryContext } from '../memory/memory-context.ts';
import type { ThreadMethod } from '../methods/all-methods.ts';
import type { CallResult } from '../methods/handle-call.ts';
import { logBug } from '../methods/log-bug.ts';
import { THREAD_METHODS } from '../methods/thread-methods.ts';

export interface ThreadStart {
  places: Places;
  env: NodeJS.ProcessEnv;
  /** The plugin that comes along with this program, for the doctor. */
  bundledPlugin: string | null;
}

export interface ThreadCall {
  id: number;
  /** The last two are no methods: no window can call them. */
  method: ThreadMethod | 'tidy' | 'moveEarlier';
  args: unknown;
  /** A session runs in the project asked about. */
  isLive: boolean;
  /** The calls before it may take long. */
  askedAt: number;
  /** For the activity list. */
  projects: ProjectsOfSessions | undefined;
}

export type ThreadMessage =
  | { id: number; answer: CallResult }
  | { progress: WorkProgress }
  | { doctor: DoctorProgress }
  | { backfill: BackfillProgress };

const start = workerData as ThreadStart;
const { places } = start;
let isLive = false;
const system = {
  ...start,
  run: runProgram,
  processes: systemProcessTable(),
  isWatching: true,
};
const context = new MemoryContext(system, {
  onProgress: (progress) => send({ progress }),
  onDoctor: (doctor) => send({ doctor }),
  onBackfill: (backfill) => send({ backfill }),
  isLive: () => isLive,
});

function send(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}

/** An error in one project does not stop the others. The user sees it when opening that project. */
function tidyAll(): void {
  for (const memory of knownProjects(places)) {
    try {
      const work = openProject({ places, memory });
      noteRetention(work, tidyUpForgotten(work));
      if (work.settings.storage === 'project') copyToProject(places, memory);
    } catch (error) {
      if (!isExpected(error)) logBug(places, 'tidying up', error);
    }
  }
  removeLeftBehind(places);
}

function moveAll(): void {
  for (const move of moveAllEarlier(places, start.env).moves) noteMove(places, move);
}

function run({ method, args }: ThreadCall): unknown {
  if (method === 'tidy') return tidyAll();
  if (method === 'moveEarlier') return moveAll();
  return THREAD_METHODS[method].handler(context, args as never);
}

async function answer(call: ThreadCall): Promise<void> {
  try {
    // Calls are answered one after the other, and handlers read these before they wait.
    isLive = call.isLive;
    context.projectsOfSessions = call.projects ?? {};
    context.askedAt = call.askedAt;
    send({ id: call.id, answer: { ok: true, value: await run(call) } });
  } catch (error) {
    const message = messageOf(error);
    send({ id: call.id, answer: { ok: false, message, isBug: !isExpected(error) } });
  }
}

let work: Promise<void> = Promise.resolve();
parentPort?.on('message', (call: ThreadCall) => {
  work = work.then(() => answer(call));
});
