/**
 * SessionStart: gives the new session its briefing (M13) and, without the mod, has Claude run an
 * agent for jobs left over from the last session (M8).
 */
import { join } from 'node:path';
import { handOver } from '../../memory/log/hand-over.ts';
import { readL1Tail } from '../../memory/log/l1-store.ts';
import { type MemoryIndex, readMemoryIndex } from '../../memory/log/memory-index.ts';
import { isJobDue } from '../../memory/model/job-due.ts';
import {
  type BriefingSources,
  composeBriefing,
  MAX_CONTEXT_CHARS,
  unsummarisedText,
} from '../../memory/restore/briefing.ts';
import { saveBriefing } from '../../memory/restore/briefing-file.ts';
import { writtenHandOver } from '../../memory/restore/written-hand-over.ts';
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
  if (isModRunning(input) || !isJobDue(index, saveInterval)) return output(input, briefing);
  const { requestAgent } = await loadDueWork();
  const { request, problem } = requestAgent(input, 'final');
  const restored = output(input, briefing, request);
  return problem === undefined ? restored : { ...restored, ...(await problemNote(input, problem)) };
}

function briefingFor(input: HookInput, index: MemoryIndex): string {
  const from = sessionBefore(input, index);
  const file = from === undefined ? '' : (index.sessions[from]?.file ?? '');
  const lastWork =
    file === '' ? undefined : handOver(readL1Tail(join(input.memory.sessions, file)));
  const written = from && writtenHandOver(input.memory, index, from);
  const unsummarised = lastWork === undefined ? unsummarisedText(input.memory, index) : '';
  return briefingText(input.memory, { handOver: lastWork, written, unsummarised });
}

export function briefingText(
  memory: ProjectMemory,
  work: Pick<BriefingSources, 'handOver' | 'written' | 'unsummarised'>,
): string {
  const file = readSmallFile(memoryMdPath(memory), MAX_MEMORY_BYTES);
  return composeBriefing({
    projectName: memory.name,
    ...work,
    memory: file.state === 'ok' ? file.text : undefined,
    digest: readDigest(memory),
  });
}

/** After a clear: the session before in the same process. After a compaction: the session itself. */
function sessionBefore(
  { source, claudePid, sessionId }: HookInput,
  index: MemoryIndex,
): string | undefined {
  if (source === 'clear') return index.cleared?.[claudePid];
  return source === 'compact' ? sessionId : undefined;
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
