/**
 * What the mod gives the next prompt, and the session after a `/clear`, without a node that the user
 * waits for (K2, M14): made after each turn, when nobody waits. Each answer names the files that it
 * was made from. The mod uses it only while all of them are as they were, so that what the user
 * edits is in the very next prompt; in any doubt the command hook answers as it does without a mod.
 */
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { learntWindowsPath } from '../../claude/context/learnt-windows.ts';
import { reportPath } from '../../claude/context/reported.ts';
import { keepingNotePath, temporaryNotePath } from '../../claude/status/keeping-note-path.ts';
import { recordPath } from '../../clear/clear-record-place.ts';
import { guardPath } from '../../clear/delivery/guard.ts';
import { readMemoryIndex, readWorkMarks } from '../../memory/log/memory-index.ts';
import { notDueUntil } from '../../memory/model/job-due.ts';
import { rulesFiles } from '../../memory/restore/rules.ts';
import { handOversPath } from '../../memory/restore/written-hand-over.ts';
import { digestPath } from '../../memory/state/digest.ts';
import { keyFilesOf } from '../../platform/project/project-place.ts';
import { FINE_MS, type FileState, fileStates } from '../../platform/store/file-states.ts';
import { conceptsPath, factsPath, memoryMdPath } from '../../projects/memory-paths.ts';
import { modMarkPath } from '../../projects/mod-presence.ts';
import { readSettingsAt, settingsAt, userSettingsPath } from '../../settings/settings.ts';
import { clearedLine } from './cleared-line.ts';
import { continuedBriefing } from './continued-briefing.ts';
import { type HookInput, isModRunning, parseHookInput } from './hook-input.ts';
import {
  HOOK_HAD_ITS_CHANCE_MS,
  hasUnsavedWords,
  LAST_ROWS_MS,
  mayNotBeKept,
} from './keeping-look.ts';
import { keepPrepared, type PreparedBriefing } from './prepared-briefing.ts';
import { promptContext } from './prompt-context.ts';
import { canBeReady, keepReady, statesOf } from './ready-answers.ts';

interface PreparedAnswer {
  files: FileState[];
  /** For Claude, each as a text of its own. */
  contexts: string[];
  /** For the user; may be empty. */
  says: string;
}

/** For prompts at which the context is what it is now. */
interface PreparedPrompt extends PreparedAnswer {
  /** To tell whether the session is being kept (T6). */
  index: string;
  lastRowsMs: number;
  hookHadItsChanceMs: number;
}

/** For the session after a `/clear`, if by then no more than this was said. */
interface ModBriefing extends PreparedAnswer, PreparedBriefing {
  index: string;
}

export interface PreparedAnswers {
  sessionId: string;
  prompt?: PreparedPrompt;
  briefing?: ModBriefing;
}

type BriefedInput = Pick<HookInput, 'places' | 'memory' | 'sessionId' | 'projectDir' | 'env'>;

export interface PreparedFor {
  sessionId: string;
  claudePid: string;
  /** The project's directory as Claude Code sees it. */
  root: string;
  transcript: string;
  context: { tokens: number; window: number } | undefined;
  env: NodeJS.ProcessEnv;
}

export async function prepareAnswers(about: PreparedFor): Promise<PreparedAnswers> {
  const input = inputOf(about);
  const prompt = await preparePrompt(input);
  const briefing = await prepareBriefing(input);
  return {
    sessionId: about.sessionId,
    ...(prompt !== undefined && { prompt }),
    ...(briefing !== undefined && {
      briefing: { ...briefing, says: lineOf(input, briefing), index: input.memory.index },
    }),
  };
}

/** What the user is shown (K9); the new session's id is not known yet. */
function lineOf({ places, env, sessionId: cleared }: HookInput, made: PreparedBriefing): string {
  const briefing = made.contexts.join('\n');
  return clearedLine({ places, env, cleared, session: '', briefing }) ?? '';
}

/** After a reply in a session without the mod. */
export async function prepareAfterReply(input: HookInput): Promise<void> {
  const briefing = await prepareBriefing(input);
  if (briefing !== undefined) keepPrepared(input.places, input.sessionId, briefing);
  await readyPrompt(input);
}

