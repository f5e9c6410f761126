/** Made-up figures of an import, for tests. */
import type {
  BackfillPreview,
  BackfillProject,
  BackfillResult,
} from '../../../../core/usecases/contract.ts';

export function madeProject(changes: Partial<BackfillProject> = {}): BackfillProject {
  return {
    root: '/work/boat',
    name: 'boat',
    isGone: false,
    isLeftOut: false,
    sessions: 10,
    bytes: 4_000_000,
    diskBytes: 200_000,
    oldest: '2026-05-12T09:00:00.000Z',
    newest: '2026-06-01T09:00:00.000Z',
    ...changes,
  };
}

export function madePreview(changes: Partial<BackfillPreview> = {}): BackfillPreview {
  return {
    projects: [madeProject()],
    sessions: 10,
    running: 0,
    bytes: 4_000_000,
    diskBytes: 200_000,
    oldest: '2026-05-12T09:00:00.000Z',
    newest: '2026-06-01T09:00:00.000Z',
    passedOver: { kept: 0, programs: 0, subagents: 0, empty: 0, unreadable: 0, tooOld: 0 },
    transcriptDays: { days: 30, isDefault: true },
    unfinished: null,
    undoable: null,
    ...changes,
  };
}

export function madeResult(changes: Partial<BackfillResult> = {}): BackfillResult {
  return {
    id: '1700000000000-abcdef',
    state: 'done',
    sessions: 10,
    entries: 100,
    choice: { only: [], except: [] },
    bytes: 4_000_000,
    l1Bytes: 200_000,
    projects: [{ root: '/work/boat', name: 'boat', sessions: 10 }],
    left: 0,
    problems: [],
    ...changes,
  };
}
