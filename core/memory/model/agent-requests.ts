/**
 * Writes the questions for the session's own agents, started by a hook or by the user, to files
 * that the agents can read (M16, F2).
 */
import { join } from 'node:path';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { removeFile } from '../../platform/store/prune.ts';
import { estimateTokens } from '../../platform/text/estimate-tokens.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { readMemoryIndex } from '../log/memory-index.ts';
import { record } from '../state/derive.ts';
import { type Delta, extractDelta } from './delta.ts';
import { factsDue, factsJob } from './facts-job.ts';
import { releaseJob, takeForAgent } from './job-attempts.ts';

const FACTS_FILE = 'facts_temp.txt';

/** The file with a question about facts. */
export function writeFactsQuestion(memory: ProjectMemory, prompt: string): string {
  const path = join(memory.folder, FACTS_FILE);
  writeFileAtomic(path, `${prompt}\n`);
  return path;
}

export function removeFactsQuestion(memory: ProjectMemory): void {
  removeFile(join(memory.folder, FACTS_FILE));
}

/** Whatever is new, due or not, is taken for an agent to sum up; undefined if nothing is. */
export function askForDelta(memory: ProjectMemory): Delta | undefined {
  const delta = extractDelta(memory);
  if (delta !== undefined)
    takeForAgent(
      memory,
      { kind: 'delta', ends: delta.ends, upTo: delta.upTo },
      estimateTokens(delta.text),
    );
  return delta;
}

/**
 * Whatever no facts were looked for in yet is taken for an agent; the file with the question, or
 * undefined if there is nothing.
 */
export function askForFacts(memory: ProjectMemory): string | undefined {
  const stretch = factsDue(memory, readMemoryIndex(memory), 0, () => true);
  if (stretch === undefined) return undefined;
  const { system, prompt } = factsJob(memory, stretch);
  takeForAgent(memory, { kind: 'facts', ...stretch }, estimateTokens(system + prompt));
  return writeFactsQuestion(memory, prompt);
}

/**
 * Somebody else has written what the extracted delta says into memory.md; false if none was
 * extracted.
 */
export function markDeltaUpdated(memory: ProjectMemory): boolean {
  const { delta } = readMemoryIndex(memory);
  if (delta === undefined) return false;
  const { ends, upTo } = delta;
  record(memory, {
    type: 'delta',
    at: new Date().toISOString(),
    way: 'agent',
    text: '',
    ends,
    upTo,
  });
  releaseJob(memory, { kind: 'delta', ...delta }, { isFailure: false });
  return true;
}
