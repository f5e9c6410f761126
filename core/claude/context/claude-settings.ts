/**
 * Reads the settings files that Claude Code obeys in a folder (K5): the user's, the project's, the
 * local ones and those of an administrator. Those in a project are read as what they are, a
 * stranger's files (T4). A file that Claude Code does not load counts for nothing here, either.
 */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { markInProject, readInProject } from '../../platform/project/read-in-project.ts';
import { attempt, parseJson } from '../../platform/store/attempt.ts';
import { fileMark, NO_FILE, timeOfMark } from '../../platform/store/file-mark.ts';
import type { Places } from '../../platform/store/places.ts';
import { type FileReading, readSmallFile } from '../../platform/store/read-file.ts';
import { isRecord, type JsonRecord } from '../../platform/text/json.ts';

/** `global`: .claude.json, where older versions kept a few settings and Claude Code keeps notes. */
export type SettingsScope = 'global' | 'user' | 'project' | 'local' | 'managed';

export interface ClaudeSettingsFile {
  scope: SettingsScope;
  path: string;
  settings: JsonRecord;
  /** As a time in ms. */
  changedAt: number;
}

const MAX_BYTES = 4 * 1024 * 1024;
/** Claude Code rewrites it all the time, and it grows large; what matters here hardly changes. */
const GLOBAL_KEEP_MS = 60_000;

interface Kept {
  mark: string;
  readAt: number;
  file: ClaudeSettingsFile | undefined;
}

export class ClaudeSettings {
  readonly #places: Places;
  readonly #managed: string;
  readonly #kept = new Map<string, Kept>();

  constructor(places: Places, managedFolder = systemManagedFolder()) {
    this.#places = places;
    this.#managed = managedFolder;
  }

  /** Those in force for a session that was started in the folder, from the weakest on. */
  filesFor(folder: string | undefined): ClaudeSettingsFile[] {
    const { claude } = this.#places;
    return [
      this.#global(),
      this.#plain('user', join(claude, 'settings.json')),
      ...(folder === undefined
        ? []
        : [
            this.#inProject('project', folder, join('.claude', 'settings.json')),
            this.#inProject('local', folder, join('.claude', 'settings.local.json')),
          ]),
      this.#plain('managed', join(this.#managed, 'managed-settings.json')),
      ...this.#managedParts(),
    ].filter((file) => file !== undefined);
  }

  /** In its own folder with CLAUDE_CONFIG_DIR, else beside it. */
  #global(): ClaudeSettingsFile | undefined {
    const { claude } = this.#places;
    for (const folder of [claude, dirname(claude)]) {
      const path = join(folder, '.claude.json');
      const kept = this.#kept.get(path);
      const isFresh = kept !== undefined && Date.now() - kept.readAt < GLOBAL_KEEP_MS;
      const file = (isFresh ? kept.file : undefined) ?? this.#plain('global', path);
      if (file !== undefined) return file;
    }
    return undefined;
  }

  #managedParts(): (ClaudeSettingsFile | undefined)[] {
    const folder = join(this.#managed, 'managed-settings.d');
    const names = attempt(() => readdirSync(folder).sort(), []);
    return names
      .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
      .map((name) => this.#plain('managed', join(folder, name)));
  }

  #plain(scope: SettingsScope, path: string): ClaudeSettingsFile | undefined {
    return this.#file(scope, path, {
      mark: () => fileMark(path),
      read: () => readSmallFile(path, MAX_BYTES),
    });
  }

  #inProject(scope: SettingsScope, folder: string, name: string): ClaudeSettingsFile | undefined {
    return this.#file(scope, join(folder, name), {
      mark: () => markInProject(folder, name),
      read: () => readInProject(folder, name, MAX_BYTES),
    });
  }

  /** A file that has not changed is not read again: this is asked every second. */
  #file(
    scope: SettingsScope,
    path: string,
    { mark: markOf, read }: { mark: () => string; read: () => FileReading },
  ): ClaudeSettingsFile | undefined {
    const mark = attempt(markOf, NO_FILE);
    const before = this.#kept.get(path);
    if (before?.mark === mark) {
      before.readAt = Date.now();
      return before.file;
    }
    const settings = mark === NO_FILE ? undefined : loaded(read);
    const file = settings && { scope, path, settings, changedAt: timeOfMark(mark) };
    this.#kept.set(path, { mark, readAt: Date.now(), file });
    return file;
  }
}

/** Claude Code takes no comments, and drops a whole file for one switch of the wrong type. */
function loaded(read: () => FileReading): JsonRecord | undefined {
  const file = attempt(read, undefined);
  if (file?.state !== 'ok') return undefined;
  const json = parseJson(file.text.replace(/^\uFEFF/, ''));
  if (!isRecord(json)) return undefined;
  const { autoCompactEnabled } = json;
  return ['boolean', 'undefined'].includes(typeof autoCompactEnabled) ? json : undefined;
}

function systemManagedFolder(): string {
  if (process.platform === 'darwin') return '/Library/Application Support/ClaudeCode';
  return process.platform === 'win32' ? 'C:\\Program Files\\ClaudeCode' : '/etc/claude-code';
}
