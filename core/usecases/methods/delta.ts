/** The delta and the facts that an agent of the session is asked for (F2, F9). */
import { existsSync } from 'node:fs';
import { DELTA_FILE } from '../../memory/log/delta-text.ts';
import { readMemoryIndex } from '../../memory/log/memory-index.ts';
import { agentFile, allowReading } from '../../memory/model/agent-files.ts';
import { askForDelta, askForFacts, markDeltaUpdated } from '../../memory/model/agent-requests.ts';
import { dropDelta, pendingDelta } from '../../memory/model/delta.ts';
import { doAllJobsWithoutModel } from '../../memory/model/jobs.ts';
import { readSettings } from '../../settings/settings.ts';
import type { MemoryContext } from '../memory/memory-context.ts';
import { DONE, inThread, project } from './method.ts';

export const deltaMethods = {
  /** What memory.md does not reflect yet; null if nothing. */
  'delta.show': inThread('memory', { project }, (context, { project: root }) => {
    const memory = context.memoryOf(root);
    return pendingDelta(memory, readMemoryIndex(memory)) ?? null;
  }),
  /** Writes it to a file for an agent. */
  'delta.extract': inThread('memory', { project }, (context, { project: root }) => {
    const memory = context.memoryOf(root);
    const delta = askForDelta(memory);
    if (delta === undefined) return null;
    const file = agentFile(memory, DELTA_FILE);
    allowForSession(context, file);
    return { ...delta, file };
  }),
  'delta.markUpdated': inThread('memory', { project }, (context, { project: root }) => ({
    isMarked: markDeltaUpdated(context.memoryOf(root)),
  })),
  'delta.cleanup': inThread('memory', { project }, (context, { project: root }) => {
    const memory = context.memoryOf(root);
    if (existsSync(memory.index)) dropDelta(memory);
    return DONE;
  }),
  /** Without a model. */
  'delta.summarise': inThread('work', { project }, (context, { project: root }) => {
    const { places } = context.system;
    const memory = context.memoryOf(root);
    doAllJobsWithoutModel({ places, memory, settings: readSettings(places, memory.root).settings });
    return DONE;
  }),
  /** Writes the question for the agent that finds facts; null if there is nothing new. */
  'delta.askFacts': inThread('memory', { project }, (context, { project: root }) => {
    const file = askForFacts(context.memoryOf(root));
    if (file === undefined) return null;
    allowForSession(context, file);
    return { file };
  }),
};

/** Where Claude runs the command, its session's agent is sent to the file next. */
function allowForSession({ system: { places, env } }: MemoryContext, file: string): void {
  allowReading(places, env.CLAUDE_CODE_SESSION_ID ?? '', file);
}
