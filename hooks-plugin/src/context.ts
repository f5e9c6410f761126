/**
 * How full the session's context is: from the mod, else from the end of its transcript and Claude
 * Code's own reports.
 */
import { type ContextReading, contextReading } from '../../core/claude/context/reading.ts';
import { readReportedWindow } from '../../core/claude/context/reported.ts';
import { contextWindow, isSwitchedOn } from '../../core/claude/context/window.ts';
import { readRecentTurns } from '../../core/claude/transcript/context-history.ts';
import type { Thresholds } from '../../core/settings/thresholds.ts';
import type { HookInput } from './hook-input.ts';

/** Undefined before the first reply. */
export function contextOf(input: HookInput, thresholds: Thresholds): ContextReading | undefined {
  if (input.context === undefined) return contextInTranscript(input, thresholds);
  const { tokens, window } = input.context;
  return contextReading(
    [{ tokens, model: '', isCompaction: false }],
    { tokens: window, source: 'claude-code' },
    thresholds,
  );
}

function contextInTranscript(
  { transcript, places, sessionId, env }: HookInput,
  thresholds: Thresholds,
): ContextReading | undefined {
  const turns = readRecentTurns(transcript, 1);
  const now = turns.at(-1);
  if (now === undefined) return undefined;
  const window = contextWindow({
    model: now.model,
    tokensInUse: now.tokens,
    isExtendedDisabled: isSwitchedOn(env.CLAUDE_CODE_DISABLE_1M_CONTEXT),
    reported: readReportedWindow(places.home, sessionId),
  });
  return contextReading(turns, window, thresholds);
}
