/**
 * Reports changes of files that the window shows, whoever makes them: settings, and the memory of a
 * few projects. A file watcher notices most at once, and polling notices the rest.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type FSWatcher, watch as watchFiles } from 'chokidar';
import { recordsFolder } from '../../clear/clear-record-place.ts';
import { journalPath } from '../../memory/log/journal.ts';
import { makePrivateFolder } from '../../platform/store/atomic-write.ts';
import { fileMark } from '../../platform/store/file-mark.ts';
import type { Places } from '../../platform/store/places.ts';
import { conceptsPath, factsPath, memoryMdPath } from '../../projects/memory-paths.ts';
import { type ProjectMemory, projectMemory } from '../../projects/project-memory.ts';
import { settingsAt, userSettingsPath } from '../../settings/settings.ts';

export interface FileListeners {
  onMemory(project: string): void;
  onSettings(project: string | null): void;
  /** In our own folder: a clear, a pause, an activity. */
  onOurs(): void;
}

/** An edit writes several files; they are reported as one change. */
const TOGETHER_MS = 150;

interface Watched {
  memory: ProjectMemory;
  mark: string;
  timer?: NodeJS.Timeout | undefined;
}

export class FileEvents {
  readonly #places: Places;
  readonly #listeners: FileListeners;
  readonly #files: FSWatcher;
  #paths = new Set<string>();
  #projects = new Map<string, Watched>();
  /** Of settings files, by path. */
  readonly #settingsMarks = new Map<string, string>();

  constructor(places: Places, listeners: FileListeners) {
    this.#places = places;
    this.#listeners = listeners;
    this.#checkSettings(null);
    makePrivateFolder(places.home);
    const isHidden = (path: string) => basename(path).startsWith('.') && !this.#paths.has(path);
    this.#files = watchFiles([], {
      ignoreInitial: true,
      atomic: false,
      depth: 0,
      ignored: isHidden,
    });
    this.#files.on('all', (_, path) => this.#changed(path));
    this.#files.on('error', () => undefined); // out of watches, or no permission: polling goes on
  }

  /** Of which projects memory and settings are watched; returns their memories. */
  watch(roots: readonly string[]): ProjectMemory[] {
    const before = this.#projects;
    this.#projects = new Map(roots.map((root) => [root, this.#watched(root, before.get(root))]));
    for (const [root, project] of before) {
      const now = this.#projects.get(root);
      if (now === project) continue;
      clearTimeout(project.timer);
      if (now !== undefined) this.#memoryChanged(root); // it was linked to another memory
    }
    this.#watchFolders();
    return [...this.#projects.values()].map(({ memory }) => memory);
  }

  /** For what the watcher missed. */
  poll(): void {
    this.#watchFolders();
    this.#checkSettings(null);
    for (const [root, project] of this.#projects) {
      this.#checkSettings(root, settingsAt(project.memory));
      if (memoryMark(project.memory) !== project.mark) this.#memoryChanged(root);
    }
  }

  async close(): Promise<void> {
    for (const { timer } of this.#projects.values()) clearTimeout(timer);
    this.#projects.clear();
    await this.#files.close();
  }

  #watched(root: string, before: Watched | undefined): Watched {
    const memory = projectMemory(this.#places, root);
    if (before?.memory.folder === memory.folder) return before;
    this.#settingsMarks.delete(settingsAt(memory));
    this.#checkSettings(root, settingsAt(memory));
    return { memory, mark: memoryMark(memory) };
  }

  /**
   * Does not watch folders with thousands of files: a change of L1 shows in memory-index.json, and
   * briefings are found by polling. Only existing paths, because for others chokidar would watch
   * the parent folder, which may be a whole project.
   */
  #watchFolders(): void {
    const memories = [...this.#projects.values()].map(({ memory }) => memory.folder);
    const wanted = new Set([this.#places.home, recordsFolder(this.#places), ...memories]);
    for (const path of this.#paths) {
      if (wanted.has(path) && existsSync(path)) continue;
      this.#files.unwatch(path);
      this.#paths.delete(path);
    }
    for (const path of wanted) {
      if (this.#paths.has(path) || !existsSync(path)) continue;
      this.#paths.add(path);
      this.#files.add(path);
    }
  }

  #changed(path: string): void {
    const folder = dirname(path);
    if (path === userSettingsPath(this.#places)) this.#checkSettings(null);
    for (const [root, { memory }] of this.#projects) {
      if (folder !== memory.folder) continue;
      if (path === settingsAt(memory)) this.#checkSettings(root, path);
      else if (!path.endsWith('.lock')) this.#memoryChanged(root);
    }
    if (folder.startsWith(this.#places.home)) this.#listeners.onOurs();
  }

  /** Of a project, or the user's own; reports nothing the first time. */
  #checkSettings(root: string | null, path = userSettingsPath(this.#places)): void {
    const mark = fileMark(path);
    const before = this.#settingsMarks.get(path);
    this.#settingsMarks.set(path, mark);
    if (before !== undefined && before !== mark) this.#listeners.onSettings(root);
  }

  #memoryChanged(root: string): void {
    const project = this.#projects.get(root);
    if (project === undefined) return;
    project.timer ??= setTimeout(() => {
      project.timer = undefined;
      project.mark = memoryMark(project.memory);
      this.#listeners.onMemory(root);
    }, TOGETHER_MS);
  }
}

function memoryMark(memory: ProjectMemory): string {
  const paths = [journalPath, factsPath, conceptsPath, memoryMdPath].map((path) => path(memory));
  return [...paths, memory.index, join(memory.folder, 'rules.md')].map(fileMark).join();
}
