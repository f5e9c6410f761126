/**
 * SessionStart: gives the new session its briefing (M13), and asks it for what the last one left
 * undone (M8).
 */
import { basename, join } from 'node:path';
import { type HandOver, handOver } from '../../core/memory/log/hand-over.ts';
import { readL1Tail } from '../../core/memory/log/l1-store.ts';
import { type MemoryIndex, readMemoryIndex } from '../../core/memory/log/memory-index.ts';
import { isWorkDue } from '../../core/memory/model/delta-due.ts';
import { keepGiven } from '../../core/memory/restore/given.ts';
import {
  MAX_CONTEXT_CHARS,
  restoreText,
  unsummarisedText,
} from '../../core/memory/restore/restore.ts';
import { readDigest } from '../../core/memory/state/digest.ts';
import { ExpectedError } from '../../core/messages/expected-error.ts';
import { languageFrom } from '../../core/messages/language.ts';
import { type Message, message } from '../../core/messages/message.ts';
import { attempt } from '../../core/platform/store/attempt.ts';
import { readSmallFile } from '../../core/platform/store/read-file.ts';
import { memoryMdPath } from '../../core/projects/memory-paths.ts';
import type { ProjectMemory } from '../../core/projects/project-memory.ts';
import { readSettings } from '../../core/settings/settings.ts';
import type { HookInput } from './hook-input.ts';
import { type Answer, hookProgram } from './hook-program.ts';
import { isModAtWork, ownMemoryOf } from './project.ts';

const MAX_MEMORY_BYTES = 4 * 1024 * 1024;

function onSessionStart(input: HookInput): Answer {
  try {
    return whatWasKnown(input);
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    return problemNote(input, error.said);
  }
}

function whatWasKnown(input: HookInput): Answer {
  const memory = ownMemoryOf(input);
  const index = readMemoryIndex(memory);
  const file = readSmallFile(memoryMdPath(memory), MAX_MEMORY_BYTES);
  const given = handOverFor(memory, index, input);
  const notes = restoreText({
    projectName: basename(memory.root),
    handOver: given,
    memory: file.state === 'ok' ? file.text : undefined,
    digest: readDigest(memory),
    unsummarised: given === undefined ? unsummarisedText(memory, index) : '',
  });
  const { saveInterval } = readSettings(input.places, memory.root).settings;
  const isForAgents = !isModAtWork(input) && isWorkDue(index, saveInterval);
  if (!isForAgents) return answer(input, notes);
  return import('./work.ts').then(async ({ askForWork }) => {
    const problems: Message[] = [];
    const request = askForWork(input, 'FINAL', (reason) => problems.push(reason));
    const [problem] = problems;
    const given = answer(input, notes, request);
    return problem === undefined ? given : { ...given, ...(await problemNote(input, problem)) };
  });
}

async function problemNote({ env }: HookInput, reason: Message): Promise<object> {
  const { problemText } = await import('./problem-text.ts');
  return { systemMessage: problemText(languageFrom(env), message('hooks.problem', { reason })) };
}

/** Two texts are one context to Claude Code, and its limit is for both. */
function answer({ places, sessionId }: HookInput, notes: string, request = ''): object | undefined {
  const texts = [notes, request].filter((text) => text !== '').join('\n\n');
  const additionalContext = texts.length <= MAX_CONTEXT_CHARS ? texts : notes;
  // with a full disk it is given all the same
  attempt(() => keepGiven(places, sessionId, additionalContext), undefined);
  if (additionalContext === '') return undefined;
  return { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext } };
}

/**
 * After a clear from the session before it in the same process, after a compaction from the session
 * itself.
 */
function handOverFor(
  memory: ProjectMemory,
  index: MemoryIndex,
  { source, claudePid, sessionId }: HookInput,
): HandOver | undefined {
  if (source !== 'clear' && source !== 'compact') return undefined;
  const from = source === 'clear' ? index.cleared?.[claudePid] : sessionId;
  const file = from === undefined ? '' : (index.sessions[from]?.file ?? '');
  return file === '' ? undefined : handOver(readL1Tail(join(memory.sessions, file)));
}

export const run = hookProgram(onSessionStart);
