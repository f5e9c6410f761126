/**
 * Sessions in the order in which they matter (C3): by project, that of a clear that is under way
 * first, then the one that was chosen, then by how full they are. A level and not the percentage
 * decides, so that nothing moves with each reply; and nothing at all while somebody points at the
 * list.
 */

import type { ClearRecord } from '../../../core/clear/clear-record.ts';
import type { SessionView } from '../../../core/usecases/contract.ts';
import { isUnderWay } from './next-step.ts';

export interface SessionGroup {
  root: string;
  name: string;
  sessions: SessionView[];
}

export function byProject(
  sessions: readonly SessionView[],
  clears: readonly ClearRecord[],
  chosen: string | null,
): SessionGroup[] {
  const clearing = new Set(clears.filter(isUnderWay).map(({ sessionId }) => sessionId));
  const isClearing = ({ sessionId }: SessionView) => clearing.has(sessionId);
  const groups = Map.groupBy(sessions, ({ projectRoot }) => projectRoot);
  return [...groups]
    .map(([root, own]) => ({
      root,
      name: own[0]?.project ?? root,
      sessions: own.toSorted(
        (one, other) =>
          Number(isClearing(other)) - Number(isClearing(one)) ||
          levelOf(other) - levelOf(one) ||
          byAge(one, other),
      ),
    }))
    .sort(
      (one, other) =>
        Number(other.sessions.some(isClearing)) - Number(one.sessions.some(isClearing)) ||
        Number(other.root === chosen) - Number(one.root === chosen) ||
        Math.max(...other.sessions.map(levelOf)) - Math.max(...one.sessions.map(levelOf)) ||
        one.name.localeCompare(other.name) ||
        one.root.localeCompare(other.root),
    );
}

/** What was shown before stays where it was; what is new stands at the end. */
export function inOrderOf(
  before: readonly SessionGroup[],
  groups: readonly SessionGroup[],
): SessionGroup[] {
  return heldOrder(before, groups, ({ root }) => root).map((group) => {
    const known = before.find(({ root }) => root === group.root)?.sessions ?? [];
    return { ...group, sessions: heldOrder(known, group.sessions, cardKey) };
  });
}

/** The same Claude Code keeps its card when it is cleared. */
export function cardKey({ pid, processStart }: Pick<SessionView, 'pid' | 'processStart'>): string {
  return `${pid} ${processStart}`;
}

export function fullestOf(sessions: readonly SessionView[]): SessionView | undefined {
  return sessions.toSorted((one, other) => (other.percent ?? -1) - (one.percent ?? -1))[0];
}

function heldOrder<T>(before: readonly T[], now: readonly T[], keyOf: (item: T) => string): T[] {
  const places = new Map(before.map((item, index) => [keyOf(item), index]));
  const place = (item: T) => places.get(keyOf(item)) ?? before.length;
  return now.toSorted((one, other) => place(one) - place(other));
}

const LEVELS = ['ok', 'warn', 'critical'];

function levelOf({ level }: SessionView): number {
  return level === null ? -1 : LEVELS.indexOf(level);
}

function byAge(one: SessionView, other: SessionView): number {
  return (one.startedAt ?? '').localeCompare(other.startedAt ?? '') || one.pid - other.pid;
}
