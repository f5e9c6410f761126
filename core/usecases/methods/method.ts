/**
 * What a method is: the arguments it takes, where it runs, and its handler, declared together and
 * nowhere registered again. Arguments from outside are parsed with the schema before a handler sees
 * them.
 */
import * as v from 'valibot';
import { SessionId } from '../../platform/store/session-id.ts';
import type { ChosenFiles } from '../live/chosen-files.ts';
import type { StateFeed } from '../live/state-feed.ts';
import type { MemoryContext, System } from '../memory/memory-context.ts';
import type { ProjectList } from '../memory/project-list.ts';

/** A thread of the application; calls in one thread are answered one after the other. */
export type ThreadName = 'memory' | 'search' | 'work' | 'backfill' | 'doctor' | 'activity';

/** What a method of the running application can use. */
export interface ApplicationContext {
  system: System;
  feed: StateFeed;
  projects: ProjectList;
  /** Files that the user chose; a window knows only their ids. */
  files: ChosenFiles;
  /** Reads the memory of the first projects before a page asks for it. */
  warmFirst(): void;
  /** Polls now instead of waiting for the file watchers. */
  refresh(): void;
  /** The next call of this shared method starts over. */
  forgetShared(method: string): void;
}

type ParsedEntries<E extends v.ObjectEntries> = v.InferOutput<v.StrictObjectSchema<E, undefined>>;

/** Runs in the process that calls it; needs neither caches nor the running application. */
export function anywhere<E extends v.ObjectEntries, R>(
  entries: E,
  handler: (system: System, args: ParsedEntries<E>) => R,
  options: {
    /** What the running application does once it is done. */
    afterwards?: (application: ApplicationContext) => void;
  } = {},
) {
  return { runs: 'anywhere', arguments: v.strictObject(entries), handler, ...options } as const;
}

/** Needs the running application: its live state, its windows. */
export function inApplication<E extends v.ObjectEntries, R>(
  entries: E,
  handler: (application: ApplicationContext, args: ParsedEntries<E>) => R,
) {
  return { runs: 'application', arguments: v.strictObject(entries), handler } as const;
}

/** Waits for the disk, so the application runs it in a thread, and a command runs it as it is. */
export function inThread<E extends v.ObjectEntries, R>(
  thread: ThreadName,
  entries: E,
  handler: (context: MemoryContext, args: ParsedEntries<E>) => R,
  options: {
    /** Turns what a window may name into what the handler needs. */
    prepare?: (application: ApplicationContext, args: ParsedEntries<E>) => ParsedEntries<E>;
    /** Whoever asks while it runs gets the same result. */
    isShared?: boolean;
  } = {},
) {
  return {
    runs: 'thread',
    thread,
    arguments: v.strictObject(entries),
    handler,
    ...options,
  } as const;
}

const MAX_PAGE = 1000;
const MAX_TEXT = 16 * 1024 * 1024;

/** The root folder of a project that the engine knows; others are refused where it is used. */
export const project = v.pipe(v.string(), v.minLength(1), v.maxLength(4096));
export const sessionId = SessionId;
/** Tells two processes with the same session apart. */
export const pid = v.pipe(v.number(), v.integer(), v.minValue(1));
export const from = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0);
export const count = v.optional(
  v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_PAGE)),
  200,
);
export const text = v.pipe(v.string(), v.maxLength(MAX_TEXT));
export const time = v.pipe(v.string(), v.isoTimestamp());
/** The version that a change was made from: another one on disk is a conflict. */
export const base = v.pipe(v.string(), v.maxLength(100));
/** Stands for a file that the user has chosen; a path is none. */
export const fileId = v.pipe(v.string(), v.uuid());

/** The result of a method that has nothing to report. */
export type Done = Record<string, never>;
export const DONE: Done = {};
