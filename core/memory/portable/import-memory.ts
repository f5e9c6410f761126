/**
 * Imports an archive, or the folder of an older memory keeper (M20), and merges it with the
 * project's memory or replaces that. Everything is prepared beside the memory and takes effect at
 * once, by renames; the memory before is saved as an archive.
 */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { ExpectedError } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { readDocument } from '../../platform/store/document.ts';
import { removeFile, removeFolder } from '../../platform/store/file-changes.ts';
import { timeStamp } from '../../platform/store/history.ts';
import type { HeldLock } from '../../platform/store/lock.ts';
import { shortHash } from '../../platform/store/owner.ts';
import type { Places } from '../../platform/store/places.ts';
import {
  finishStagings,
  hasLeftovers,
  linkFile,
  linkFolder,
  makeStaging,
  swapIn,
} from '../../platform/store/staging.ts';
import { conceptsPath, factsPath } from '../../projects/memory-paths.ts';
import { type ProjectMemory, prepareProjectMemory } from '../../projects/project-memory.ts';
import { FACT_LISTS, factsFile, PERMANENT_LISTS } from '../l2-facts/facts-file.ts';
import { conceptsFile } from '../l3-concepts/concepts-file.ts';
import { DELTA_FILE } from '../log/delta-text.ts';
import { readL1Range } from '../log/l1-store.ts';
import { readMemoryIndex } from '../log/memory-index.ts';
import { removeSearchIndex } from '../search/memory-search.ts';
import { checkIncoming } from './check-incoming.ts';
import {
  copyFiles,
  holdWriters,
  listMemoryFiles,
  liveFolders,
  stagedMemory,
  stateOf,
  takeSnapshot,
  whileNobodyWrites,
} from './contents.ts';
import { takeForeignFolder } from './foreign-folder.ts';
import { l1Names } from './merge-l1.ts';
import { mergeMemory } from './merge-memory.ts';
import { unpackArchive } from './read-archive.ts';
import { bringUpToDate, type OnProgress, writeArchive } from './write-archive.ts';

/** Sessions save every few seconds; preparing usually takes less. The last try makes them wait. */
const TRIES = 4;
const KEPT_BACKUPS = 10;
/** They steer Claude and the application, so the user must hear of them. */
const STEERING_NOTES = new Map([
  ['memory/rules.md', message('archive.bringsRules')],
  ['memory/config.json', message('archive.bringsSettings')],
]);

export interface ImportRequest {
  places: Places;
  memory: ProjectMemory;
  source: string;
  /** Do everything except the last step. */
  isPreview: boolean;
  /** Replace the memory instead of merging with it. */
  isReplacing: boolean;
  onProgress: OnProgress;
}

export interface Counts {
  sessions: number;
  entries: number;
  facts: number;
  concepts: number;
  files: number;
}

export interface ImportResult {
  way: 'placed' | 'joined' | 'replaced';
  isPreview: boolean;
  /** The project's name where it was exported. */
  from: string;
  before: Counts;
  after: Counts;
  /** What was left out, and what goes along with every prompt from now on. */
  notes: Message[];
  /** The archive of the memory before. */
  backup?: string;
}

type Prepared = Omit<ImportResult, 'from' | 'isPreview'>;

export async function importMemory(request: ImportRequest): Promise<ImportResult> {
  try {
    return await importSource(request);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    throw new ExpectedError(message('archive.diskFull'));
  }
}

async function importSource(request: ImportRequest): Promise<ImportResult> {
  const { places, memory, isPreview, onProgress } = request;
  finishImports(places, memory);
  const [unstorable] = listMemoryFiles(memory).leftOut;
  // No backup could hold it, so an undo would lose it.
  if (unstorable !== undefined)
    throw new ExpectedError(message('archive.unstorable', { name: unstorable }));
  const staging = makeStaging(stagingParent(places));
  try {
    const incoming = stagedMemory(join(staging, 'incoming'), memory);
    const { from, notes } = await readSource(request, incoming);
    checkIncoming(places, incoming);
    onProgress('preparing', 0, 0);
    const prepared = isPreview
      ? preview(request, incoming, staging)
      : await bringInWithRetries(request, incoming);
    return { ...prepared, from, isPreview, notes: [...notes, ...prepared.notes] };
  } finally {
    removeFolder(staging);
  }
}

/** Replaces the memory by its newest backup, and backs it up, so that this can be undone too. */
export async function undoImport(
  request: Omit<ImportRequest, 'source' | 'isReplacing'>,
): Promise<ImportResult> {
  const newest = backups(request.places, request.memory).at(-1);
  if (newest === undefined) throw new ExpectedError(message('archive.noUndo'));
  return importMemory({ ...request, source: newest, isReplacing: true });
}

/** After a kill: finishes an import that had begun to take effect, and removes any other. */
export function finishImports(places: Places, memory: ProjectMemory): void {
  if (hasLeftovers(stagingParent(places))) finishStagings(stagingParent(places), {});
  if (!hasLeftovers(memory.folder)) return;
  whileNobodyWrites(memory, () => finishStagings(memory.folder, liveFolders(memory)));
  removeSearchIndex(places, memory);
}

/** A kill leaves its stagings here; the next import removes them. */
export function stagingParent(places: Places): string {
  return join(places.home, 'imports');
}

