/**
 * Work on a project's memory that takes a while (F8, M2, M9): the same that the command line does,
 * with word on how far it is.
 */

import { saveL1 } from '../../memory/log/l1-store.ts';
import { rebuild } from '../../memory/state/derive.ts';
import { verifyMemory } from '../../memory/state/verify.ts';
import { compress } from '../../memory/tiers/compress.ts';
import type { Places } from '../../platform/store/places.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { projectTranscripts } from '../../projects/project-transcripts.ts';
import { readSettings } from '../../settings/settings.ts';
import type { WorkDone, WorkProgress } from '../contract/contract.ts';

interface WorkTools {
  places: Places;
  env: NodeJS.ProcessEnv;
  tell(progress: WorkProgress): void;
}

type Outcome = Omit<WorkDone, 'what'>;
type Work = (
  tools: WorkTools,
  memory: ProjectMemory,
  tell: (done: number, total: number) => void,
) => Outcome;

export function runWork(tools: WorkTools, memory: ProjectMemory, what: WorkDone['what']): WorkDone {
  const tell = (done: number, total: number, isOver = false) =>
    tools.tell({ project: memory.root, what, done, total, isOver });
  let reached: [number, number] = [0, 0];
  tell(0, 0);
  try {
    const outcome = WORK[what](tools, memory, (done, total) => {
      reached = [done, total];
      tell(done, total);
    });
    return { what, ...outcome };
  } finally {
    tell(...reached, true);
  }
}

const WORK: Record<WorkDone['what'], Work> = {
  save({ places, env }, memory, tell) {
    const sources = projectTranscripts(places, memory.root, env);
    let [entries, sessions] = [0, 0];
    for (const [index, source] of sources.entries()) {
      const { added = 0 } = saveL1(memory, source) ?? {};
      entries += added;
      sessions += Number(added > 0);
      tell(index + 1, sources.length);
    }
    return { figures: { transcripts: sources.length, sessions, entries }, problems: [] };
  },
  compress({ places }, memory) {
    const { summaries } = compress(memory, readSettings(places, memory.root).settings);
    return { figures: { summaries: summaries.length }, problems: [] };
  },
  verify(_, memory) {
    const { problems, ...figures } = verifyMemory(memory);
    return { figures, problems };
  },
  rebuild(_, memory) {
    return { figures: { ...rebuild(memory) }, problems: [] };
  },
};
