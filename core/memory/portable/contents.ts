/**
 * Lists the files of a project's memory and takes snapshots of them (M20), without links, locks,
 * temporary files and what can be rebuilt; and without the history of undo, because the journal has
 * people's edits.
 */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../platform/store/attempt.ts';
import { copyPrivately } from '../../platform/store/file-changes.ts';
import { fileMark } from '../../platform/store/file-mark.ts';
import { type HeldLock, holdLock } from '../../platform/store/lock.ts';
import { isContent, linkFile } from '../../platform/store/staging.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { journalPath } from '../log/journal.ts';
import { isArchivable, isPassing } from './manifest.ts';

/** A snapshot takes moments; after a kill, others wait no longer than this. */
const EXPIRY_MS = 2 * 60 * 1000;

export interface MemoryFile {
  /** `memory/facts.json`, `sessions/2026-11-16_0900.l1.jsonl`. */
  name: string;
  path: string;
  bytes: number;
}

interface MemoryFiles {
  files: MemoryFile[];
  /** Names of files that an archive cannot contain. */
  leftOut: string[];
}

export function listMemoryFiles(memory: ProjectMemory): MemoryFiles {
  const kept: MemoryFiles = { files: [], leftOut: [] };
  for (const [part, folder] of Object.entries(liveFolders(memory))) walk(folder, part, kept);
  return kept;
}

export function liveFolders({ folder, sessions }: ProjectMemory): Record<string, string> {
  return { memory: folder, sessions };
}

/** A memory in a folder of ours, to be prepared for the project. */
export function stagedMemory(
  folder: string,
  { root, name }: Pick<ProjectMemory, 'root' | 'name'>,
): ProjectMemory {
  const [memory, sessions] = [join(folder, 'memory'), join(folder, 'sessions')];
  return {
    root,
    name,
    folder: memory,
    sessions,
    index: join(memory, 'memory-index.json'),
    base: folder,
  };
}

function walk(folder: string, prefix: string, kept: MemoryFiles): void {
  const entries: Dirent[] = attempt(() => readdirSync(folder, { withFileTypes: true }), []);
  for (const entry of entries) {
    const name = `${prefix}/${entry.name}`;
    const path = join(folder, entry.name);
    if (!isContent(entry.name) || entry.name === '.history' || isPassing(name)) continue;
    if (entry.isDirectory()) walk(path, name, kept);
    else if (entry.isFile() && isArchivable(name))
      kept.files.push({ name, path, bytes: statSync(path).size });
    else kept.leftOut.push(name);
  }
}

/** Call it while no process writes. People with an editor may, so what they edit is copied. */
export function takeSnapshot(memory: ProjectMemory, into: string): MemoryFiles & { state: string } {
  const { files, leftOut } = listMemoryFiles(memory);
  copyFiles(files, into);
  const copies = files.map((file) => ({ ...file, path: join(into, file.name) }));
  return { files: copies, leftOut, state: stateOf(memory) };
}

/** L1 is only linked: entries are appended after the end that the snapshot knows. */
export function copyFiles(files: readonly MemoryFile[], into: string): void {
  for (const { name, path } of files) {
    if (/\.l1\.jsonl$|\.gz$/.test(name)) linkFile(path, join(into, name));
    else copyPrivately(path, join(into, name));
  }
}

export function whileNobodyWrites<T>(memory: ProjectMemory, action: (lock: HeldLock) => T): T {
  const held = holdWriters(memory);
  try {
    return action(held);
  } finally {
    held.release();
  }
}

/** The caller must call `release`. */
export function holdWriters(memory: ProjectMemory): HeldLock & { release(): void } {
  const journal = holdLock(journalPath(memory), { expiryMs: EXPIRY_MS });
  try {
    const index = holdLock(memory.index, { expiryMs: EXPIRY_MS });
    return {
      assertHeld() {
        journal.assertHeld();
        index.assertHeld();
      },
      release() {
        index.release();
        journal.release();
      },
    };
  } catch (error) {
    journal.release();
    throw error;
  }
}

/** Differs after any change to any of the files. */
export function stateOf(memory: ProjectMemory): string {
  return listMemoryFiles(memory)
    .files.map(({ name, path }) => `${name} ${fileMark(path)}`)
    .join('\n');
}
