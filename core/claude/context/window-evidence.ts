/**
 * Learns the windows of models that the table does not know from what stands in transcripts (L1e).
 * `reported.ts` learns them from what Claude Code reports.
 */
import { type ContextHistory, seenWindows } from '../transcript/context-history.ts';
import { learnWindow } from './learnt-windows.ts';
import { isKnownModel } from './window.ts';

export function learnFromHistory(home: string, history: Pick<ContextHistory, 'seen'>): void {
  for (const seen of seenWindows(history)) if (!isKnownModel(seen.model)) learnWindow(home, seen);
}