/** What the next prompt is to be given, for the shell to print (ready-answers.ts). */
async function readyPrompt(input: HookInput): Promise<void> {
  const { places, memory, sessionId, claudePid, transcript } = input;
  const { rulesInjectionFrequency, saveInterval } = readSettingsAt(places, memory).settings;
  if (!canBeReady(input) || rulesInjectionFrequency > 1) return;
  const paths = [
    ...absentAtPrompt(input),
    modMarkPath(places, claudePid),
    ...promptSources(input),
    reportPath(places.home, sessionId),
    transcript,
    memory.index,
  ];
  if ((await settledStates(paths)) === undefined) return;
  const states = statesOf(paths);
  const marks = readWorkMarks(memory);
  const until = notDueUntil(marks, saveInterval);
  if (until === undefined || isModRunning(input)) return;
  if (mayNotBeKept(input, Number.POSITIVE_INFINITY)) return;
  if (existsSync(guardPath(places, claudePid))) return;
  // As if the mod ran: no agent is to be asked here.
  const output = await promptContext({ ...input, isFromMod: true });
  keepReady(input, sessionId, 'prompt', { paths, states, output, ...until });
}

/** As the mod passes a prompt of that session on. */
function inputOf({ sessionId, claudePid, root, transcript, context, env }: PreparedFor): HookInput {
  const stdin = {
    hook_event_name: 'UserPromptSubmit',
    session_id: sessionId,
    transcript_path: transcript,
    memory_keeper_mod: true,
    memory_keeper_context: context,
  };
  const input = parseHookInput(JSON.stringify(stdin), { ...env, CLAUDE_PROJECT_DIR: root });
  return { ...input, claudePid };
}

async function preparePrompt(input: HookInput): Promise<PreparedPrompt | undefined> {
  const { places, memory } = input;
  const { rulesInjectionFrequency } = readSettingsAt(places, memory).settings;
  if (rulesInjectionFrequency > 1) return undefined; // prompts are counted, by the hook
  const mustBeAbsent = absentAtPrompt(input);
  if (mustBeAbsent.some((path) => existsSync(path)) || hasUnsavedWords(input)) return undefined;
  const files = await settledStates([...mustBeAbsent, ...promptSources(input)]);
  if (files === undefined) return undefined;
  const { hookSpecificOutput, systemMessage = '' } = (await promptContext(input)) ?? {};
  const text = hookSpecificOutput?.additionalContext ?? '';
  return {
    files,
    contexts: text === '' ? [] : [text],
    says: systemMessage,
    index: memory.index,
    lastRowsMs: LAST_ROWS_MS,
    hookHadItsChanceMs: HOOK_HAD_ITS_CHANCE_MS,
  };
}

/** While one of these is there, what a prompt gets is up to the prompt. */
function absentAtPrompt({ places, env, sessionId, claudePid }: HookInput): string[] {
  return [
    guardPath(places, claudePid),
    keepingNotePath(places, sessionId),
    temporaryNotePath(env, sessionId),
  ];
}

function promptSources(input: HookInput): string[] {
  const { places, memory } = input;
  const rules = rulesFiles(places, memory.folder);
  return [...settingSources(input), ...rules, learntWindowsPath(places.home)];
}

async function prepareBriefing(input: BriefedInput): Promise<PreparedBriefing | undefined> {
  const { places, memory, sessionId } = input;
  const files = await settledStates([
    ...settingSources(input),
    memoryMdPath(memory),
    digestPath(memory),
    factsPath(memory),
    conceptsPath(memory),
    handOversPath(memory),
    // Of a clear that Memory Keeper begins: what the user is told then is the hook's to say.
    recordPath(places, sessionId),
  ]);
  const index = readMemoryIndex(memory);
  const { file = '', l1Bytes = 0 } = index.sessions[sessionId] ?? {};
  if (files === undefined || file === '') return undefined;
  const { restore } = readSettingsAt(places, memory).settings;
  const contexts = continuedBriefing(memory, index, sessionId, restore.maxChars);
  if (contexts.length === 0) return undefined;
  return { files, contexts, l1Bytes };
}

/** Where the memory lies, too, is up to these. */
function settingSources({ places, memory, projectDir, env }: BriefedInput): string[] {
  const settings = [userSettingsPath(places), settingsAt(memory)];
  return [...settings, ...keyFilesOf(places, projectDir, env)];
}

/** Waits a moment for files that were written just now: nobody waits for this program. */
async function settledStates(paths: readonly string[]): Promise<FileState[] | undefined> {
  const states = fileStates(paths, Date.now());
  if (states !== undefined) return states;
  await setTimeout(2 * FINE_MS);
  return fileStates(paths, Date.now());
}
