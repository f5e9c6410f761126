/** Does work on a project's memory that takes a while (F8, M2, M9, M20), and reports its progress. */
import { saveL1 } from '../../memory/log/l1-store.ts';
import { listMemoryFiles } from '../../memory/portable/contents.ts';
import type { ArchiveStep } from '../../memory/portable/write-archive.ts';
import { rebuild } from '../../memory/state/derive.ts';
import { verifyMemory } from '../../memory/state/verify.ts';
import { compress } from '../../memory/tiers/compress.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { projectTranscripts } from '../../projects/project-transcripts.ts';
import { readSettings } from '../../settings/settings.ts';
import { noteRetention } from '../hooks/note-retention.ts';
import type { System } from './memory-context.ts';

export const WORK_KINDS = ['save', 'compress', 'verify', 'rebuild'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

export interface WorkProgress {
  project: string;
  what: WorkKind | 'export' | 'preview' | 'import';
  /** Of an export or import. */
  step?: ArchiveStep;
  done: number;
  /** 0 if unknown. */
  total: number;
  isOver: boolean;
}

export interface WorkDone {
  what: WorkKind;
  /** Figures by name, such as entries, facts. */
  figures: Record<string, number>;
  problems: Message[];
  /** The sessions that had something new to save. */
  saved: { sessionId: string; file: string; bytes: number; added: number }[];
  /** The session summaries that were written. */
  summaries: string[];
}

/** There may be thousands of files a second. */
const REPORT_INTERVAL_MS = 100;

type Report = (done: number, total: number, step?: ArchiveStep) => void;

/** Reports the beginning, the progress and the end of `work`, also if it fails. */
export async function withProgress<T>(
  onProgress: (progress: WorkProgress) => void,
  { project, what }: Pick<WorkProgress, 'project' | 'what'>,
  work: (report: Report) => T | Promise<T>,
): Promise<T> {
  let reached: Pick<WorkProgress, 'step' | 'done' | 'total'> = { done: 0, total: 0 };
  let reportedAt = 0;
  const report = (isOver: boolean) => onProgress({ project, what, ...reached, isOver });
  report(false);
  try {
    return await work((done, total, step) => {
      reached = { done, total, ...(step && { step }) };
      if (Date.now() - reportedAt < REPORT_INTERVAL_MS) return;
      reportedAt = Date.now();
      report(false);
    });
  } finally {
    report(true);
  }
}

export function runWork(
  system: System,
  memory: ProjectMemory,
  what: WorkKind,
  report: Report,
): WorkDone {
  const nothing = { what, figures: {}, problems: [], saved: [], summaries: [] };
  return { ...nothing, ...WORK[what](system, memory, report) };
}

type Work = (system: System, memory: ProjectMemory, report: Report) => Partial<WorkDone>;

const WORK: Record<WorkKind, Work> = {
  save({ places, env }, memory, report) {
    const sources = projectTranscripts(places, memory.root, env);
    const saved: WorkDone['saved'] = [];
    for (const [index, source] of sources.entries()) {
      const result = saveL1(memory, source);
      if (result !== undefined && result.added > 0)
        saved.push({ sessionId: source.sessionId, ...result });
      report(index + 1, sources.length);
    }
    const entries = saved.reduce((sum, { added }) => sum + added, 0);
    return { figures: { transcripts: sources.length, sessions: saved.length, entries }, saved };
  },
  compress({ places }, memory) {
    assertNotEmpty(memory);
    const { settings } = readSettings(places, memory.root);
    const { summaries, retention } = compress(memory, settings);
    noteRetention({ places, memory, settings }, retention);
    return { figures: { summaries: summaries.length }, summaries };
  },
  verify(_, memory) {
    const { problems, ...figures } = verifyMemory(memory);
    return { figures, problems };
  },
  rebuild(_, memory) {
    assertNotEmpty(memory);
    return { figures: { ...rebuild(memory) } };
  },
};

/** Creates no memory where there is none. */
function assertNotEmpty(memory: ProjectMemory): void {
  if (listMemoryFiles(memory).files.length === 0)
    throw new ExpectedError(message('memory.empty', { root: memory.root }));
}
