/**
 * Of how many readings the product knows the context window (L1e), and which model ids it does not
 * know. It reads each transcript as it does for a live session, and learns from it in a made home.
 */
import { readLearntWindow } from '../../core/claude/context/learnt-windows.ts';
import { contextWindow } from '../../core/claude/context/window.ts';
import { learnFromHistory } from '../../core/claude/context/window-evidence.ts';
import { readContextHistory } from '../../core/claude/transcript/context-history.ts';
import type { Transcript } from './corpus.ts';

export interface WindowsOfModel {
  model: string;
  readings: number;
  known: number;
}

export function windowsByModel(transcripts: readonly Transcript[], home: string): WindowsOfModel[] {
  const models = new Map<string, WindowsOfModel>();
  for (const { path } of transcripts) {
    const history = readContextHistory(path);
    if (history === undefined) continue;
    learnFromHistory(home, history);
    for (const { model, tokens } of history.turns) {
      const counts = models.get(model) ?? { model, readings: 0, known: 0 };
      const learnt = (id: string) => readLearntWindow(home, id);
      const window = contextWindow({ model, tokensInUse: tokens, learnt });
      counts.readings++;
      counts.known += window.tokens === null ? 0 : 1;
      models.set(model, counts);
    }
  }
  return [...models.values()].sort((one, other) => other.readings - one.readings);
}
