/**
 * What the countdown shows (A6): the state comes in, a line for each clear that counts down or
 * waits for a yes goes out.
 */
import type { LiveState, SessionView } from '../../core/usecases/contract.ts';

export interface CountdownLine {
  sessionId: string;
  /** The project's; the session's own where several of the project live. */
  name: string;
  percent: number | null;
  window: number | null;
  /** Milliseconds since 1970, for both; null while a yes is waited for. */
  began: number;
  ends: number | null;
  /** It will be compacted rather than cleared. */
  isCompaction: boolean;
}

export function countdownLines({
  clears,
  sessions,
}: Pick<LiveState, 'clears' | 'sessions'>): CountdownLine[] {
  return clears
    .filter(({ state }) => state === 'countdown')
    .map(({ sessionId, projectRoot, countdownEnds, steps, method }) => {
      const session = sessions.find((candidate) => candidate.sessionId === sessionId);
      return {
        sessionId,
        name: session === undefined ? folderName(projectRoot) : shownName(session, sessions),
        percent: session?.percent ?? null,
        window: session?.window ?? null,
        began: Date.parse(steps.at(-1)?.at ?? ''),
        ends: countdownEnds === undefined ? null : Date.parse(countdownEnds),
        isCompaction: method === 'compact',
      };
    });
}

/** How much of the time is left, from 1 to 0. */
export function shareLeft({ began, ends }: CountdownLine, now: number): number {
  if (ends === null || ends <= began) return 0;
  return Math.min(1, Math.max(0, (ends - now) / (ends - began)));
}

/** As its card calls it. */
function shownName(
  { project, projectRoot, name }: SessionView,
  sessions: readonly SessionView[],
): string {
  const isAlone = sessions.filter((other) => other.projectRoot === projectRoot).length === 1;
  return isAlone ? project : (name ?? project);
}

function folderName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}
