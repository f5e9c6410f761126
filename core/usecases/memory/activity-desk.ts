/**
 * Answers queries of the activity list, in a thread (G2). To find the project of a session that has
 * ended it reads the index of every memory; that is slow, so it reads an index again only after a
 * change.
 */

import { readMemoryIndex } from '../../memory/log/memory-index.ts';
import { fileMark } from '../../platform/store/file-mark.ts';
import type { Places } from '../../platform/store/places.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { type ActivityQuery, listActivity } from './activity-log.ts';
import type { ActivityRow } from './activity-rows.ts';
import { ProjectList } from './project-list.ts';

/** Of sessions that run, or were cleared of late, their projects. */
export type ProjectsOfSessions = Readonly<Record<string, string>>;

export class ActivityDesk {
  readonly #places: Places;
  readonly #projects: ProjectList;
  readonly #indexes = new Map<string, { identity: string; sessions: ReadonlySet<string> }>();
  #live: ProjectsOfSessions = {};

  constructor(places: Places, env: NodeJS.ProcessEnv) {
    this.#places = places;
    this.#projects = new ProjectList(places, env, () =>
      Object.values(this.#live).map((projectRoot) => ({ projectRoot })),
    );
  }

  list(query: ActivityQuery, live: ProjectsOfSessions): ActivityRow[] {
    this.#live = live;
    const memories = this.#projects.memories();
    let sessions: Map<string, string> | undefined;
    const projectOf = (sessionId: string) => {
      sessions ??= new Map(
        memories.flatMap((memory) =>
          [...this.#sessionsIn(memory)].map((id) => [id, memory.root] as const),
        ),
      );
      return live[sessionId] ?? sessions.get(sessionId) ?? null;
    };
    return listActivity(this.#places, memories, projectOf, query);
  }

  #sessionsIn(memory: ProjectMemory): ReadonlySet<string> {
    const identity = fileMark(memory.index);
    const known = this.#indexes.get(memory.root);
    if (known?.identity === identity) return known.sessions;
    const sessions = new Set(Object.keys(readMemoryIndex(memory).sessions));
    this.#indexes.set(memory.root, { identity, sessions });
    return sessions;
  }
}
