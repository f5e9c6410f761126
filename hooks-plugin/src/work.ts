/**
 * Work too heavy for the hook programs: the mod's requests, the answers of the session's agents,
 * tidying up. `prompt` and `session-start` load it only when work is due, and then wait at most a
 * second for locks.
 */

import * as v from 'valibot';
import { saveReportedWindow } from '../../core/claude/context/reported.ts';
import { SessionFinder } from '../../core/claude/sessions/live-sessions.ts';
import { SessionRegistry } from '../../core/claude/sessions/registry.ts';
import { searchTranscript } from '../../core/claude/transcript/locate.ts';
import { asksOf } from '../../core/clear/delivery/mod.ts';
import { signalIfDue } from '../../core/clear/write-signal.ts';
import { AGENTS } from '../../core/memory/log/agents.ts';
import { saveL1 } from '../../core/memory/log/l1-store.ts';
import {
  changeProgress,
  readMemoryIndex,
  updateMemoryIndex,
} from '../../core/memory/log/memory-index.ts';
import { removeFactsQuestion } from '../../core/memory/model/agent-requests.ts';
import { JobSubject } from '../../core/memory/model/job-attempts.ts';
import {
  answeredSubject,
  doWhatNeedsNoModel,
  finishJob,
  type ModelAnswer,
  nextJob,
  type Workplace,
} from '../../core/memory/model/jobs.ts';
import { removeOldGiven } from '../../core/memory/restore/given.ts';
import { tidyUp } from '../../core/memory/tiers/tidy-up.ts';
import { isExpected, messageOf } from '../../core/messages/expected-error.ts';
import type { Message } from '../../core/messages/message.ts';
import { systemProcessTable } from '../../core/platform/process/process-table.ts';
import { runProgram } from '../../core/platform/process/run-program.ts';
import { BusyError, waitAtMost } from '../../core/platform/store/lock.ts';
import { type Places, placesFrom, projectRoot } from '../../core/platform/store/places.ts';
import { SessionId } from '../../core/platform/store/session-id.ts';
import { rememberProject } from '../../core/projects/known-projects.ts';
import { markModPresent } from '../../core/projects/mod-presence.ts';
import {
  assertOwnMemory,
  type ProjectMemory,
  prepareProjectMemory,
  projectMemory,
} from '../../core/projects/project-memory.ts';
import { readSettings } from '../../core/settings/settings.ts';
import { askAgents } from './ask.ts';
import { type HookInput, parseHookInput, parseJson } from './hook-input.ts';
import { run as runAnswer } from './hook-program.ts';

const Usage = v.fallback(
  v.optional(v.object({ input: v.number(), output: v.number() })),
  undefined,
);

const ModInput = v.object({
  sessionId: SessionId,
  /** The project's directory as Claude Code sees it. */
  root: v.string(),
  model: v.fallback(v.string(), ''),
  /** As Claude Code itself counts. */
  context: v.fallback(
    v.optional(
      v.object({
        window: v.pipe(v.number(), v.integer(), v.minValue(1000)),
        tokens: v.fallback(v.pipe(v.number(), v.minValue(0)), 0),
      }),
    ),
    undefined,
  ),
  answered: v.fallback(
    v.optional(
      v.object({
        subject: JobSubject,
        text: v.fallback(v.optional(v.string()), undefined),
        failure: v.fallback(v.optional(v.string()), undefined),
        usage: Usage,
      }),
    ),
    undefined,
  ),
});

/**
 * The mod tells what a model answered, if it asked one, and gets the next question, if there is
 * one.
 */
async function workForMod(stdin: string, env: NodeJS.ProcessEnv): Promise<object> {
  const told = v.parse(ModInput, parseJson(stdin));
  const work = workplace(told.root, env);
  const claudePid = env.MEMORY_KEEPER_PARENT ?? (await pidOf(work.places, told.sessionId));
  markModPresent(work.places, claudePid);
  const { context, sessionId, model } = told;
  if (context !== undefined && model !== '')
    saveReportedWindow(work.places.home, { sessionId, model, window: context.window });
  const isClearNear =
    context !== undefined &&
    signalIfDue(work.places, work.settings.autoClear, {
      sessionId,
      pid: Number(claudePid),
      ...context,
    });
  const about = { asks: asksOf(work.places, Number(claudePid)), isClearNear };
  if (told.answered !== undefined) {
    const outcome = finishJob(work, told.answered.subject, answerOf(told.answered), 'mod');
    if (!outcome.saved) return about; // not asked again before the next turn
  } else {
    await closeKilledSessions(work, sessionId, env); // what they left undone is to be done now
    keepOwnWords(work, sessionId);
  }
  const job = nextJob(work, 'mod', Number(claudePid));
  return job === undefined ? about : { ...about, job };
}

/**
 * The hooks that keep and count what a turn has done run beside us, and may be later: what is due
 * now is not to wait for the next turn.
 */
function keepOwnWords({ places, memory }: Workplace, sessionId: string): void {
  const transcript =
    readMemoryIndex(memory).sessions[sessionId]?.transcript ??
    searchTranscript(places.claude, sessionId);
  if (transcript !== undefined) saveL1(memory, { sessionId, transcript });
}

