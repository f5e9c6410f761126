/**
 * Takes in the conversations of all projects on this machine (L1d), the oldest first, with the same
 * `saveL1` that hooks use: what is saved already is not saved again, and a kill at any moment loses
 * nothing. It gives way between sessions, so that its host can cancel it.
 */
import { basename } from 'node:path';
import { setImmediate as giveWay } from 'node:timers/promises';
import { ExpectedError, isExpected, messageOf } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import { attempt, errorCode } from '../../platform/store/attempt.ts';
import type { Places } from '../../platform/store/places.ts';
import { grouped } from '../../platform/text/grouped.ts';
import { knownProjects } from '../../projects/known-projects.ts';
import { type ProjectMemory, projectMemory } from '../../projects/project-memory.ts';
import { type L1Result, type SaveOptions, saveL1 } from '../log/l1-store.ts';
import { readMemoryIndex, type SessionProgress } from '../log/memory-index.ts';
import {
  type BackfillChoice,
  type BroughtSession,
  closeBackfill,
  isCancelled,
  noteBrought,
  openBackfill,
  unfinishedBackfill,
} from './backfill-record.ts';
import { type DatedSession, recordDatedSummaries } from './dated-summary.ts';
import type { PastSession } from './past-sessions.ts';
import { chooseSessions } from './preview-backfill.ts';

export interface BackfillProgress {
  sessionsDone: number;
  sessionsTotal: number;
  bytesDone: number;
  bytesTotal: number;
  /** The project that is being imported; empty before the first. */
  project: string;
  projectName: string;
  isOver: boolean;
}

export interface BackfillResult {
  /** Empty if there was nothing to do. */
  id: string;
  /** `stopped`: an error that would meet every session, such as a full disk. */
  state: 'done' | 'cancelled' | 'stopped';
  sessions: number;
  entries: number;
  /** Read, and written as L1. */
  bytes: number;
  l1Bytes: number;
  projects: { root: string; name: string; sessions: number }[];
  /** What was chosen, by now or when it was begun. */
  choice: BackfillChoice;
  /** Left for the next time, after a cancel or an error. */
  left: number;
  problems: Message[];
}

export interface BackfillRun {
  places: Places;
  env: NodeJS.ProcessEnv;
  choice: BackfillChoice;
  /** When the user asked for it. */
  askedAt: number;
  /** Ids of sessions that run now. */
  live: ReadonlySet<string>;
  onProgress: (progress: BackfillProgress) => void;
  /** How long others wait for the index while a long transcript is read. */
  portionMs?: number;
  /** Called when all of a project is in. */
  afterProject: (memory: ProjectMemory) => void;
}

/** Errors that the next session would meet too. */
const FATAL = ['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE'];
const PORTION_MS = 500;
/** The documents are written once for so many sessions. */
const SESSIONS_AT_ONCE = 25;
const MAX_PROBLEMS = 20;

export async function runBackfill(run: BackfillRun): Promise<BackfillResult> {
  const { wanted } = chooseSessions(run.places, run.env, run.choice);
  if (wanted.size === 0 && unfinishedBackfill(run.places) === undefined)
    return { ...NOTHING, choice: run.choice };
  const { id, brought } = openBackfill(run.places, run);
  return new Backfill(run, id, wanted, brought).run();
}

const NOTHING: BackfillResult = {
  id: '',
  state: 'done',
  sessions: 0,
  entries: 0,
  bytes: 0,
  l1Bytes: 0,
  projects: [],
  choice: { only: [], except: [] },
  left: 0,
  problems: [],
};

class Backfill {
  readonly #run: BackfillRun;
  readonly #id: string;
  readonly #wanted: [string, PastSession[]][];
  /** By this run or one before. */
  readonly #noted: BroughtSession[];
  readonly #result: BackfillResult;
  readonly #progress: BackfillProgress;

