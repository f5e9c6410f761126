/**
 * What methods about memory work with: the caches of projects, and where to report progress. A
 * thread of the application has one, and so has a command of the command line.
 */
import type { DoctorOptions } from '../../doctor/check.ts';
import type { BackfillProgress } from '../../memory/backfill/run-backfill.ts';
import { languageFrom } from '../../messages/language.ts';
import { keepMachineIdIn } from '../../platform/store/machine.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { ActivityList, type ProjectsOfSessions } from './activity-list.ts';
import type { WorkProgress } from './long-work.ts';
import { ProjectCache } from './project-cache.ts';
import { allowedMemory } from './project-list.ts';
import { RulesEditor } from './rules.ts';

export type System = DoctorOptions;

/** Whose documents are held in memory. */
const MAX_PROJECTS = 3;

export interface ContextListeners {
  onProgress(progress: WorkProgress): void;
  onDoctor(progress: DoctorProgress): void;
  onBackfill(progress: BackfillProgress): void;
  /** Whether a session runs in a project that has no memory yet; any other path is refused. */
  isLive(root: string): boolean;
}

export type DoctorProgress = { done: number; total: number };

export class MemoryContext {
  readonly system: System;
  readonly listeners: ContextListeners;
  readonly rules: RulesEditor;
  readonly activity: ActivityList;
  /** The projects of the sessions that the application knows. */
  projectsOfSessions: ProjectsOfSessions = {};
  /** When the host made the call that is being answered; it may have waited for others. */
  askedAt: number | undefined;
  /** The least recently used first. */
  readonly #projects = new Map<string, ProjectCache>();

  constructor(system: System, listeners: ContextListeners) {
    this.system = system;
    this.listeners = listeners;
    keepMachineIdIn(system.places.home);
    this.rules = new RulesEditor(system.places, languageFrom(system.env));
    this.activity = new ActivityList(system.places);
  }

  memoryOf(root: string): ProjectMemory {
    return allowedMemory(this.system.places, root, this.listeners.isLive);
  }

  documentsOf(root: string): ProjectCache {
    const memory = this.memoryOf(root);
    const project = this.#projects.get(memory.folder) ?? new ProjectCache(memory);
    this.#projects.delete(memory.folder);
    this.#projects.set(memory.folder, project);
    const [oldest = ''] = this.#projects.keys();
    if (this.#projects.size > MAX_PROJECTS) this.#projects.delete(oldest);
    return project;
  }

  /** Undefined stands for the user's own rules. */
  rulesRoot(root: string | undefined): string | undefined {
    return root === undefined ? undefined : this.memoryOf(root).root;
  }
}
