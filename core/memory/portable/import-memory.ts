/**
 * Imports an archive, or the folder of an older memory keeper (M20), and merges it with the
 * project's memory or replaces that. Everything is prepared beside the memory and takes effect at
 * once, by renames; the memory before is saved as an archive.
 */
import { readdirSync, realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { ExpectedError } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { readDocument } from '../../platform/store/document.ts';
import { timeStamp } from '../../platform/store/history.ts';
import type { HeldLock } from '../../platform/store/lock.ts';
import { fingerprint } from '../../platform/store/owner.ts';
import type { Places } from '../../platform/store/places.ts';
import { removeFile, removeFolder } from '../../platform/store/prune.ts';
import {
  finishStagings,
  hasLeftovers,
  linkFolder,
  linkInto,
  makeStaging,
  swapIn,
} from '../../platform/store/staging.ts';
import { rememberProject } from '../../projects/known-projects.ts';
import { conceptsPath, factsPath } from '../../projects/memory-paths.ts';
import { type ProjectMemory, prepareProjectMemory } from '../../projects/project-memory.ts';
import { FACT_LISTS, factsFile, PERMANENT_LISTS } from '../l2-facts/facts-file.ts';
import { conceptsFile } from '../l3-concepts/concepts-file.ts';
import { DELTA_FILE } from '../log/delta-text.ts';
import { readKeptL1 } from '../log/l1-store.ts';
import { readMemoryIndex } from '../log/memory-index.ts';
import { checkIncoming } from './check-incoming.ts';
import {
  copyFiles,
  holdWriters,
  keptFiles,
  liveFolders,
  stagedMemory,
  stateOf,
  takeSnapshot,
  whileNobodyWrites,
} from './contents.ts';
import { isFolder, takeForeignFolder } from './foreign-folder.ts';
import { l1Names } from './merge-l1.ts';
import { mergeMemory } from './merge-memory.ts';
import { unpackArchive } from './read-archive.ts';
import { bringUpToDate, type Tell, writeArchive } from './write-archive.ts';

/**
 * A session that is working writes every few seconds; preparing an import usually takes less. The
 * last try makes the session wait.
 */
const TRIES = 4;
const KEPT_BACKUPS = 10;

export interface ImportRequest {
  places: Places;
  memory: ProjectMemory;
  source: string;
  /** Everything is done but for the last step. */
  isPreview: boolean;
  /** What is there goes, instead of being joined. */
  isReplacing: boolean;
  tell: Tell;
}

export interface Counts {
  sessions: number;
  entries: number;
  facts: number;
  concepts: number;
  files: number;
}

export interface Imported {
  way: 'placed' | 'joined' | 'replaced';
  isPreview: boolean;
  /** The project's name in the place where it was written. */
  from: string;
  before: Counts;
  after: Counts;
  /**
   * What a person should know: what was left, and what goes along with every prompt from now on.
   */
  notes: Message[];
  /** The memory as it was before. */
  backup?: string;
}

export async function importMemory(request: ImportRequest): Promise<Imported> {
  try {
    return await takeSource(request);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    throw new ExpectedError(message('archive.diskFull'));
  }
}

async function takeSource(request: ImportRequest): Promise<Imported> {
  const { places, memory, source, isPreview, tell } = request;
  finishImports(places, memory);
  refuseStrangers(memory);
  const staging = makeStaging(stagingParent(places));
  try {
    const incoming = stagedMemory(join(staging, 'incoming'), memory.root);
    const { from, notes } = await takeIn(request, incoming, join(staging, 'incoming'));
    checkIncoming(places, incoming);
    tell('preparing', 0, 0);
    if (isPreview) {
      const ready = preview(request, incoming, staging);
      return { ...ready, from, isPreview, notes: [...notes, ...ready.notes] };
    }
    // Needs room, so it comes first: once the memory has changed nothing may fail.
    rememberProject(places, memory.root);
    for (let tries = 1; tries <= TRIES; tries++) {
      const ready = await bringIn(request, incoming, tries === TRIES);
      if (ready === undefined) continue;
      forgetSearchIndex(places, memory);
      pruneBackups(places, memory);
      return { ...ready, from, isPreview, notes: [...notes, ...ready.notes] };
    }
    throw new ExpectedError(message('archive.busy', { file: basename(source) }));
  } finally {
    removeFolder(staging);
  }
}

/**
 * The newest of what was kept before an import takes the memory's place; what is there now is kept
 * likewise, so that this can be undone too.
 */
export async function undoImport(
  request: Omit<ImportRequest, 'source' | 'isReplacing'>,
): Promise<Imported> {
  const newest = backups(request.places, request.memory).at(-1);
  if (newest === undefined) throw new ExpectedError(message('archive.noUndo'));
  return importMemory({ ...request, source: newest, isReplacing: true });
}

/**
 * What a process that was killed has left: an import that had begun to count is finished, any other
 * is forgotten.
 */
export function finishImports(places: Places, memory: ProjectMemory): void {
  if (hasLeftovers(stagingParent(places))) finishStagings(stagingParent(places), {});
  if (!hasLeftovers(memory.folder)) return;
  whileNobodyWrites(memory, () => finishStagings(memory.folder, liveFolders(memory)));
  forgetSearchIndex(places, memory);
}

function stagingParent(places: Places): string {
  return join(places.home, 'imports');
}

async function takeIn(
  request: ImportRequest,
  incoming: ProjectMemory,
  into: string,
): Promise<{ from: string; notes: Message[] }> {
  const { source, memory, tell } = request;
  const path = resolve(source);
  if (!isFolder(path)) {
    const { project } = await unpackArchive(path, into, tell);
    return { from: project, notes: [] };
  }
  const isOwn = attempt(
    () => realpathSync.native(path) === realpathSync.native(memory.folder),
    false,
  );
  if (isOwn) throw new ExpectedError(message('archive.ownMemory', { path: source }));
  return { from: basename(path), notes: takeForeignFolder(path, incoming, tell) };
}

/** Everything but the last step, in a folder of ours: nothing is written where the memory is. */
function preview(
  { memory, isReplacing }: ImportRequest,
  incoming: ProjectMemory,
  ready: string,
): Ready {
  const { files } = keptFiles(memory);
  if (files.length > 0 && !isReplacing) copyFiles(files, join(ready, 'new'));
  return makeReady(memory, incoming, ready, { isThere: files.length > 0, isReplacing });
}

type Ready = Omit<Imported, 'from' | 'isPreview'>;

function makeReady(
  memory: ProjectMemory,
  incoming: ProjectMemory,
  ready: string,
  { isThere, isReplacing }: { isThere: boolean; isReplacing: boolean },
): Ready {
  const coming = stagedMemory(join(ready, 'new'), memory.root);
  const before = countsOf(memory);
  const notes =
    isThere && !isReplacing ? joinTo(memory, coming, incoming) : placeAs(coming, incoming);
  const way = !isThere ? 'placed' : isReplacing ? 'replaced' : 'joined';
  return { way, before, after: countsOf(coming), notes };
}

/** Undefined if somebody has written to the memory meanwhile. */
async function bringIn(
  request: ImportRequest,
  incoming: ProjectMemory,
  isLast: boolean,
): Promise<Ready | undefined> {
  const { places, memory, isReplacing, tell } = request;
  prepareProjectMemory(memory);
  bringUpToDate(memory);
  const ready = makeStaging(memory.folder);
  const backup = backupPath(places, memory);
  let isDone = false;
  const held = isLast ? holdWriters(memory) : undefined;
  const undisturbed = <T>(action: (lock: HeldLock) => T) =>
    held === undefined ? whileNobodyWrites(memory, action) : action(held);
  try {
    const isThere = keptFiles(memory).files.length > 0;
    const base = join(ready, isThere && !isReplacing ? 'new' : 'base');
    const { files, state } = undisturbed(() => takeSnapshot(memory, base));
    await writeArchive(files, basename(memory.root), backup, tell);
    const made = makeReady(memory, incoming, ready, { isThere, isReplacing });
    isDone = undisturbed((lock) => {
      if (stateOf(memory) !== state) return false;
      lock.assertHeld(); // a large memory may have taken longer than others wait
      swapIn(ready, liveFolders(memory), [DELTA_FILE]); // an agent may be reading it
      return true;
    });
    return isDone ? { ...made, backup } : undefined;
  } finally {
    held?.release();
    removeFolder(ready);
    if (!isDone) removeFile(backup);
  }
}

function joinTo(memory: ProjectMemory, coming: ProjectMemory, incoming: ProjectMemory): Message[] {
  linkFolder(join(memory.folder, '.history'), join(coming.folder, '.history'));
  bringUpToDate(incoming);
  return mergeMemory(coming, incoming);
}

/** The documents are marked as our own, so that nobody takes them for a person's changes. */
function placeAs(coming: ProjectMemory, incoming: ProjectMemory): Message[] {
  prepareProjectMemory(coming);
  const { files } = keptFiles(incoming);
  for (const { name, path } of files) linkInto(path, join(coming.folder, '..', name));
  bringUpToDate(coming);
  const steering = files.filter(
    ({ name }) => name === 'memory/rules.md' || name === 'memory/config.json',
  );
  return steering.map(({ name }) =>
    message(name === 'memory/rules.md' ? 'archive.bringsRules' : 'archive.bringsSettings'),
  );
}

/** What an archive cannot hold could not be brought back by an undo. */
function refuseStrangers(memory: ProjectMemory): void {
  const [name] = keptFiles(memory).leftOut;
  if (name !== undefined) throw new ExpectedError(message('archive.unstorable', { name }));
}

function countsOf(memory: ProjectMemory): Counts {
  const facts = readDocument(factsPath(memory), factsFile);
  const concepts = readDocument(conceptsPath(memory), conceptsFile);
  const lists = facts.state === 'ok' ? facts.value : factsFile.empty();
  const files = [...l1Names(memory)];
  const isInUse = new Set(Object.values(readMemoryIndex(memory).sessions).map(({ file }) => file));
  const entries = files
    .filter((file) => isInUse.has(file))
    .map((file) => readKeptL1(memory, file)?.length ?? 0);
  return {
    sessions: entries.length,
    entries: entries.reduce((sum, count) => sum + count, 0),
    facts: [
      ...FACT_LISTS.map((list) => lists[list]),
      ...PERMANENT_LISTS.map((list) => lists.permanent[list]),
    ].flat().length,
    concepts: concepts.state === 'ok' ? concepts.value.concepts.length : 0,
    files: keptFiles(memory).files.length,
  };
}

function backupFolder(places: Places, { root }: ProjectMemory): string {
  return join(places.home, 'before-import', fingerprint(root));
}

function backupPath(places: Places, memory: ProjectMemory): string {
  return join(backupFolder(places, memory), `${timeStamp()}.zip`);
}

/** Oldest first. */
function backups(places: Places, memory: ProjectMemory): string[] {
  const folder = backupFolder(places, memory);
  const names = attempt(() => readdirSync(folder), []).filter((name) =>
    /^\d{4}-[\dTZ-]+\.zip$/.test(name),
  );
  return names.sort().map((name) => join(folder, name));
}

function pruneBackups(places: Places, memory: ProjectMemory): void {
  for (const old of backups(places, memory).slice(0, -KEPT_BACKUPS)) removeFile(old);
}

/**
 * It knows files by their names and lengths, which may be another's now. It is made anew with the
 * next question.
 */
function forgetSearchIndex(places: Places, { root }: ProjectMemory): void {
  for (const end of ['idx', 'json'])
    removeFile(join(places.home, 'search', `${fingerprint(root)}.${end}`));
}
