/** Tells how full a session's context is: by the mod's figures, else by the end of the transcript. */
import { readLearntWindow } from '../../claude/context/learnt-windows.ts';
import { type ContextReading, contextReading } from '../../claude/context/reading.ts';
import { readReportedWindow } from '../../claude/context/reported.ts';
import { type ContextWindow, contextWindow, isSwitchedOn } from '../../claude/context/window.ts';
import { learnFromHistory } from '../../claude/context/window-evidence.ts';
import {
  type ContextPoint,
  readContextHistory,
  readRecentTurns,
} from '../../claude/transcript/context-history.ts';
import type { Settings } from '../../settings/settings.ts';
import type { HookInput } from './hook-input.ts';

type ContextSettings = Pick<Settings, 'thresholds' | 'models'>;

/** Undefined before the first reply. */
export function readSessionContext(
  input: HookInput,
  settings: ContextSettings,
): ContextReading | undefined {
  const now = contextNow(input);
  if (now === undefined) return undefined;
  let window = windowFor(input, settings, now);
  if (window.tokens === null) {
    // Only here the last turns are read as well: a compaction among them may tell (L1e).
    const history = readContextHistory(input.transcript);
    if (history !== undefined) learnFromHistory(input.places.home, history);
    window = windowFor(input, settings, now);
  }
  return contextReading([now], window, settings.thresholds);
}

/** The mod counts exactly, and the transcript names the model. */
function contextNow({ context, transcript, places, sessionId }: HookInput) {
  const reported = context && readReportedWindow(places.home, sessionId);
  if (context !== undefined && reported !== undefined)
    return { tokens: context.tokens, model: reported.model, isCompaction: false };
  const last = readRecentTurns(transcript, 1).at(-1);
  if (context === undefined) return last;
  return { tokens: context.tokens, model: last?.model ?? '', isCompaction: false };
}

function windowFor(
  { context, places, sessionId, env }: HookInput,
  { models }: ContextSettings,
  { model, tokens }: ContextPoint,
): ContextWindow {
  return contextWindow({
    model,
    tokensInUse: tokens,
    isExtendedDisabled: isSwitchedOn(env.CLAUDE_CODE_DISABLE_1M_CONTEXT),
    reported:
      context === undefined
        ? readReportedWindow(places.home, sessionId)
        : { model, window: context.window },
    set: models.windows,
    learnt: (id) => readLearntWindow(places.home, id),
  });
}
