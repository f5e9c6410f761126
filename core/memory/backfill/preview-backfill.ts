/**
 * Says what a backfill would bring (L1d), before anything is written: how many conversations, of
 * which projects, from when, what it takes to read them and what they will take on disk. The user
 * leaves projects out by their folder, and says from which day on.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { nameOf, projectRoot } from '../../platform/project/project-place.ts';
import type { Places } from '../../platform/store/places.ts';
import { readSettings } from '../../settings/settings.ts';
import {
  type BackfillChoice,
  type BackfillRecord,
  undoableBackfill,
  unfinishedBackfill,
} from './backfill-record.ts';
import { findPastSessions, type PassedOver, type PastSession } from './past-sessions.ts';
import { type TranscriptDays, transcriptDays } from './transcript-days.ts';

export interface BackfillProject {
  /** What `only` and `except` name it by. */
  root: string;
  name: string;
  /** Its folder no longer exists: it gets a memory that can be linked later (`memory link`). */
  isGone: boolean;
  /** By `only` or `except`; the totals do not count it. */
  isLeftOut: boolean;
  sessions: number;
  /** To be read. */
  bytes: number;
  /** About what L1 will take on disk. */
  diskBytes: number;
  /** ISO times: when the first of them began, and the last ended. */
  oldest: string;
  newest: string;
}

export interface BackfillPreview {
  /** The one with the newest conversation first. */
  projects: BackfillProject[];
  sessions: number;
  /** How many of these run now: hooks keep them, so nobody needs to be told of them. */
  running: number;
  bytes: number;
  diskBytes: number;
  /** Null if there is nothing to import. */
  oldest: string | null;
  newest: string | null;
  passedOver: PassedOver & {
    /** Older than `since`, or than the user wants conversations to be kept. */
    tooOld: number;
  };
  /** After how many days Claude Code deletes transcripts. */
  transcriptDays: TranscriptDays;
  /** Was cancelled or killed; importing again continues it. */
  unfinished: BackfillRecord | null;
  /** What an undo would take back. */
  undoable: BackfillRecord | null;
}

/** Measured on public transcripts of many versions; old conversations are packed on top of that. */
const L1_SHARE = 0.05;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface ChosenSessions {
  /** Oldest first, by root. */
  wanted: Map<string, PastSession[]>;
  leftOut: Map<string, PastSession[]>;
  passedOver: BackfillPreview['passedOver'];
}

export function chooseSessions(
  places: Places,
  env: NodeJS.ProcessEnv,
  choice: BackfillChoice,
  now = Date.now(),
): ChosenSessions {
  const { sessions, passedOver } = findPastSessions(places, env);
  const rootsOf = (folders: readonly string[]) =>
    new Set(folders.flatMap((folder) => [folder, projectRoot(places, resolve(folder), env)]));
  const [only, except] = [rootsOf(choice.only), rootsOf(choice.except)];
  const since = choice.since === undefined ? 0 : Date.parse(choice.since);
  const wanted = new Map<string, PastSession[]>();
  const leftOut = new Map<string, PastSession[]>();
  const oldestOf = new Map<string, number>();
  let tooOld = 0;
  for (const session of sessions) {
    const { root } = session;
    if (!oldestOf.has(root)) oldestOf.set(root, oldestKept(places, root, now));
    if (Date.parse(session.endedAt) < Math.max(since, oldestOf.get(root) ?? 0)) {
      tooOld++;
      continue;
    }
    const isWanted = (only.size === 0 || only.has(root)) && !except.has(root);
    const list = isWanted ? wanted : leftOut;
    list.set(root, [...(list.get(root) ?? []), session]);
  }
  return { wanted, leftOut, passedOver: { ...passedOver, tooOld } };
}

/** What retention would put into the trash the next day is not brought in. */
function oldestKept(places: Places, root: string, now: number): number {
  const { l1Days } = readSettings(places, root).settings.retention;
  return l1Days > 0 ? now - l1Days * DAY_MS : 0;
}

export function previewBackfill(
  places: Places,
  env: NodeJS.ProcessEnv,
  choice: BackfillChoice,
  /** Ids of sessions that run now. */
  live: ReadonlySet<string> = new Set(),
): BackfillPreview {
  const { wanted, leftOut, passedOver } = chooseSessions(places, env, choice);
  const projects = [
    ...[...wanted].map(([root, sessions]) => projectOf(root, sessions, false)),
    ...[...leftOut].map(([root, sessions]) => projectOf(root, sessions, true)),
  ].sort((one, other) => (one.newest > other.newest ? -1 : 1));
  const chosen = projects.filter(({ isLeftOut }) => !isLeftOut);
  const sum = (figure: (project: BackfillProject) => number) =>
    chosen.reduce((total, project) => total + figure(project), 0);
  return {
    projects,
    sessions: sum(({ sessions }) => sessions),
    running: [...wanted.values()].flat().filter(({ sessionId }) => live.has(sessionId)).length,
    bytes: sum(({ bytes }) => bytes),
    diskBytes: sum(({ diskBytes }) => diskBytes),
    oldest: chosen.map(({ oldest }) => oldest).sort()[0] ?? null,
    newest: chosen[0]?.newest ?? null,
    passedOver,
    transcriptDays: transcriptDays(places),
    unfinished: unfinishedBackfill(places) ?? null,
    undoable: undoableBackfill(places) ?? null,
  };
}

function projectOf(
  root: string,
  sessions: readonly PastSession[],
  isLeftOut: boolean,
): BackfillProject {
  const bytes = sessions.reduce((sum, { unread }) => sum + unread, 0);
  return {
    root,
    name: nameOf(root),
    isGone: !existsSync(root),
    isLeftOut,
    sessions: sessions.length,
    bytes,
    diskBytes: Math.round(bytes * L1_SHARE),
    oldest: sessions[0]?.startedAt ?? '',
    newest:
      sessions
        .map(({ endedAt }) => endedAt)
        .sort()
        .at(-1) ?? '',
  };
}
