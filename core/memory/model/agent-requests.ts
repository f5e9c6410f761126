/**
 * Writes the questions for the session's own agents, started by a hook or by the user, to files
 * that the agents can read (M16, F2).
 */
import { join } from 'node:path';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { removeFile } from '../../platform/store/file-changes.ts';
import { estimateTokens } from '../../platform/text/estimate-tokens.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { readMemoryIndex } from '../log/memory-index.ts';
import { record } from '../state/derive.ts';
import { agentFile } from './agent-files.ts';
import { type Delta, extractDelta } from './delta.ts';
import { factsDue, factsJob } from './facts-job.ts';
import { claimJob, releaseJob, type Subject } from './job-attempts.ts';

const FACTS_FILE = 'facts_temp.txt';

/** Returns the path of the file. */
export function writeFactsQuestion(memory: ProjectMemory, prompt: string): string {
  const path = agentFile(memory, FACTS_FILE);
  writeFileAtomic(path, `${prompt}\n`);
  return path;
}

export function removeFactsQuestion(memory: ProjectMemory): void {
  removeFile(join(memory.folder, FACTS_FILE));
}

/** Has an agent summarise whatever is new, due or not; undefined if nothing is. */
export function askForDelta(memory: ProjectMemory): Delta | undefined {
  const delta = extractDelta(memory);
  if (delta === undefined) return undefined;
  const { ends, upTo, text } = delta;
  claimForAgent(memory, { kind: 'delta', ends, upTo }, text);
  return delta;
}

/** The file with a question about whatever was not searched for facts yet, due or not. */
export function askForFacts(memory: ProjectMemory): string | undefined {
  const range = factsDue(memory, readMemoryIndex(memory), 0, () => true);
  if (range === undefined) return undefined;
  const { system, prompt } = factsJob(memory, range);
  claimForAgent(memory, { kind: 'facts', ...range }, system + prompt);
  return writeFactsQuestion(memory, prompt);
}

function claimForAgent(memory: ProjectMemory, subject: Subject, question: string): void {
  const tokens = estimateTokens(question);
  claimJob(memory, subject, { asker: 'agent', tokens, isForced: true });
}

/** For a summary that somebody else wrote into memory.md; false if no delta was extracted. */
export function markDeltaUpdated(memory: ProjectMemory): boolean {
  const { delta } = readMemoryIndex(memory);
  if (delta === undefined) return false;
  const { ends, upTo } = delta;
  const at = new Date().toISOString();
  record(memory, { type: 'delta', at, way: 'agent', text: '', ends, upTo });
  releaseJob(memory, { kind: 'delta', ends, upTo }, { isFailure: false });
  return true;
}
