/**
 * What a check of the doctor is, and what several checks need: the plugin's status, the live
 * sessions, the projects. Each is read once; a failure concerns only the checks that need it.
 */
import type { SessionStatus } from '../claude/status/session-status.ts';
import { StatusTracker } from '../claude/status/status-tracker.ts';
import type { ClearingOptions } from '../clear/clearing.ts';
import { type Message, type MessageCode, message } from '../messages/message.ts';
import { type PluginOptions, type PluginStatus, pluginStatus } from '../plugin/plugin-status.ts';
import { knownProjects } from '../projects/known-projects.ts';
import type { ProjectMemory } from '../projects/project-memory.ts';
import type { Finding, FindingState, Fix } from './finding.ts';

const SHOWN = 5;

export interface DoctorOptions extends ClearingOptions, PluginOptions {
  /** The caller is itself an application that clears sessions. */
  isWatching?: boolean;
  checkTimeoutMs?: number;
  /** How many bytes are free on the disk of a path. */
  freeBytes?: (path: string) => Promise<number>;
  now?: () => number;
}

/** What a check says beside its title and why it matters. */
export interface Result extends Pick<Finding, 'state' | 'found'> {
  mend?: Message | undefined;
  fix?: Fix | undefined;
}

const resultOf =
  (state: FindingState) =>
  (found: Message, mend?: Message, fix?: Fix): Result => ({ state, found, mend, fix });

export const well = resultOf('well');
export const notice = resultOf('notice');
export const problem = resultOf('problem');
export const NEEDS_CLAUDE: Result = { state: 'unknown', found: message('doctor.needsClaude') };

type TopicOf<Code> = Code extends `doctor.${infer Topic}Title` ? Topic : never;

/** `doctor.<topic>Title` is its title, `doctor.<topic>Why` says why it matters. */
export interface Check {
  id: string;
  topic: TopicOf<MessageCode>;
  run: (patient: Patient) => Result | Promise<Result>;
}

export function sessionName({ project, pid }: SessionStatus): Message {
  return message('doctor.session', { project, pid: String(pid) });
}

/** The first few of a long list, and how many more there are. */
export function firstFew(lines: readonly (Message | string)[]): (Message | string)[] {
  const count = lines.length - SHOWN;
  const more = count > 0 ? [message('doctor.andMore', { count })] : [];
  return [...lines.slice(0, SHOWN), ...more];
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
    this.#sessions ??= new StatusTracker(this.options).report().then(({ sessions }) => sessions);
    return this.#sessions;
  }

  projects(): ProjectMemory[] {
    this.#projects ??= knownProjects(this.options.places);
    return this.#projects;
  }
}
