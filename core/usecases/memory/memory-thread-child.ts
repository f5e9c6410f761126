/**
 * The thread in which memory is read and changed, and the doctor looks, one call after the other,
 * so that the window and the tray never wait for the disk.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { runDoctor } from '../../doctor/doctor.ts';
import { tidyUpForgotten } from '../../memory/tiers/tidy-up.ts';
import { isExpected, messageOf } from '../../messages/expected-error.ts';
import { systemProcessTable } from '../../platform/process/process-table.ts';
import { runProgram } from '../../platform/process/run-program.ts';
import { knownProjects } from '../../projects/known-projects.ts';
import { assertOwnMemory } from '../../projects/project-memory.ts';
import { readSettings } from '../../settings/settings.ts';
import { logBug } from '../contract/answer.ts';
import type { Parsed } from '../contract/contract.ts';
import { ActivityDesk, type ProjectsOfSessions } from './activity-desk.ts';
import { memoryHandlers } from './memory-handlers.ts';
import { type ThreadCall, type ThreadStart, type ThreadWord, TIDY } from './memory-thread-words.ts';

const { places, env, carried } = workerData as ThreadStart;
let isKnown = false;
let projects: ProjectsOfSessions = {};
const activity = new ActivityDesk(places, env);

function tell(word: ThreadWord): void {
  parentPort?.postMessage(word);
}

function look() {
  const options = {
    places,
    env,
    carried,
    run: runProgram,
    processes: systemProcessTable(),
    isWatching: true,
  };
  return runDoctor(options, { tell: (done, total) => tell({ doctor: { done, total } }) });
}

/** An error in one project does not stop the others. The user sees it when opening that project. */
function tidyAll(): void {
  for (const memory of knownProjects(places, env)) {
    try {
      assertOwnMemory(memory);
      tidyUpForgotten({ places, memory, settings: readSettings(places, memory.root).settings });
    } catch (error) {
      if (!isExpected(error)) logBug(places, 'tidying up', error);
    }
  }
}

const handlers: Record<string, ((args: never) => unknown) | undefined> = {
  ...memoryHandlers({
    places,
    env,
    tell: (progress) => tell({ progress }),
    isKnown: () => isKnown,
  }),
  'doctor.run': look,
  [TIDY]: tidyAll,
  'activity.list': (query: Parsed<'activity.list'>) => activity.list(query, projects),
};

async function answer(call: ThreadCall): Promise<void> {
  try {
    // Calls are answered one after the other, and a handler asks at once.
    isKnown = call.isKnown;
    projects = call.projects ?? {};
    const handler = Object.hasOwn(handlers, call.method) ? handlers[call.method] : undefined;
    if (handler === undefined) throw new Error(`nobody answers ${call.method}`);
    tell({ id: call.id, answer: { ok: true, value: await handler(call.args as never) } });
  } catch (error) {
    const message = messageOf(error);
    tell({ id: call.id, answer: { ok: false, message, isBug: !isExpected(error) } });
  }
}

let work: Promise<void> = Promise.resolve();
parentPort?.on('message', (call: ThreadCall) => {
  work = work.then(() => answer(call));
});
