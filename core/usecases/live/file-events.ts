/**
 * Notices changes of files that the window shows, whoever makes them: settings, and the memory of a
 * few projects. A file watcher tells at once, a look every few seconds what it missed. Several
 * changes in a row are told as one.
 */

import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type FSWatcher, watch as watchFiles } from 'chokidar';
import { recordsFolder } from '../../clear/clear-record.ts';
import { journalPath } from '../../memory/log/journal.ts';
import { makePrivateFolder } from '../../platform/store/atomic-write.ts';
import { fileMark } from '../../platform/store/file-mark.ts';
import type { Places } from '../../platform/store/places.ts';
import { conceptsPath, factsPath, memoryMdPath } from '../../projects/memory-paths.ts';
import { type ProjectMemory, projectMemory } from '../../projects/project-memory.ts';
import { projectSettingsPath, userSettingsPath } from '../../settings/settings.ts';

export interface FileListeners {
  onMemory(project: string): void;
  onSettings(project: string | null): void;
  /** Something in our own folder: a clear, a pause, an activity. */
  onOurs(): void;
}

/** An edit writes several files. */
const TOGETHER_MS = 150;

interface Watched {
  memory: ProjectMemory;
  mark: string;
  settingsMark: string;
  timer?: NodeJS.Timeout | undefined;
}

export class FileEvents {
  readonly #places: Places;
  readonly #listeners: FileListeners;
  readonly #files: FSWatcher;
  #paths = new Set<string>();
  #projects = new Map<string, Watched>();
  #userMark: string;

  constructor(places: Places, listeners: FileListeners) {
    this.#places = places;
    this.#listeners = listeners;
    this.#userMark = fileMark(userSettingsPath(places));
    makePrivateFolder(places.home);
    const isHidden = (path: string) => basename(path).startsWith('.') && !this.#paths.has(path);
    this.#files = watchFiles([], {
      ignoreInitial: true,
      atomic: false,
      depth: 0,
      ignored: isHidden,
    });
    this.#files.on('all', (_, path) => this.#changed(path));
    this.#files.on('error', () => undefined); // out of watches, or no permission: the look every few seconds goes on
  }

  /** Of which projects memory and settings are watched. */
  watch(roots: readonly string[]): void {
    const before = this.#projects;
    this.#projects = new Map(roots.map((root) => [root, this.#meet(root, before.get(root))]));
    for (const [root, project] of before)
      if (this.#projects.get(root) !== project) clearTimeout(project.timer);
    this.#watchFolders();
  }

  /** What the watcher missed. */
  look(): void {
    this.#watchFolders();
    this.#lookAtUser();
    for (const [root, project] of this.#projects) {
      this.#lookAtSettings(root, project);
      if (memoryMark(project.memory) !== project.mark) this.#memoryChanged(root);
    }
  }

  async close(): Promise<void> {
    for (const { timer } of this.#projects.values()) clearTimeout(timer);
    this.#projects.clear();
    await this.#files.close();
  }

  #meet(root: string, known: Watched | undefined): Watched {
    const memory = projectMemory(this.#places, root);
    if (known?.memory.folder === memory.folder) return known; // it may have been moved
    return {
      memory,
      mark: memoryMark(memory),
      settingsMark: fileMark(projectSettingsPath(this.#places, root)),
    };
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
    if (path === userSettingsPath(this.#places)) this.#lookAtUser();
    for (const [root, project] of this.#projects) {
      if (folder !== project.memory.folder) continue;
      if (path === projectSettingsPath(this.#places, root)) this.#lookAtSettings(root, project);
      else if (!path.endsWith('.lock')) this.#memoryChanged(root);
    }
    if (folder.startsWith(this.#places.home)) this.#listeners.onOurs();
  }

  #lookAtUser(): void {
    const mark = fileMark(userSettingsPath(this.#places));
    if (mark === this.#userMark) return;
    this.#userMark = mark;
    this.#listeners.onSettings(null);
  }

  #lookAtSettings(root: string, project: Watched): void {
    const mark = fileMark(projectSettingsPath(this.#places, root));
    if (mark === project.settingsMark) return;
    project.settingsMark = mark;
    this.#listeners.onSettings(root);
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
  const rules = join(memory.folder, 'rules.md');
  return [
    journalPath(memory),
    factsPath(memory),
    conceptsPath(memory),
    memoryMdPath(memory),
    memory.index,
    rules,
  ]
    .map(fileMark)
    .join();
}
