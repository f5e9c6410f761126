/**
 * The program that the mod starts at a session's start and after each turn: saves the turn to L1,
 * writes the clear signal (A1), takes a model's answer and returns the next question (M16), and
 * prepares what the mod gives the next prompt.
 */
import * as v from 'valibot';
import { readLearntWindow } from '../../claude/context/learnt-windows.ts';
import { saveReportedWindow } from '../../claude/context/reported.ts';
import { contextWindow, type WindowSettings } from '../../claude/context/window.ts';
import { SessionRegistry } from '../../claude/sessions/registry.ts';
import { searchTranscript } from '../../claude/transcript/locate.ts';
import { modRequestPrefix } from '../../clear/delivery/mod.ts';
import { signalIfDue } from '../../clear/write-signal.ts';
import { saveL1 } from '../../memory/log/l1-store.ts';
import { readMemoryIndex } from '../../memory/log/memory-index.ts';
import { JobSubject } from '../../memory/model/job-attempts.ts';
import {
  finishJob,
  type ModelAnswer,
  type ModelJob,
  nextJob,
  type ProjectContext,
} from '../../memory/model/jobs.ts';
import { recallSocketPath } from '../../memory/recall/recall-place.ts';
import { readBriefing, saveBriefing } from '../../memory/restore/briefing-file.ts';
import { preparedFolder } from '../../memory/restore/prepared-compaction.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { keepMachineIdIn } from '../../platform/store/machine.ts';
import { type Places, placesFrom } from '../../platform/store/places.ts';
import { SessionId } from '../../platform/store/session-id.ts';
import { markModPresent } from '../../projects/mod-presence.ts';
import { projectMemory } from '../../projects/project-memory.ts';
import { prepareCompaction } from './compaction.ts';
import { openProject } from './due-work.ts';
import { parseJsonObject } from './hook-input.ts';
import { logHookError } from './hook-log.ts';
import { keepTurn } from './keeping-turn.ts';
import { type PreparedAnswers, type PreparedFor, prepareAnswers } from './prepared-answers.ts';
import { closeKilledSessions } from './tidy.ts';

const optional = <T extends v.GenericSchema>(schema: T) =>
  v.fallback(v.optional(schema), undefined);

const Answered = v.object({
  subject: JobSubject,
  text: optional(v.string()),
  failure: optional(v.string()),
  usage: optional(v.object({ input: v.number(), output: v.number() })),
});

const ModInput = v.object({
  sessionId: SessionId,
  /** The project's directory as Claude Code sees it. */
  root: v.string(),
  model: v.fallback(v.string(), ''),
  /** As Claude Code itself counts. */
  context: optional(
    v.object({
      window: v.pipe(v.number(), v.integer(), v.minValue(1000)),
      tokens: v.fallback(v.pipe(v.number(), v.minValue(0)), 0),
    }),
  ),
  /** Its own compaction, in its own words (K5). */
  compaction: optional(
    v.object({
      isOn: v.boolean(),
      threshold: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))),
      source: v.pipe(v.string(), v.maxLength(40)),
    }),
  ),
  answered: optional(Answered),
  /** The last briefing that the mod gave a session: no hook has written it down. */
  given: optional(v.object({ sessionId: SessionId, text: v.string() })),
  /** Another run of this program is at work for the same process. */
  isOnlyToPrepare: optional(v.boolean()),
});

interface ModOutput {
  /** How the names of the requests to the mod begin. */
  asks?: string;
  isClearNear?: boolean;
  /** Where the texts for compactions lie. */
  preparedFolder?: string;
  job?: ModelJob;
  prepared?: PreparedAnswers | undefined;
  /** Where prompts may ask for notes (K7); empty if none are wanted. */
  recallSocket?: string;
}

export async function workForMod(stdin: string, env: NodeJS.ProcessEnv): Promise<ModOutput> {
  const input = v.parse(ModInput, parseJsonObject(stdin));
  const places = placesFrom(env);
  keepMachineIdIn(places.home);
  const { given, sessionId, root, context, isOnlyToPrepare } = input;
  if (given !== undefined) saveGiven(places, given);
  const output = isOnlyToPrepare ? {} : await workFor(input, places, env);
  const index = readMemoryIndex(projectMemory(places, root, env));
  const transcript = index.sessions[sessionId]?.transcript ?? '';
  const claudePid = env.MEMORY_KEEPER_PARENT ?? (await pidOf(places, sessionId));
  const about = { sessionId, claudePid, root, transcript, context, env };
  return { ...output, prepared: await preparedFor(about) };
}

