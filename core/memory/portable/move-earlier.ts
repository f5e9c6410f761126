/**
 * Moves what 0.1.0 kept in projects over into the home (M1, T1). A session that is proven to be the
 * user's own moves by itself, with what models said of it; the rest is left for `adoptEarlier`. The
 * old files stay as they are. Each memory moves once, and again only if 0.1.0 has written since; a
 * kill at any moment loses nothing, because the next run begins again.
 */
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { ExpectedError, isExpected, messageOf } from '../../messages/expected-error.ts';
import type { Message } from '../../messages/message.ts';
import {
  checkoutRoot,
  placeEarlierFolders,
  projectRoot,
} from '../../platform/project/project-place.ts';
import { type DocumentKind, readDocument } from '../../platform/store/document.ts';
import { removeFolder } from '../../platform/store/file-changes.ts';
import { BusyError, withLock } from '../../platform/store/lock.ts';
import { shortHash } from '../../platform/store/owner.ts';
import type { Places } from '../../platform/store/places.ts';
import { makeStaging } from '../../platform/store/staging.ts';
import {
  findProjectMemory,
  type ProjectMemory,
  projectMemory,
} from '../../projects/project-memory.ts';
import {
  firstDirectory,
  transcriptFolders,
  transcriptsIn,
} from '../../projects/project-transcripts.ts';
import { readL1Range } from '../log/l1-store.ts';
import { readMemoryIndex } from '../log/memory-index.ts';
import { bringIn } from './bring-in.ts';
import { stagedMemory } from './contents.ts';
import { EarlierMemory, type EarlierSession } from './earlier-memory.ts';
import { type Move, moveFrom, movesPath, rememberMove } from './earlier-moves.ts';
import { settingsIn } from './earlier-settings.ts';
import { finishImports, stagingParent } from './import-memory.ts';
import { ourCopies } from './project-copy.ts';
import { type SessionProof, sessionProof } from './session-proof.ts';
import { stageEarlier } from './stage-earlier.ts';

/** Years of sessions take minutes; a killed process is noticed sooner. */
const LOCK = { expiryMs: 10 * 60 * 1000, timeoutMs: 1000 };

/** Of the checkout that a folder is in. Undefined if there is nothing to move. */
export function moveEarlierOf(
  places: Places,
  folder: string,
  env: NodeJS.ProcessEnv,
): Move | undefined {
  const earlier = EarlierMemory.inProject(checkoutRoot(folder, env));
  return isDue(places, earlier) ? move(places, earlier, env, sessionProof(places)) : undefined;
}

/** Of all projects that 0.1.0 or Claude Code know. One that fails does not stop the others. */
export function moveAllEarlier(
  places: Places,
  env: NodeJS.ProcessEnv,
): { moves: Move[]; problems: Message[] } {
  const roots = [...new Set([...rootsOf010(places), ...rootsOfTranscripts(places, env)])];
  const inHome = placeEarlierFolders(places, roots, env);
  const due = [
    ...inHome.map(({ base, root }) => EarlierMemory.inHome(base, root)),
    ...roots.map((root) => EarlierMemory.inProject(root)),
  ].filter((earlier) => isDue(places, earlier));
  const problems: Message[] = [];
  const proof = due.length > 0 ? sessionProof(places) : undefined;
  const moves = due.flatMap((earlier) => {
    try {
      return (proof && move(places, earlier, env, proof)) ?? [];
    } catch (error) {
      if (!isExpected(error)) throw error;
      problems.push(messageOf(error));
      return [];
    }
  });
  return { moves, problems };
}

/** Cheap: nearly always there is none, or it has moved. */
function isDue(places: Places, earlier: EarlierMemory): boolean {
  const mark = earlier.mark();
  // In the home folder itself `.claude` is Claude Code's own.
  if (mark === undefined || earlier.path === places.claude) return false;
  return moveFrom(places, earlier.path)?.mark !== mark && !isOurCopy(places, earlier);
}

/** The setting `storage: project` keeps a copy at the same place. */
function isOurCopy(places: Places, earlier: EarlierMemory): boolean {
  const memory = findProjectMemory(places, earlier.root);
  const index = memory && earlier.text('memory-index.json');
  if (memory === undefined || index === undefined) return false;
  return ourCopies(memory)('memory/memory-index.json', index);
}