/**
 * On Windows the script that starts us does not know who started it; Claude Code's own list does.
 */
async function pidOf({ claude }: Places, sessionId: string): Promise<string> {
  const { sessions } = await new SessionRegistry(claude).read();
  return String(sessions.find((session) => session.sessionId === sessionId)?.pid ?? process.ppid);
}

function answerOf({
  text,
  failure,
  usage,
}: NonNullable<v.InferOutput<typeof ModInput>['answered']>): ModelAnswer {
  if (text === undefined) return { failure: failure ?? 'no answer' };
  return { text, ...(usage !== undefined && { usage }) };
}

/** An agent of the session has answered: what it was asked for is saved. */
function takeAgentAnswer({ agentType, lastAnswer, projectDir, env }: HookInput): undefined {
  const kind =
    agentType === AGENTS.delta ? 'delta' : agentType === AGENTS.facts ? 'facts' : undefined;
  if (kind === undefined) return;
  const work = workplace(projectDir, env);
  const subject = answeredSubject(work.memory, kind, lastAnswer);
  if (subject === undefined) return;
  const { saved } = finishJob(work, subject, { text: lastAnswer }, 'agent');
  if (saved && kind === 'facts') removeFactsQuestion(work.memory);
}

/**
 * The user waits for the hook, and an import or a rebuild can take minutes: then the next prompt
 * asks.
 */
const PATIENCE_MS = 1000;

/**
 * A session's start asks for what the last one left undone, a prompt for what is due; empty if it
 * is being done or needs no model.
 */
export function askForWork(
  { projectDir, env }: HookInput,
  trigger: 'DELTA' | 'FINAL',
  tell: (reason: Message) => void,
  patienceMs = PATIENCE_MS,
): string {
  waitAtMost(patienceMs);
  try {
    return askAgents(workplace(projectDir, env), trigger) ?? '';
  } catch (error) {
    if (error instanceof BusyError) return '';
    if (!isExpected(error)) throw error;
    tell(messageOf(error)); // rules and notes go along all the same
    return '';
  }
}

/**
 * The count goes on across sessions. If it cannot be written the rules go along: too often is
 * better than never.
 */
export function isNthPrompt(
  memory: ProjectMemory,
  frequency: number,
  tell: (reason: Message) => void,
  patienceMs = PATIENCE_MS,
): boolean {
  waitAtMost(patienceMs);
  try {
    prepareProjectMemory(memory);
    const value = updateMemoryIndex(memory, (index) => ({
      ...index,
      rulesInjectionCount: (index.rulesInjectionCount ?? 0) + 1,
    }));
    return ((value.rulesInjectionCount ?? 1) - 1) % frequency === 0;
  } catch (error) {
    if (!(error instanceof BusyError)) tell(messageOf(error));
    return true;
  }
}

/** Once a day, and when a session has ended: what needs no model, permanent facts, tiers. */
async function tidy({ sessionId, projectDir, env }: HookInput): Promise<undefined> {
  const work = workplace(projectDir, env);
  await closeKilledSessions(work, sessionId, env);
  tidyUp(work);
  removeOldGiven(work.places);
  rememberProject(work.places, work.memory.root);
}

/**
 * A session whose process was killed could not tell that it ended: what it said is kept now, and
 * counts as left over (M5, M8).
 */
async function closeKilledSessions(
  { places, memory }: Workplace,
  ownId: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const open = Object.entries(readMemoryIndex(memory).sessions).filter(
    ([id, { isOver }]) => isOver !== true && id !== ownId,
  );
  if (open.length === 0) return;
  const finder = new SessionFinder({
    claudeFolder: places.claude,
    env,
    processes: systemProcessTable(),
    run: runProgram,
  });
  if (!(await finder.registry.read()).isUsable) return; // who lives is not known
  const alive = new Set((await finder.find()).sessions.map((session) => session.sessionId));
  for (const [sessionId, { transcript = '' }] of open) {
    if (
      alive.has(sessionId) ||
      saveL1(memory, { sessionId, transcript }, { isOver: true }) !== undefined
    )
      continue;
    // its transcript is gone
    updateMemoryIndex(memory, (index) => changeProgress(index, sessionId, { isOver: true }));
  }
}

/** In the background, after a tool or a reply. */
export function workWithoutModel({ projectDir, env }: HookInput): undefined {
  doWhatNeedsNoModel(workplace(projectDir, env));
}

function workplace(directory: string, env: NodeJS.ProcessEnv): Workplace {
  const places = placesFrom(env);
  const memory = projectMemory(places, projectRoot(directory, env));
  assertOwnMemory(memory);
  return { places, memory, settings: readSettings(places, memory.root).settings };
}

/** Started for what is not an event of the conversation, too. */
export function run(stdin: string, task: string | undefined): void {
  runAnswer(() => {
    if (task === 'mod') return workForMod(stdin, process.env);
    const input = parseHookInput(stdin, process.env);
    return task === 'tidy' ? tidy(input) : takeAgentAnswer(input);
  });
}
