/**
 * Lists activity of any process, a page at a time (G2), in a thread. Reads each file from its end
 * and only as far as the page needs; of the journals only those that were written since.
 */
import { closeSync, fstatSync, readFileSync, statSync } from 'node:fs';
import { linesFromEnd, openIfThere } from '../../claude/transcript/lines.ts';
import { activityPath } from '../../clear/activity.ts';
import { journalPath } from '../../memory/log/journal.ts';
import { readMemoryIndex } from '../../memory/log/memory-index.ts';
import { attempt } from '../../platform/store/attempt.ts';
import type { Places } from '../../platform/store/places.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import {
  type ActivityRow,
  briefings,
  rowOfActivity,
  rowOfBriefing,
  rowOfJournal,
} from './activity-rows.ts';
import { FileCache } from './file-cache.ts';
import { ProjectList } from './project-list.ts';

const MAX_BYTES_BACK = 16 * 1024 * 1024;

export interface ActivityQuery {
  project?: string | undefined;
  before?: string | undefined;
  count: number;
}

/** Which project a session belongs to. */
export type ProjectOf = (sessionId: string) => string | null;

/** The projects of sessions that run, or were cleared recently. */
export type ProjectsOfSessions = Readonly<Record<string, string>>;

export class ActivityList {
  readonly #places: Places;
  readonly #projects: ProjectList;
  readonly #sessions = new FileCache<string[]>();
  #live: ProjectsOfSessions = {};

  constructor(places: Places) {
    this.#places = places;
    this.#projects = new ProjectList(places, () => Object.values(this.#live));
  }

  /** Newest first. A page has all rows of the time at which it ends, so that the next misses none. */
  list(query: ActivityQuery, live: ProjectsOfSessions): ActivityRow[] {
    this.#live = live;
    const { project, count } = query;
    const memories = this.#projects.memories();
    const path = activityPath(this.#places);
    let rows = newestIn(path, query, rowOfActivity);
    if (rows.length < count) rows.push(...newestIn(`${path}.old`, query, rowOfActivity));
    rows.push(...this.#briefingRows(query, memories));
    rows = newest(rows, count);
    const wanted = memories.filter((memory) => project === undefined || memory.root === project);
    for (const { memory, writtenAt } of newestJournals(wanted)) {
      // This journal, and those written before it, have nothing newer.
      if (rows.length >= count && writtenAt < (rows.at(-1)?.at ?? '')) break;
      const rowOf = (line: string) => rowOfJournal(line, memory.root);
      rows = newest([...rows, ...newestIn(journalPath(memory), query, rowOf)], count);
    }
    return rows;
  }

  #briefingRows(
    { project, before, count }: ActivityQuery,
    memories: readonly ProjectMemory[],
  ): ActivityRow[] {
    const projectOf = this.#projectFinder(memories);
    return briefings(this.#places)
      .filter(({ at }) => before === undefined || at.toISOString() < before)
      .filter(({ sessionId }) => project === undefined || projectOf(sessionId) === project)
      .sort((one, other) => other.at.getTime() - one.at.getTime())
      .slice(0, count)
      .map((briefing) => rowOfBriefing(this.#places, briefing, projectOf(briefing.sessionId)));
  }

  /** Reads the index of every memory, but not before it is asked for a session that has ended. */
  #projectFinder(memories: readonly ProjectMemory[]): ProjectOf {
    let roots: Map<string, string> | undefined;
    return (sessionId) => {
      if (this.#live[sessionId] !== undefined) return this.#live[sessionId];
      roots ??= new Map(
        memories.flatMap((memory) =>
          this.#sessionsIn(memory).map((id) => [id, memory.root] as const),
        ),
      );
      return roots.get(sessionId) ?? null;
    };
  }

  #sessionsIn(memory: ProjectMemory): string[] {
    return this.#sessions.get([memory.index], () => Object.keys(readMemoryIndex(memory).sessions));
  }
}

/** For one session, in a hurry: searching for its id costs a tenth of parsing all indexes. */
export function findProjectOf(
  sessionId: string,
  memories: readonly ProjectMemory[],
): string | null {
  const quoted = JSON.stringify(sessionId);
  const isIn = ({ index }: ProjectMemory) =>
    attempt(() => readFileSync(index).includes(quoted), false); // no memory yet
  return memories.find(isIn)?.root ?? null;
}

function newestJournals(
  memories: readonly ProjectMemory[],
): { memory: ProjectMemory; writtenAt: string }[] {
  const written = memories.flatMap((memory) => {
    const info = statSync(journalPath(memory), { throwIfNoEntry: false });
    return info === undefined ? [] : [{ memory, writtenAt: info.mtime.toISOString() }];
  });
  return written.sort((one, other) => (one.writtenAt < other.writtenAt ? 1 : -1));
}

function newestIn(
  path: string,
  { project, before, count }: ActivityQuery,
  rowOf: (line: string) => ActivityRow | undefined,
): ActivityRow[] {
  const file = openIfThere(path);
  if (file === undefined) return [];
  const rows: ActivityRow[] = [];
  try {
    for (const bytes of linesFromEnd(file, fstatSync(file).size, MAX_BYTES_BACK)) {
      const line = bytes.toString('utf8');
      if (isTooNew(line, before)) continue;
      const row = rowOf(line);
      if (row === undefined || (before !== undefined && row.at >= before)) continue;
      if (project !== undefined && row.project !== project) continue;
      if (rows.length >= count && row.at !== rows.at(-1)?.at) break;
      rows.push(row);
    }
    return rows;
  } finally {
    closeSync(file);
  }
}

/** Without parsing the line: most lines that are read for a later page are too new. */
function isTooNew(line: string, before: string | undefined): boolean {
  if (before === undefined) return false;
  const [, at = ''] = /"at":"(\d{4}-[^"]*)"/.exec(line) ?? [];
  return at >= before;
}

function newest(rows: readonly ActivityRow[], count: number): ActivityRow[] {
  const sorted = rows.toSorted((one, other) =>
    one.at < other.at ? 1 : one.at > other.at ? -1 : 0,
  );
  const last = sorted[count - 1]?.at ?? '';
  return sorted.filter(({ at }, i) => i < count || at === last);
}
