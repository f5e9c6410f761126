/**
 * What a check of the doctor is, and what all of them look at. Things that several checks need (the
 * plugin's status, the live sessions, the projects) are asked for once, by whoever comes first; a
 * question that fails fails for each check that needs it, and for no other.
 */

import type { SessionStatus } from '../claude/status/session-status.ts';
import { StatusTracker } from '../claude/status/status-tracker.ts';
import type { ClearingOptions } from '../clear/clearing.ts';
import { type Message, message } from '../messages/message.ts';
import { type PluginOptions, pluginStatus } from '../plugin/install.ts';
import type { PluginStatus } from '../plugin/plugin-status.ts';
import { knownProjects } from '../projects/known-projects.ts';
import type { ProjectMemory } from '../projects/project-memory.ts';
import type { Finding } from './finding.ts';

const SHOWN = 5;

export interface DoctorOptions extends ClearingOptions, PluginOptions {
  /**
   * The caller is itself an application that clears sessions. It counts as one, though it is not in
   * the list of others.
   */
  isWatching?: boolean;
  /** How long one check may take. */
  limitMs?: number;
  /** How many bytes are free where a path lies. */
  freeBytes?: (path: string) => Promise<number>;
  now?: () => number;
}

/** What a check says beside its title and why it matters. */
export type Result = Pick<Finding, 'state' | 'found'> & Partial<Pick<Finding, 'mend' | 'fix'>>;

export interface Check {
  id: string;
  title: Message;
  why: Message;
  look(patient: Patient): Result | Promise<Result>;
}

export function sessionName({ project, pid }: SessionStatus): Message {
  return message('doctor.session', { project, pid: String(pid) });
}

/** Of a long list the first few, and how many more there are. */
export function firstOf(lines: readonly (Message | string)[]): (Message | string)[] {
  const more = lines.length - SHOWN;
  return more <= 0
    ? [...lines]
    : [...lines.slice(0, SHOWN), message('doctor.andMore', { count: more })];
}

export class Patient {
  readonly options: DoctorOptions;
  readonly now: number;
  #plugin: Promise<PluginStatus> | undefined;
  #sessions: Promise<SessionStatus[]> | undefined;
  #projects: ProjectMemory[] | undefined;

  constructor(options: DoctorOptions) {
    this.options = options;
    this.now = options.now?.() ?? Date.now();
  }

  get platform(): NodeJS.Platform {
    return this.options.platform ?? process.platform;
  }

  plugin(): Promise<PluginStatus> {
    this.#plugin ??= pluginStatus(this.options);
    return this.#plugin;
  }

  sessions(): Promise<SessionStatus[]> {
    this.#sessions ??= new StatusTracker(this.options).look().then(({ sessions }) => sessions);
    return this.#sessions;
  }

  projects(): ProjectMemory[] {
    this.#projects ??= knownProjects(this.options.places, this.options.env);
    return this.#projects;
  }
}
