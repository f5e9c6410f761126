/**
 * SessionStart: gives the new session its briefing (M13), shows after a clear what was restored
 * (K9) and, without the mod, has Claude run an agent for jobs left over from the last session (M8).
 */
import { join } from 'node:path';
import { readL1Tail } from '../../memory/log/l1-store.ts';
import {
  type MemoryIndex,
  readMemoryIndex,
  readWorkMarks,
  type WorkMarks,
} from '../../memory/log/memory-index.ts';
import { isJobDue } from '../../memory/model/job-due.ts';
import {
  type BriefingSources,
  composeBriefing,
  lastWordsText,
  unsummarisedText,
} from '../../memory/restore/briefing.ts';
import { saveBriefing } from '../../memory/restore/briefing-file.ts';
import { MAX_PAGE_CHARS } from '../../memory/restore/briefing-pages.ts';
import { writtenHandOver } from '../../memory/restore/written-hand-over.ts';
import { readDigest } from '../../memory/state/digest.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { memoryMdPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { readSettingsAt } from '../../settings/settings.ts';
import { clearedLine } from './cleared-line.ts';
import { type HookInput, type HookOutput, isModRunning } from './hook-input.ts';
import { hookTextWithReason } from './hook-text.ts';
import { loadDueWork } from './loaded-later.ts';
import { readPrepared } from './prepared-briefing.ts';

const MAX_MEMORY_BYTES = 4 * 1024 * 1024;
/** Of a session's L1: weeks of work are more than a briefing can tell. */
export const WORK_BYTES = 1024 * 1024;
/** A request to call an agent is about so long. */
const REQUEST_CHARS = 600;

export async function briefSession(input: HookInput): Promise<HookOutput | undefined> {
  // What the mod put in place of the conversation has the briefing in it (K4).
  if (input.isCompactedByMod) return undefined;
  try {
    return await giveBriefing(input);
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    return { systemMessage: await problemText(input, error.reason) };
  }
}

async function giveBriefing(input: HookInput): Promise<HookOutput | undefined> {
  const { places, memory, sessionId } = input;
  const marks = readWorkMarks(memory);
  const { saveInterval, restore } = readSettingsAt(places, memory).settings;
  const pages = briefingFor(input, marks, restore.maxChars);
  const briefing = pages.join('\n');
  // A full disk must not cost the session its briefing.
  attempt(() => saveBriefing(places, sessionId, briefing), undefined);
  const [first = ''] = pages;
  const line = lineAfterClear(input, marks, briefing);
  const isDue = isJobDue(marks, saveInterval, { withPast: true });
  if (isModRunning(input) || !isDue || !hasRoom(first)) return output(first, line);
  const { requestAgent } = await loadDueWork();
  const { request, problem } = requestAgent(input, 'final');
  const note = problem === undefined ? undefined : await problemText(input, problem);
  return output(withRequest(first, request), line, note);
}

/** Only the first entry of SessionStart says it, so it stands there once. */
function lineAfterClear(input: HookInput, marks: WorkMarks, briefing: string): string | undefined {
  const { source, places, env, sessionId: session } = input;
  if (source !== 'clear') return undefined;
  const cleared = sessionBefore(input, marks);
  return clearedLine({ places, env, cleared, session, briefing });
}

/** The pages behind the first, each by a hook entry of its own (K2). */
export function briefingPage(input: HookInput, page: number): HookOutput | undefined {
  if (input.isCompactedByMod) return undefined;
  const { memory, places } = input;
  const { restore } = readSettingsAt(places, memory).settings;
  return output(briefingFor(input, readWorkMarks(memory), restore.maxChars)[page - 1] ?? '');
}

function briefingFor(input: HookInput, marks: WorkMarks, maxChars: number): string[] {
  const { memory, places, source } = input;
  const from = sessionBefore(input, marks);
  const isCleared = source === 'clear' && from !== undefined;
  const prepared = isCleared ? readPrepared(places, marks, from) : undefined;
  return prepared ?? continuedBriefing(memory, readMemoryIndex(memory), from, maxChars);
}

/** `from`: the session that is continued, if there is one. */
export function continuedBriefing(
  memory: ProjectMemory,
  index: MemoryIndex,
  from: string | undefined,
  maxChars: number,
): string[] {
  const file = from === undefined ? '' : (index.sessions[from]?.file ?? '');
  const work = file === '' ? undefined : readL1Tail(join(memory.sessions, file), WORK_BYTES);
  const written = from && writtenHandOver(memory, index, from);
  const unsummarised = work === undefined ? unsummarisedText(memory, index) : '';
  const pages = briefingPages(memory, { work, written, unsummarised }, maxChars);
  if (pages.length > 0) return pages;
  // Never empty when something was said (L1d): memory.md may be lost, or its summary still missing.
  return briefingPages(memory, { unsummarised: lastWordsText(memory, index) }, maxChars);
}

export function briefingPages(
  memory: ProjectMemory,
  sources: Pick<BriefingSources, 'work' | 'written' | 'unsummarised'>,
  maxChars: number,
): string[] {
  const file = readSmallFile(memoryMdPath(memory), MAX_MEMORY_BYTES);
  const all = {
    projectName: memory.name,
    ...sources,
    memory: file.state === 'ok' ? file.text : undefined,
    digest: readDigest(memory),
  };
  return composeBriefing(all, maxChars);
}

/** After a clear: the session before in the same process. After a compaction: the session itself. */
function sessionBefore(
  { source, claudePid, sessionId }: HookInput,
  { cleared }: WorkMarks,
): string | undefined {
  if (source === 'clear') return cleared?.[claudePid];
  return source === 'compact' ? sessionId : undefined;
}

/** Claude Code's limit is for both texts together; else the request waits for the next prompt. */
function hasRoom(briefing: string): boolean {
  return briefing.length + REQUEST_CHARS <= MAX_PAGE_CHARS;
}

/** Unless its path is very long. */
function withRequest(briefing: string, request: string): string {
  const both = [briefing, request].filter((text) => text !== '').join('\n\n');
  return both.length <= MAX_PAGE_CHARS ? both : briefing;
}

function output(
  additionalContext: string,
  ...notes: readonly (string | undefined)[]
): HookOutput | undefined {
  const forUser = notes.filter((note) => note !== undefined).join('\n');
  if (additionalContext === '' && forUser === '') return undefined;
  return {
    ...(forUser !== '' && { systemMessage: forUser }),
    ...(additionalContext !== '' && {
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext },
    }),
  };
}

function problemText(input: HookInput, reason: Message): Promise<string> {
  return hookTextWithReason(input, message('hooks.problem', { reason }));
}