/** As session-briefing.ts does; a full disk must not cost the session anything else. */
function saveGiven(places: Places, { sessionId, text }: { sessionId: string; text: string }): void {
  if (readBriefing(places, sessionId) === undefined)
    attempt(() => saveBriefing(places, sessionId, text), undefined);
}

/** Undefined if that goes wrong, and where hooks start by run.cmd: the hooks answer then. */
async function preparedFor(about: PreparedFor): Promise<PreparedAnswers | undefined> {
  if (process.platform === 'win32') return undefined;
  try {
    return await prepareAnswers(about);
  } catch (error) {
    logHookError(error, 'prepare', about.env);
    return undefined;
  }
}

async function workFor(
  { sessionId, root, model, context, compaction, answered }: v.InferOutput<typeof ModInput>,
  places: Places,
  env: NodeJS.ProcessEnv,
): Promise<ModOutput> {
  const work = openProject({ places, memory: projectMemory(places, root, env) });
  const claudePid = env.MEMORY_KEEPER_PARENT ?? (await pidOf(places, sessionId));
  const pid = Number(claudePid);
  markModPresent(places, claudePid);
  if (context !== undefined && model !== '')
    saveReportedWindow(places.home, { sessionId, model, window: context.window, compaction });
  const { autoClear, models, recall } = work.settings;
  const isClearNear =
    context !== undefined &&
    signalIfDue(places, autoClear, {
      sessionId,
      pid,
      tokens: context.tokens,
      window: windowOf({ places, model, context, set: models.windows }),
    });
  const output = {
    asks: modRequestPrefix(places, pid),
    isClearNear,
    preparedFolder: preparedFolder(places),
    recallSocket:
      recall.enabled && recall.maxChars > 0 ? (recallSocketPath(places, claudePid) ?? '') : '',
  };
  if (answered !== undefined) {
    const { saved } = finishJob(work, answered.subject, modelAnswer(answered), 'mod');
    if (!saved) return output; // the model is asked again after the next turn
  } else {
    await closeKilledSessions(work, sessionId, env); // their unfinished work is due now
    saveOwnTurn(work, sessionId, env);
    attempt(() => prepareCompaction({ ...work, sessionId, env }), undefined);
  }
  // The mod asks for as long as there is a job: of the past, one session a turn.
  const job = nextJob(work, 'mod', pid, { withPast: answered === undefined });
  return job === undefined ? output : { ...output, job };
}

/** Claude Code reports a window for models that it does not know, too (L1e). */
function windowOf({ places, model, context, set }: ModContext): number | null {
  return contextWindow({
    model,
    tokensInUse: context.tokens,
    reported: { model, window: context.window },
    set,
    learnt: (id) => readLearntWindow(places.home, id),
  }).tokens;
}

interface ModContext {
  places: Places;
  model: string;
  context: { tokens: number; window: number };
  set: WindowSettings;
}

/** The hook that saves the turn may be later; then what this turn made due would wait for the next. */
function saveOwnTurn(
  { places, memory }: ProjectContext,
  sessionId: string,
  env: NodeJS.ProcessEnv,
): void {
  const transcript =
    readMemoryIndex(memory).sessions[sessionId]?.transcript ??
    searchTranscript(places.claude, sessionId);
  if (transcript === undefined) return;
  const session = { sessionId, transcript, places, memory, env };
  keepTurn(session, () => saveL1(memory, session));
}

/** On Windows run.cmd does not know which process started it; Claude Code's own list does. */
async function pidOf({ claude }: Places, sessionId: string): Promise<string> {
  const { sessions } = await new SessionRegistry(claude).read();
  return String(sessions.find((session) => session.sessionId === sessionId)?.pid ?? process.ppid);
}

function modelAnswer({ text, failure, usage }: v.InferOutput<typeof Answered>): ModelAnswer {
  if (text === undefined) return { failure: failure ?? 'no answer' };
  return { text, ...(usage !== undefined && { usage }) };
}
