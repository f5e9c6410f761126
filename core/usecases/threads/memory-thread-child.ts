/**
 * A thread in which memory is read and changed, and the doctor looks, one call after the other, so
 * that the window and the tray never wait for the disk.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { tidyUpForgotten } from '../../memory/tiers/tidy-up.ts';
import { isExpected, messageOf } from '../../messages/expected-error.ts';
import { systemProcessTable } from '../../platform/process/process-table.ts';
import { runProgram } from '../../platform/process/run-program.ts';
import { knownProjects } from '../../projects/known-projects.ts';
import { assertOwnMemory } from '../../projects/project-memory.ts';
import { readSettings } from '../../settings/settings.ts';
import { MemoryContext } from '../memory/memory-context.ts';
import { logBug } from '../methods/log-bug.ts';
import { THREAD_METHODS } from '../methods/thread-methods.ts';
import { type ThreadCall, type ThreadMessage, type ThreadStart, TIDY } from './thread-messages.ts';

const start = workerData as ThreadStart;
const { places, env } = start;
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
  isLive: () => isLive,
});

function send(message: ThreadMessage): void {
  parentPort?.postMessage(message);
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

type Handler = (context: MemoryContext, args: unknown) => unknown;

function handlerOf(method: string): Handler {
  if (method === TIDY) return tidyAll;
  const found = Object.entries(THREAD_METHODS).find(([name]) => name === method)?.[1];
  if (found?.runs !== 'thread') throw new Error(`No thread answers ${method}`);
  return found.handler as Handler;
}

async function answer(call: ThreadCall): Promise<void> {
  try {
    // Calls are answered one after the other, and a handler asks at once.
    isLive = call.isLive;
    context.projectsOfSessions = call.projects ?? {};
    const value = await handlerOf(call.method)(context, call.args);
    send({ id: call.id, answer: { ok: true, value } });
  } catch (error) {
    const message = messageOf(error);
    send({ id: call.id, answer: { ok: false, message, isBug: !isExpected(error) } });
  }
}

let work: Promise<void> = Promise.resolve();
parentPort?.on('message', (call: ThreadCall) => {
  work = work.then(() => answer(call));
});
