/** How full the session's context is, as far as the end of its transcript and Claude Code's own reports tell. */
import { type ContextReading, contextReading } from '../../core/context/reading.ts';
import { readReportedWindow } from '../../core/context/reported.ts';
import type { Thresholds } from '../../core/context/thresholds.ts';
import { contextWindow, isSwitchedOn } from '../../core/context/window.ts';
import { readContextHistory } from '../../core/transcript/context-history.ts';
import type { HookInput } from './hook-input.ts';

/** Undefined before the first reply. */
export function contextOf({ transcript, places, sessionId, env }: HookInput, thresholds: Thresholds): ContextReading | undefined {
  const history = readContextHistory(transcript, 1);
  const now = history?.turns.at(-1);
  if (history === undefined || now === undefined) return undefined;
  const window = contextWindow({
    model: now.model,
    tokensInUse: now.tokens,
    isExtendedDisabled: isSwitchedOn(env.CLAUDE_CODE_DISABLE_1M_CONTEXT),
    reported: readReportedWindow(places.home, sessionId),
  });
  return contextReading(history.turns, window, thresholds);
}
