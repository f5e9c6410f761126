/**
 * What goes between the program and the thread in which memory is read and changed; all of it plain
 * data.
 */

import type { Places } from '../../platform/store/places.ts';
import type { Answer, Events, WorkProgress } from '../contract/contract.ts';
import type { ProjectsOfSessions } from './activity-desk.ts';

export interface ThreadStart {
  places: Places;
  /** Of the environment, what the language and the places depend on. */
  env: Record<string, string>;
  /** The plugin that comes along with this program, for the doctor. */
  carried: string | null;
}

/** Nothing that a window may ask. */
export const TIDY = 'tidy';

export interface ThreadCall {
  id: number;
  method: string;
  args: unknown;
  /** The project asked about is one of a live session. */
  isKnown: boolean;
  /** For the list of activity. */
  projects: ProjectsOfSessions | undefined;
}

export type ThreadWord =
  | { id: number; answer: Answer }
  | { progress: WorkProgress }
  | { doctor: Events['doctor'] };