async function readSource(
  { source, memory, onProgress }: ImportRequest,
  incoming: ProjectMemory,
): Promise<{ from: string; notes: Message[] }> {
  const path = resolve(source);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    const { project } = await unpackArchive(path, incoming.base, onProgress);
    return { from: project, notes: [] };
  }
  const isOwn = attempt(
    () => realpathSync.native(path) === realpathSync.native(memory.folder),
    false,
  );
  if (isOwn) throw new ExpectedError(message('archive.ownMemory', { path: source }));
  return { from: basename(path), notes: takeForeignFolder(path, incoming, onProgress) };
}

/** Writes only to a folder of ours. */
function preview(request: ImportRequest, incoming: ProjectMemory, staging: string): Prepared {
  const { files } = listMemoryFiles(request.memory);
  if (files.length > 0 && !request.isReplacing) copyFiles(files, join(staging, 'new'));
  return prepare(request, incoming, staging, files.length > 0);
}

function prepare(
  { memory, isReplacing }: ImportRequest,
  incoming: ProjectMemory,
  staging: string,
  exists: boolean,
): Prepared {
  const coming = stagedMemory(join(staging, 'new'), memory);
  const before = countsOf(memory);
  const isMerging = exists && !isReplacing;
  if (isMerging) linkFolder(join(memory.folder, '.history'), join(coming.folder, '.history'));
  const notes = isMerging ? mergeMemory(coming, incoming) : placeAs(coming, incoming);
  const way = !exists ? 'placed' : isReplacing ? 'replaced' : 'joined';
  return { way, before, after: countsOf(coming), notes };
}

async function bringInWithRetries(
  request: ImportRequest,
  incoming: ProjectMemory,
): Promise<Prepared> {
  const { places, memory, source } = request;
  for (let tries = 1; tries <= TRIES; tries++) {
    const prepared = await bringIn(request, incoming, tries === TRIES);
    if (prepared === undefined) continue;
    removeSearchIndex(places, memory);
    for (const old of backups(places, memory).slice(0, -KEPT_BACKUPS)) removeFile(old);
    return prepared;
  }
  throw new ExpectedError(message('archive.busy', { file: basename(source) }));
}

/** Undefined if somebody has written to the memory meanwhile. */
async function bringIn(
  request: ImportRequest,
  incoming: ProjectMemory,
  isLast: boolean,
): Promise<Prepared | undefined> {
  const { places, memory, isReplacing, onProgress } = request;
  prepareProjectMemory(memory);
  bringUpToDate(memory);
  const staging = makeStaging(memory.folder);
  const backup = join(backupFolder(places, memory), `${timeStamp()}.zip`);
  let isDone = false;
  const held = isLast ? holdWriters(memory) : undefined;
  const undisturbed = <T>(action: (lock: HeldLock) => T) =>
    held === undefined ? whileNobodyWrites(memory, action) : action(held);
  try {
    const exists = listMemoryFiles(memory).files.length > 0;
    const base = join(staging, exists && !isReplacing ? 'new' : 'base');
    const { files, state } = undisturbed(() => takeSnapshot(memory, base));
    await writeArchive(files, memory.name, backup, onProgress);
    const prepared = prepare(request, incoming, staging, exists);
    isDone = undisturbed((lock) => {
      if (stateOf(memory) !== state) return false;
      lock.assertHeld(); // a large memory may have taken longer than the lock lasts
      swapIn(staging, liveFolders(memory), [DELTA_FILE]); // an agent may be reading it
      return true;
    });
    return isDone ? { ...prepared, backup } : undefined;
  } finally {
    held?.release();
    removeFolder(staging);
    if (!isDone) removeFile(backup);
  }
}

function placeAs(coming: ProjectMemory, incoming: ProjectMemory): Message[] {
  prepareProjectMemory(coming);
  const { files } = listMemoryFiles(incoming);
  for (const { name, path } of files) linkFile(path, join(coming.base, name));
  // Marks the documents as our own, so that nobody takes them for a person's changes.
  bringUpToDate(coming);
  return files.flatMap(({ name }) => STEERING_NOTES.get(name) ?? []);
}

function countsOf(memory: ProjectMemory): Counts {
  const facts = readDocument(factsPath(memory), factsFile);
  const concepts = readDocument(conceptsPath(memory), conceptsFile);
  const { permanent, ...lists } = facts.state === 'ok' ? facts.value : factsFile.empty();
  const inUse = new Set(Object.values(readMemoryIndex(memory).sessions).map(({ file }) => file));
  const entries = [...l1Names(memory)]
    .filter((file) => inUse.has(file))
    .map((file) => readL1Range(memory, file)?.length ?? 0);
  return {
    sessions: entries.length,
    entries: entries.reduce((sum, count) => sum + count, 0),
    facts:
      FACT_LISTS.flatMap((list) => lists[list]).length +
      PERMANENT_LISTS.flatMap((list) => permanent[list]).length,
    concepts: concepts.state === 'ok' ? concepts.value.concepts.length : 0,
    files: listMemoryFiles(memory).files.length,
  };
}

function backupFolder(places: Places, { root }: ProjectMemory): string {
  return join(places.home, 'before-import', shortHash(root));
}

/** Oldest first. */
function backups(places: Places, memory: ProjectMemory): string[] {
  const folder = backupFolder(places, memory);
  return attempt(() => readdirSync(folder), [])
    .filter((name) => /^\d{4}-[\dTZ-]+\.zip$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}
