/**
 * The projects that the window may ask about (M1): those with a memory, and those in which a
 * session runs now. Refuses all others.
 */
import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { noteIn } from '../../platform/project/project-place.ts';
import type { Places } from '../../platform/store/places.ts';
import { knownProjects } from '../../projects/known-projects.ts';
import {
  findProjectMemory,
  type ProjectMemory,
  projectMemory,
} from '../../projects/project-memory.ts';

export interface ProjectSummary {
  root: string;
  name: string;
  /** Where its checkout was, if that is gone or another one lies there now; else null. */
  formerRoot: string | null;
  /** Where its memory lies. */
  folder: string;
  hasMemory: boolean;
  liveSessions: number;
}

const REFRESH_INTERVAL_MS = 30_000;

export class ProjectList {
  readonly #places: Places;
  readonly #sessionRoots: () => readonly string[];
  #roots: string[] = [];
  #refreshedAt = 0;

  /** `sessionRoots`: the project of each session that runs. */
  constructor(places: Places, sessionRoots: () => readonly string[]) {
    this.#places = places;
    this.#sessionRoots = sessionRoots;
  }

  /** Those in which a session runs come first. */
  summaries(): ProjectSummary[] {
    return this.memories().map(({ root, base, name, folder, index }) => ({
      root,
      name,
      formerRoot: formerRootOf({ root, base }),
      folder,
      hasMemory: existsSync(index),
      liveSessions: this.#sessionRoots().filter((other) => other === root).length,
    }));
  }

  memories(): ProjectMemory[] {
    if (Date.now() - this.#refreshedAt > REFRESH_INTERVAL_MS) {
      this.#roots = knownProjects(this.#places).map(({ root }) => root);
      this.#refreshedAt = Date.now();
    }
    const roots = new Set([...this.liveRoots(), ...this.#roots]);
    const all = [...roots].map((root) => projectMemory(this.#places, root));
    // A project that was linked since is known by two roots for a moment.
    return [...new Map(all.map((memory) => [memory.base, memory])).values()];
  }

  /** The next question is answered from the disk. */
  lookAgain(): void {
    this.#refreshedAt = 0;
  }

  liveRoots(): string[] {
    return [...new Set(this.#sessionRoots())];
  }

  isLive(root: string): boolean {
    return this.#sessionRoots().includes(root);
  }

  assertAllowed(root: string): void {
    allowedMemory(this.#places, root, (path) => this.isLive(path));
  }
}

function formerRootOf({ root, base }: Pick<ProjectMemory, 'root' | 'base'>): string | null {
  if (root !== base) return existsSync(root) ? null : root;
  return noteIn(base).root ?? null;
}

export function allowedMemory(
  places: Places,
  root: string,
  isLive: (root: string) => boolean,
): ProjectMemory {
  const refused = new ExpectedError(message('memory.unknownProject', { path: root }));
  if (!isAbsolute(root) || resolve(root) !== root || root.includes('\0')) throw refused;
  const memory =
    findProjectMemory(places, root) ?? (isLive(root) ? projectMemory(places, root) : undefined);
  if (memory === undefined) throw refused;
  const hasMemory = existsSync(memory.index);
  if (!hasMemory && !isLive(root)) throw refused;
  if (!hasMemory && !existsSync(root))
    throw new ExpectedError(message('memory.projectGone', { path: root }));
  return memory;
}