  constructor(
    run: BackfillRun,
    id: string,
    wanted: ReadonlyMap<string, PastSession[]>,
    brought: readonly BroughtSession[],
  ) {
    this.#run = run;
    this.#id = id;
    this.#wanted = [...wanted].sort(([, one], [, other]) =>
      newestOf(one) > newestOf(other) ? -1 : 1,
    );
    this.#noted = [...brought];
    const all = this.#wanted.flatMap(([, sessions]) => sessions);
    this.#result = { ...NOTHING, id, projects: [], choice: run.choice, problems: [] };
    this.#progress = {
      sessionsDone: 0,
      sessionsTotal: all.length,
      bytesDone: 0,
      bytesTotal: all.reduce((sum, { unread }) => sum + unread, 0),
      project: '',
      projectName: '',
      isOver: false,
    };
  }

  async run(): Promise<BackfillResult> {
    const result = this.#result;
    try {
      this.#report();
      for (const [root, sessions] of this.#wanted) {
        await this.#importProject(root, sessions);
        if (result.state !== 'done') break;
      }
      if (result.state === 'done') this.#finishEarlier();
      result.left = this.#progress.sessionsTotal - this.#progress.sessionsDone;
      return result;
    } catch (error) {
      result.state = 'stopped';
      throw error;
    } finally {
      this.#close();
      this.#progress.isOver = true;
      this.#report();
    }
  }

  /** An earlier run may have been killed when all of a project was in, and not tidied up. */
  #finishEarlier(): void {
    const done = new Set(this.#result.projects.map(({ root }) => root));
    for (const memory of knownProjects(this.#run.places)) {
      const isOurs = this.#noted.some(({ place }) => place === basename(memory.base));
      if (isOurs && !done.has(memory.root)) this.#run.afterProject(memory);
    }
  }

  /** On a full disk even this may fail; the record then names a process that has ended. */
  #close(): void {
    const { state } = this.#result;
    attempt(
      () => closeBackfill(this.#run.places, this.#id, { state, ...this.#brought() }),
      undefined,
    );
  }

  /** Of what was noted, what is in memory: a batch is noted before the first of it is saved. */
  #brought(): { sessions: number; projects: number } {
    const ids = grouped(this.#noted, ({ place }) => place);
    const counts = knownProjects(this.#run.places).map((memory) => {
      const own = ids.get(basename(memory.base)) ?? [];
      const { sessions } = own.length === 0 ? { sessions: {} } : readMemoryIndex(memory);
      return own.filter(({ session }) => isBrought(sessions[session])).length;
    });
    return {
      sessions: counts.reduce((sum, count) => sum + count, 0),
      projects: counts.filter((count) => count > 0).length,
    };
  }

  async #importProject(root: string, sessions: readonly PastSession[]): Promise<void> {
    const { places, env } = this.#run;
    try {
      const memory = projectMemory(places, root, env);
      if (memory.problem !== undefined) throw new ExpectedError(memory.problem);
      this.#progress.project = memory.root;
      this.#progress.projectName = memory.name;
      this.#report();
      const project = { root: memory.root, name: memory.name, sessions: 0 };
      this.#result.projects.push(project);
      for (let at = 0; at < sessions.length; at += SESSIONS_AT_ONCE) {
        project.sessions += await this.#importSome(
          memory,
          sessions.slice(at, at + SESSIONS_AT_ONCE),
        );
        if (this.#result.state !== 'done') return;
      }
      this.#run.afterProject(memory);
    } catch (error) {
      this.#note(error, root);
    }
  }

  /** Returns how many it has taken in. */
  async #importSome(memory: ProjectMemory, sessions: readonly PastSession[]): Promise<number> {
    this.#noteBrought(memory, sessions);
    const saved: DatedSession[] = [];
    let count = 0;
    for (const session of sessions) {
      if (isCancelled(this.#run.places, this.#id)) this.#result.state = 'cancelled';
      if (this.#result.state !== 'done') break;
      const done = await this.#importOne(memory, session);
      if (done === undefined) continue;
      count++;
      if (done.isDated) saved.push(done);
    }
    recordDatedSummaries(memory, this.#id, saved);
    return count;
  }

  /** Before anything of them is saved, so that an undo knows. */
  #noteBrought(memory: ProjectMemory, sessions: readonly PastSession[]): void {
    const place = basename(memory.base);
    const noted = new Set(this.#noted.flatMap((one) => (one.place === place ? [one.session] : [])));
    const news = sessions
      .filter((session) => this.#isBackfilled(session) && !noted.has(session.sessionId))
      .map(({ sessionId }) => ({ place, session: sessionId }));
    noteBrought(this.#run.places, this.#id, news);
    this.#noted.push(...news);
  }

  /** Hooks keep the others: those that run now, and those of which they have kept the beginning. */
  #isBackfilled({ sessionId, isKeptInPart }: PastSession): boolean {
    return !isKeptInPart && !this.#run.live.has(sessionId);
  }

  async #importOne(
    memory: ProjectMemory,
    session: PastSession,
  ): Promise<(DatedSession & { isDated: boolean }) | undefined> {
    const { sessionId, transcript, bytes, unread } = session;
    const isDated = this.#isBackfilled(session);
    const options: SaveOptions = {
      isOver: !this.#run.live.has(sessionId),
      mostMs: this.#run.portionMs ?? PORTION_MS,
      ...(isDated && { backfill: { size: bytes } }),
    };
    let saved: L1Result | undefined;
    try {
      do {
        saved = saveL1(memory, { sessionId, transcript }, options);
        this.#result.entries += saved?.added ?? 0;
        await giveWay();
      } while (saved?.isPartial && !isCancelled(this.#run.places, this.#id));
      if (saved === undefined || saved.isPartial) return undefined;
      this.#result.bytes += unread;
      this.#result.l1Bytes += saved.bytes;
      this.#result.sessions++;
      const file = basename(saved.file);
      return { session, file, bytes: saved.bytes, isDated: isDated && file !== '' };
    } catch (error) {
      this.#note(error, transcript);
      return undefined;
    } finally {
      // Of one that was cancelled on the way the rest is left.
      if (!saved?.isPartial) {
        this.#progress.sessionsDone++;
        this.#progress.bytesDone += unread;
      }
      this.#report();
    }
  }

  /** What would fail for the next session too stops it all. */
  #note(error: unknown, path: string): void {
    if (!isExpected(error)) throw error;
    if (FATAL.includes(errorCode(error))) this.#result.state = 'stopped';
    const reason = messageOf(error);
    if (this.#result.problems.length < MAX_PROBLEMS)
      this.#result.problems.push(message('backfill.problem', { path, reason }));
  }

  #report(): void {
    this.#run.onProgress({ ...this.#progress });
  }
}

/** All of it is saved and dated, or it says nothing. */
function isBrought(progress: SessionProgress | undefined): boolean {
  const { file, backfilled } = progress ?? {};
  return backfilled !== undefined && (file === '' || backfilled.dated !== undefined);
}

function newestOf(sessions: readonly PastSession[]): string {
  return sessions.at(-1)?.startedAt ?? '';
}
