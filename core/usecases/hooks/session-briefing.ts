/**
 * SessionStart: gives the new session its briefing (M13) and, without the mod, has Claude run an
 * agent for jobs left over from the last session (M8).
 */
import { join } from 'node:path';
import { type HandOver, handOver } from '../../memory/log/hand-over.ts';
import { readL1Tail } from '../../memory/log/l1-store.ts';
import { type MemoryIndex, readMemoryIndex } from '../../memory/log/memory-index.ts';
import { isJobDue } from '../../memory/model/job-due.ts';
import {
  composeBriefing,
  lastWordsText,
  MAX_CONTEXT_CHARS,
  unsummarisedText,
} from '../../memory/restore/briefing.ts';
import { saveBriefing } from '../../memory/restore/briefing-file.ts';
import { readDigest } from '../../memory/state/digest.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { memoryMdPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { readSettings } from '../../settings/settings.ts';
import { type HookInput, type HookOutput, isModRunning } from './hook-input.ts';
import { hookTextWithReason } from './hook-text.ts';
import { loadDueWork } from './loaded-later.ts';

const MAX_MEMORY_BYTES = 4 * 1024 * 1024;

export async function briefSession(input: HookInput): Promise<HookOutput | undefined> {
  try {
    return await giveBriefing(input);
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    return problemNote(input, error.reason);
  }
}

async function giveBriefing(input: HookInput): Promise<HookOutput | undefined> {
  const { places, memory } = input;
  const index = readMemoryIndex(memory);
  const briefing = briefingFor(input, index);
  const { saveInterval } = readSettings(places, memory.root).settings;
  const isDue = isJobDue(index, saveInterval, { withPast: true });
  if (isModRunning(input) || !isDue) return output(input, briefing);
  const { requestAgent } = await loadDueWork();
  const { request, problem } = requestAgent(input, 'final');
  const restored = output(input, briefing, request);
  return problem === undefined ? restored : { ...restored, ...(await problemNote(input, problem)) };
}

function briefingFor(input: HookInput, index: MemoryIndex): string {
  const lastWork = handOverFor(input, index);
  const unsummarised = lastWork === undefined ? unsummarisedText(input.memory, index) : '';
  const briefing = briefingText(input.memory, lastWork, unsummarised);
  // Never empty when something was said (L1d): memory.md may be lost, or its summary still missing.
  return briefing === ''
    ? briefingText(input.memory, undefined, lastWordsText(input.memory, index))
    : briefing;
}

export function briefingText(
  memory: ProjectMemory,
  lastWork: HandOver | undefined,
  unsummarised = '',
): string {
  const file = readSmallFile(memoryMdPath(memory), MAX_MEMORY_BYTES);
  return composeBriefing({
    projectName: memory.name,
    handOver: lastWork,
    memory: file.state === 'ok' ? file.text : undefined,
    digest: readDigest(memory),
    unsummarised,
  });
}

/** After a clear: from the session before in the same process. After a compaction: from itself. */
function handOverFor(
  { memory, source, claudePid, sessionId }: HookInput,
  index: MemoryIndex,
): HandOver | undefined {
  if (source !== 'clear' && source !== 'compact') return undefined;
  const from = source === 'clear' ? index.cleared?.[claudePid] : sessionId;
  const file = from === undefined ? '' : (index.sessions[from]?.file ?? '');
  return file === '' ? undefined : handOver(readL1Tail(join(memory.sessions, file)));
}

/** Claude Code's limit is for both texts together; the request waits for the next prompt. */
function output(
  { places, sessionId }: HookInput,
  briefing: string,
  request = '',
): HookOutput | undefined {
  const both = [briefing, request].filter((text) => text !== '').join('\n\n');
  const additionalContext = both.length <= MAX_CONTEXT_CHARS ? both : briefing;
  // A full disk must not cost the session its briefing.
  attempt(() => saveBriefing(places, sessionId, additionalContext), undefined);
  if (additionalContext === '') return undefined;
  return { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext } };
}

async function problemNote(input: HookInput, reason: Message): Promise<HookOutput> {
  return { systemMessage: await hookTextWithReason(input, message('hooks.problem', { reason })) };
}
