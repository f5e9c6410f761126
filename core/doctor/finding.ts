/**
 * What the doctor finds (G4, G8): the same for the window and the command line. Plain data, in
 * words that a person understands.
 */

export const FIX_IDS = [
  'plugin-install',
  'plugin-update',
  'plugin-repair',
  'permissions',
  'resume-clears',
  'auto-compact-off',
  'auto-compact-on',
  'status-line-connect',
  'status-line-disconnect',
] as const;
export type FixId = (typeof FIX_IDS)[number];

/**
 * `notice`: it works, but the user may want to know. `unknown`: it could not be found out, and why.
 */
export type FindingState = 'well' | 'notice' | 'problem' | 'unknown';

export interface Fix {
  id: FixId;
  label: string;
  /** What it would change, line by line. */
  preview: string[];
}

export interface Finding {
  id: string;
  title: string;
  state: FindingState;
  found: string;
  /** Why it matters. */
  why: string;
  /** How to mend it; empty where there is nothing to mend. */
  mend: string;
  fix?: Fix;
}

export interface FixDone {
  id: FixId;
  /** What was done, line by line. */
  done: string[];
}
