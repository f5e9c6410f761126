/** What the doctor finds (G4, G8): the same for the window and the command line. Plain data. */
import type { Message } from '../messages/message.ts';

export const FIX_IDS = [
  'plugin-install',
  'plugin-update',
  'plugin-repair',
  'permissions',
  'resume-clears',
  'remove-old-memory',
  'auto-compact-off',
  'auto-compact-on',
  'long-turns-on',
  'long-turns-off',
  'status-line-connect',
  'status-line-disconnect',
] as const;
export type FixId = (typeof FIX_IDS)[number];

/** `notice`: it works, but the user may want to know. `unknown`: the check failed, and why. */
export type FindingState = 'well' | 'notice' | 'problem' | 'unknown';

export interface Fix {
  id: FixId;
  label: Message;
  /** What it would change, line by line. */
  preview: Message[];
}

export interface Finding {
  id: string;
  /** What was checked. */
  title: Message;
  state: FindingState;
  found: Message;
  /** Why it matters. */
  why: Message;
  /** What to do about it, beside the fix; null where there is nothing to do, or the fix says it. */
  mend: Message | null;
  fix?: Fix;
}

export interface FixDone {
  id: FixId;
  /** What was done, line by line. */
  done: Message[];
}
