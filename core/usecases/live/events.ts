/** What the engine reports by itself. */
import type { ActivityRow } from '../memory/activity-rows.ts';
import type { WorkProgress } from '../memory/long-work.ts';
import type { DoctorProgress } from '../memory/memory-context.ts';
import type { LiveState } from './state-feed.ts';

export interface Events {
  state: LiveState;
  activity: ActivityRow;
  /** Files of a project's memory have changed, whoever changed them. */
  memory: { project: string };
  settings: { project: string | null };
  work: WorkProgress;
  doctor: DoctorProgress;
}
export type EventName = keyof Events;
export type EngineEvent = { [K in EventName]: { name: K; value: Events[K] } }[EventName];
