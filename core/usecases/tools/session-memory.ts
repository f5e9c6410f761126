/**
 * The memory that tools may look into (K8): that of the project which Claude Code was started in,
 * found by its identity (M1) as hooks find it. No argument of a tool can name another.
 */
import { existsSync } from 'node:fs';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { keepMachineIdIn } from '../../platform/store/machine.ts';
import { type Places, placesFrom } from '../../platform/store/places.ts';
import { findProjectMemory } from '../../projects/project-memory.ts';
import { ProjectCache } from '../memory/project-cache.ts';

export class SessionMemory {
  readonly places: Places;
  readonly #folder: string;
  #project: ProjectCache | undefined;

  constructor(env: NodeJS.ProcessEnv, cwd: string) {
    this.places = placesFrom(env);
    this.#folder = env.CLAUDE_PROJECT_DIR || cwd;
    keepMachineIdIn(this.places.home);
  }

  /** Looked up anew each time: a project may be linked to another memory meanwhile. */
  get project(): ProjectCache {
    const memory = findProjectMemory(this.places, this.#folder);
    if (memory === undefined || !existsSync(memory.index))
      throw new ExpectedError(message('tools.nothingKept'));
    if (this.#project?.memory.base !== memory.base) this.#project = new ProjectCache(memory);
    return this.#project;
  }
}
