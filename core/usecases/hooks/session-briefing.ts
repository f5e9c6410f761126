/**
 * SessionStart: gives the new session its briefing (M13), shows after a clear what was restored
 * (K9) and, without the mod, has Claude run an agent for jobs left over from the last session (M8).
 */
import { readWorkMarks, type WorkMarks } from '../../memory/log/memory-index.ts';
import { isJobDue } from '../../memory/model/job-due.ts';
import { saveBriefing } from '../../memory/restore/briefing-file.ts';
import { MAX_PAGE_CHARS } from '../../memory/restore/briefing-pages.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { readSettingsAt } from '../../settings/settings.ts';
import { clearedLine } from './cleared-line.ts';
import { type HookInput, type HookOutput, isModRunning } from './hook-input.ts';
import { hookTextWithReason } from './hook-text.ts';
import { loadContinuedBriefing, loadDueWork } from './loaded-later.ts';
import { readPrepared } from './prepared-briefing.ts';
import { hasRoom, startOutput } from './start-output.ts';

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
  const pages = await briefingFor(input, marks, restore.maxChars);
  const briefing = pages.join('\n');
  // A full disk must not cost the session its briefing.
  attempt(() => saveBriefing(places, sessionId, briefing), undefined);
  const [first = ''] = pages;
  const line = lineAfterClear(input, marks, briefing);
  const isDue = isJobDue(marks, saveInterval, { withPast: true });
  if (isModRunning(input) || !isDue || !hasRoom(first)) return startOutput(first, line);
  const { requestAgent } = await loadDueWork();
  const { request, problem } = requestAgent(input, 'final');
  const note = problem === undefined ? undefined : await problemText(input, problem);
  return startOutput(withRequest(first, request), line, note);
}

/** Only the first entry of SessionStart says it, so it stands there once. */
function lineAfterClear(input: HookInput, marks: WorkMarks, briefing: string): string | undefined {
  const { source, places, env, sessionId: session } = input;
  if (source !== 'clear') return undefined;
  const cleared = sessionBefore(input, marks);
  return clearedLine({ places, env, cleared, session, briefing });
}

/** The pages behind the first, each by a hook entry of its own (K2). */
export async function briefingPage(
  input: HookInput,
  page: number,
): Promise<HookOutput | undefined> {
  if (input.isCompactedByMod) return undefined;
  const { memory, places } = input;
  const { restore } = readSettingsAt(places, memory).settings;
  const pages = await briefingFor(input, readWorkMarks(memory), restore.maxChars);
  return startOutput(pages[page - 1] ?? '');
}

async function briefingFor(
  input: HookInput,
  marks: WorkMarks,
  maxChars: number,
): Promise<string[]> {
  const { memory, places, source } = input;
  const from = sessionBefore(input, marks);
  const isCleared = source === 'clear' && from !== undefined;
  const prepared = isCleared ? readPrepared(places, marks, from) : undefined;
  if (prepared !== undefined) return prepared.contexts;
  const { composeContinued } = await loadContinuedBriefing();
  const { pages, problem } = composeContinued(memory, from, maxChars);
  if (problem !== undefined) throw new ExpectedError(problem);
  return pages;
}

/** After a clear: the session before in the same process. After a compaction: the session itself. */
function sessionBefore(
  { source, claudePid, sessionId }: HookInput,
  { cleared }: WorkMarks,
): string | undefined {
  if (source === 'clear') return cleared?.[claudePid];
  return source === 'compact' ? sessionId : undefined;
}

/** Unless its path is very long. */
function withRequest(briefing: string, request: string): string {
  const both = [briefing, request].filter((text) => text !== '').join('\n\n');
  return both.length <= MAX_PAGE_CHARS ? both : briefing;
}

function problemText(input: HookInput, reason: Message): Promise<string> {
  return hookTextWithReason(input, message('hooks.problem', { reason }));
}
