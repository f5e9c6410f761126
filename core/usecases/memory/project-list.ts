/**
 * The projects that the window may ask about (M1): those with a memory, and those in which a
 * session runs now. Others are refused.
 */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Places } from '../../platform/store/places.ts';
import { knownProjects } from '../../projects/known-projects.ts';
import { type ProjectMemory, projectMemory } from '../../projects/project-memory.ts';
import { knownProject } from './known-project.ts';

export interface ProjectSummary {
  root: string;
  name: string;
  /** Where its memory lies. */
  folder: string;
  hasMemory: boolean;
  liveSessions: number;
}

/** To find them all takes a look into a transcript of each. */
const KEEP_MS = 30_000;

export class ProjectList {
  readonly #places: Places;
  readonly #env: NodeJS.ProcessEnv;
  readonly #sessions: () => readonly { projectRoot: string }[];
  #roots: string[] = [];
  #lookedAt = 0;

  constructor(
    places: Places,
    env: NodeJS.ProcessEnv,
    sessions: () => readonly { projectRoot: string }[],
  ) {
    this.#places = places;
    this.#env = env;
    this.#sessions = sessions;
  }

  /** Those in which a session runs come first. */
  summaries(): ProjectSummary[] {
    return this.memories().map(({ root, folder, index }) => ({
      root,
      name: basename(root) || root,
      folder,
      hasMemory: existsSync(index),
      liveSessions: this.#sessions().filter(({ projectRoot }) => projectRoot === root).length,
    }));
  }

  memories(): ProjectMemory[] {
    return this.#all().map((root) => projectMemory(this.#places, root));
  }

  liveRoots(): string[] {
    return [...new Set(this.#sessions().map(({ projectRoot }) => projectRoot))];
  }

  /** Whether a session runs there; those with a memory are known by it. */
  isLive(root: string): boolean {
    return this.#sessions().some(({ projectRoot }) => projectRoot === root);
  }

  assertKnown(root: string): void {
    knownProject(this.#places, root, (made) => this.isLive(made));
  }

  #all(): string[] {
    if (Date.now() - this.#lookedAt > KEEP_MS) {
      this.#roots = knownProjects(this.#places, this.#env).map(({ root }) => root);
      this.#lookedAt = Date.now();
    }
    return [...new Set([...this.liveRoots(), ...this.#roots])];
  }
}
