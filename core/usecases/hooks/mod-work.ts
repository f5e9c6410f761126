/**
 * The program that the mod starts at a session's start and after each turn: saves the turn to L1,
 * writes the clear signal (A1), takes a model's answer and returns the next question (M16).
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
import { keepTurn } from './keeping-turn.ts';
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
});

interface ModOutput {
  /** How the names of the requests to the mod begin. */
  asks: string;
  isClearNear: boolean;
  /** The folder of what is prepared for the mod. */
  prepared: string;
  job?: ModelJob;
}

export async function workForMod(stdin: string, env: NodeJS.ProcessEnv): Promise<ModOutput> {
  const { sessionId, root, model, context, compaction, answered } = v.parse(
    ModInput,
    parseJsonObject(stdin),
  );
  const places = placesFrom(env);
  keepMachineIdIn(places.home);
  const work = openProject({ places, memory: projectMemory(places, root, env) });
  const claudePid = env.MEMORY_KEEPER_PARENT ?? (await pidOf(places, sessionId));
  const pid = Number(claudePid);
  markModPresent(places, claudePid);
  if (context !== undefined && model !== '')
    saveReportedWindow(places.home, { sessionId, model, window: context.window, compaction });
  const { autoClear, models } = work.settings;
  const isClearNear =
    context !== undefined &&
    signalIfDue(places, autoClear, {
      sessionId,
      pid,
      tokens: context.tokens,
      window: windowOf({ places, model, context, set: models.windows }),
    });
  const prepared = preparedFolder(places);
  const output = { asks: modRequestPrefix(places, pid), isClearNear, prepared };
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
