/** Tells how full a session's context is: by the mod's figures, else by the end of the transcript. */
import { type ContextReading, contextReading } from '../../claude/context/reading.ts';
import { readReportedWindow } from '../../claude/context/reported.ts';
import { contextWindow, isSwitchedOn } from '../../claude/context/window.ts';
import { readRecentTurns } from '../../claude/transcript/context-history.ts';
import type { Thresholds } from '../../settings/thresholds.ts';
import type { HookInput } from './hook-input.ts';

/** Undefined before the first reply. */
export function readSessionContext(
  { context, transcript, places, sessionId, env }: HookInput,
  thresholds: Thresholds,
): ContextReading | undefined {
  if (context !== undefined) {
    const turn = { tokens: context.tokens, model: '', isCompaction: false };
    return contextReading([turn], { tokens: context.window, source: 'claude-code' }, thresholds);
  }
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
