/**
 * The activity list (G2): the newest rows of all sources, and on from any time back. Each file is
 * read from its end, and only as far as the page needs; of the journals only those that were
 * written since.
 */

import { closeSync, fstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { linesFromEnd, openIfThere } from '../../claude/transcript/lines.ts';
import { activityPath } from '../../clear/activity.ts';
import { journalPath } from '../../memory/log/journal.ts';
import { givenFolder, readGiven } from '../../memory/restore/given.ts';
import { attempt } from '../../platform/store/attempt.ts';
import type { Places } from '../../platform/store/places.ts';
import { isSessionId } from '../../platform/store/session-id.ts';
import { linkOutAtTop, type ProjectMemory } from '../../projects/project-memory.ts';
import { type ActivityRow, rowOfActivity, rowOfGiven, rowOfJournal } from './activity-rows.ts';

const LOOK_BACK_BYTES = 16 * 1024 * 1024;

export interface ActivityQuery {
  project?: string | undefined;
  before?: string | undefined;
  count: number;
}

/** Which project a session belongs to. */
export type ProjectOf = (sessionId: string) => string | null;

/**
 * Newest first. Rows of the very time at which a page ends all stand on it, so that the next one
 * leaves none out.
 */
export function listActivity(
  places: Places,
  memories: readonly ProjectMemory[],
  projectOf: ProjectOf,
  query: ActivityQuery,
): ActivityRow[] {
  const isAsked = ({ root }: ProjectMemory) =>
    query.project === undefined || root === query.project;
  const wanted = memories.filter((memory) => isAsked(memory) && linkOutAtTop(memory) === undefined);
  const path = activityPath(places);
  let rows = newestOf(path, query, rowOfActivity);
  if (rows.length < query.count) rows = [...rows, ...newestOf(`${path}.old`, query, rowOfActivity)];
  rows = newest([...rows, ...givenRows(places, projectOf, query)], query.count);
  for (const { memory, writtenAt } of journals(wanted)) {
    const isFull = rows.length >= query.count;
    if (isFull && writtenAt < (rows.at(-1)?.at ?? '')) break; // this one, and those written before it, have nothing newer
    rows = newest(
      [...rows, ...newestOf(journalPath(memory), query, (line) => rowOfJournal(line, memory.root))],
      query.count,
    );
  }
  return rows;
}

/**
 * For one session, while others wait: a look for its id costs a tenth of understanding all indexes.
 */
export function projectNaming(
  sessionId: string,
  memories: readonly ProjectMemory[],
): string | null {
  const named = Buffer.from(JSON.stringify(sessionId));
  const holds = ({ index }: ProjectMemory) =>
    attempt(() => readFileSync(index).includes(named), false); // no memory yet
  return (
    memories.find((memory) => holds(memory) && linkOutAtTop(memory) === undefined)?.root ?? null
  );
}

function journals(
  memories: readonly ProjectMemory[],
): { memory: ProjectMemory; writtenAt: string }[] {
  const written = memories.flatMap((memory) => {
    const info = statSync(journalPath(memory), { throwIfNoEntry: false });
    return info === undefined ? [] : [{ memory, writtenAt: info.mtime.toISOString() }];
  });
  return written.sort((one, other) => (one.writtenAt < other.writtenAt ? 1 : -1));
}

function newestOf(
  path: string,
  { project, before, count }: ActivityQuery,
  rowOf: (line: string) => ActivityRow | undefined,
): ActivityRow[] {
  const file = openIfThere(path);
  if (file === undefined) return [];
  const rows: ActivityRow[] = [];
  try {
    for (const line of linesFromEnd(file, fstatSync(file).size, LOOK_BACK_BYTES)) {
      const row = rowBefore(line.toString('utf8'), before, rowOf);
      if (row === undefined) continue;
      if (project !== undefined && row.project !== project) continue;
      if (rows.length >= count && row.at !== rows.at(-1)?.at) break;
      rows.push(row);
    }
    return rows;
  } finally {
    closeSync(file);
  }
}

/** Most lines of the way back are too new, and need not be parsed to know it. */
function rowBefore(
  line: string,
  before: string | undefined,
  rowOf: (line: string) => ActivityRow | undefined,
) {
  if (before === undefined) return rowOf(line);
  const [, at = ''] = /"at":"(\d{4}-[^"]*)"/.exec(line) ?? [];
  if (at >= before) return undefined;
  const row = rowOf(line);
  return row === undefined || row.at >= before ? undefined : row;
}

function givenRows(
  places: Places,
  projectOf: ProjectOf,
  { project, before, count }: ActivityQuery,
): ActivityRow[] {
  const folder = givenFolder(places);
  const files = attempt(() => readdirSync(folder), []).flatMap((name) => {
    const sessionId = name.endsWith('.txt') ? name.slice(0, -'.txt'.length) : '';
    const at = statSync(join(folder, name), { throwIfNoEntry: false })?.mtime;
    const isWanted =
      isSessionId(sessionId) &&
      at !== undefined &&
      (before === undefined || at.toISOString() < before);
    return isWanted ? [{ sessionId, at }] : [];
  });
  return files
    .filter(({ sessionId }) => project === undefined || projectOf(sessionId) === project)
    .sort((one, other) => other.at.getTime() - one.at.getTime())
    .slice(0, count)
    .map(({ sessionId, at }) =>
      rowOfGiven(at, sessionId, readGiven(places, sessionId) ?? '', projectOf(sessionId)),
    );
}

function newest(rows: readonly ActivityRow[], count: number): ActivityRow[] {
  const sorted = rows.toSorted((one, other) =>
    one.at < other.at ? 1 : one.at > other.at ? -1 : 0,
  );
  const last = sorted[count - 1]?.at ?? '';
  return sorted.filter(({ at }, i) => i < count || at === last);
}
