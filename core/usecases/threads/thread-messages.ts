/** What goes between the application and its threads; all of it plain data. */
import type { Places } from '../../platform/store/places.ts';
import type { ProjectsOfSessions } from '../memory/activity-list.ts';
import type { WorkProgress } from '../memory/long-work.ts';
import type { DoctorProgress } from '../memory/memory-context.ts';
import type { Answer } from '../methods/answer.ts';

export interface ThreadStart {
  places: Places;
  /** Of the environment, what the language and the places depend on. */
  env: Record<string, string>;
  /** The plugin that comes along with this program, for the doctor. */
  carried: string | null;
}

/** Not a method: no window can ask for it. */
export const TIDY = 'tidy';

export interface ThreadCall {
  id: number;
  method: string;
  args: unknown;
  /** A session runs in the project asked about. */
  isLive: boolean;
  /** For the list of activity. */
  projects: ProjectsOfSessions | undefined;
}

export type ThreadMessage =
  | { id: number; answer: Answer }
  | { progress: WorkProgress }
  | { doctor: DoctorProgress };