function move(
  places: Places,
  earlier: EarlierMemory,
  env: NodeJS.ProcessEnv,
  proof: SessionProof,
): Move | undefined {
  try {
    return onlyOne(places, earlier, () => {
      if (!isDue(places, earlier)) return undefined; // another process was faster
      const all = earlier.sessions();
      const sessions = earlier.isInHome ? all : all.filter(({ id }) => proof.isOwn(id));
      const done = takeOver(places, earlier, env, proof, { sessions, edits: earlier.isInHome });
      rememberMove(places, earlier.path, done);
      return done;
    });
  } catch (error) {
    if (error instanceof BusyError) return undefined; // it is being moved
    if (error instanceof ExpectedError) rememberFailure(places, earlier, error.reason);
    throw error;
  }
}

/** One process at a time, for each of the old memories. */
export function onlyOne<T>(places: Places, { path }: EarlierMemory, action: () => T): T {
  return withLock(`${movesPath(places)}-${shortHash(path)}`, action, LOCK);
}

/** Takes sessions over, and edits if they are wanted. Nothing is written if there is nothing. */
export function takeOver(
  places: Places,
  earlier: EarlierMemory,
  env: NodeJS.ProcessEnv,
  proof: SessionProof,
  { sessions, edits }: { sessions: readonly EarlierSession[]; edits: boolean },
): Move {
  const all = earlier.sessions();
  const wanted = { sessions, edits, isAll: sessions.length === all.length };
  const mark = earlier.mark() ?? '';
  const root = projectRoot(places, earlier.root, env);
  const staging = makeStaging(stagingParent(places));
  try {
    const incoming = stagedMemory(join(staging, 'incoming'), { root, name: basename(root) });
    const staged = stageEarlier(earlier, incoming, wanted, proof);
    if (sessions.length > 0 || edits) {
      const memory = projectMemory(places, earlier.root, env);
      finishImports(places, memory);
      bringIn(places, memory, incoming);
    }
    const kept = sessionsKept(places, earlier.root);
    const left = {
      sessions: all.filter((session) => !sessions.includes(session) && !(session.id in kept))
        .length,
      edits: edits ? 0 : staged.edits + earlier.changedDocuments(),
      rules: (earlier.text('rules.md') ?? '').trim() !== '',
      settings: settingsIn(earlier).length > 0,
    };
    return {
      ...{ root: earlier.root, mark, at: new Date().toISOString(), left, adopted: [] },
      sessions: new Set(sessions.map(({ id }) => id)).size,
      entries: sessions.reduce((sum, { file }) => sum + entriesIn(incoming, file), 0),
      files: staged.files,
    };
  } finally {
    removeFolder(staging);
  }
}

/** What the user has adopted before is not left, even if nothing else proves it. */
export function sessionsKept(places: Places, root: string): Record<string, unknown> {
  const memory = findProjectMemory(places, root);
  return memory === undefined ? {} : readMemoryIndex(memory).sessions;
}

export function entriesIn(memory: ProjectMemory, file: string): number {
  return readL1Range(memory, file)?.length ?? 0;
}

/** Not tried again until 0.1.0 writes there again; the doctor reports it. */
function rememberFailure(places: Places, earlier: EarlierMemory, problem: Message): void {
  if (!problem.code.startsWith('memory.earlier')) return;
  const nothing = { sessions: 0, entries: 0, files: [], adopted: [] };
  rememberMove(places, earlier.path, {
    ...nothing,
    root: earlier.root,
    mark: earlier.mark() ?? '',
    at: new Date().toISOString(),
    left: { sessions: 0, edits: 0, rules: false, settings: false },
    problem,
  });
}

const knownProjectsFile: DocumentKind<{ roots: string[] }> = {
  version: 1,
  schema: v.looseObject({ roots: v.fallback(v.array(v.string()), []) }),
  empty: () => ({ roots: [] }),
};

/** 0.1.0 wrote down the root of every checkout that it kept a memory of. */
function rootsOf010(places: Places): string[] {
  const reading = readDocument(join(places.home, 'known-projects.json'), knownProjectsFile);
  return reading.state === 'ok' ? reading.value.roots : [];
}

/** All sessions in one folder began in the same directory. */
function rootsOfTranscripts(places: Places, env: NodeJS.ProcessEnv): string[] {
  return transcriptFolders(places).flatMap((folder) => {
    for (const transcript of transcriptsIn(folder)) {
      const directory = firstDirectory(transcript);
      if (directory !== undefined) return [checkoutRoot(directory, env)];
    }
    return [];
  });
}
