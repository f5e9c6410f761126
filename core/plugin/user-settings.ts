/**
 * The user's settings.json of Claude Code, checked before and after its own command line changes it
 * (G4). What that cannot change is edited here (A9, C2): the rest stays byte for byte, with a
 * backup; a link stays a link, and the file keeps its mode. An unsafe change is refused.
 */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ExpectedError, messageOf } from '../messages/expected-error.ts';
import { type Message, message } from '../messages/message.ts';
import { readInProject } from '../platform/project/read-in-project.ts';
import { followLink, PRIVATE_FILE, writeFileAtomic } from '../platform/store/atomic-write.ts';
import { attempt } from '../platform/store/attempt.ts';
import { changeMode } from '../platform/store/file-changes.ts';
import { timeStamp } from '../platform/store/history.ts';
import { withLock } from '../platform/store/lock.ts';
import { isInaccessible, nearestFolder, type Places } from '../platform/store/places.ts';
import { type FileReading, readSmallFile } from '../platform/store/read-file.ts';
import { isRecord } from '../platform/text/json.ts';
import { parseWithComments } from './edit-json.ts';
import { explainFailure } from './plugin-copy.ts';

const MAX_BYTES = 16 * 1024 * 1024;
const OWNER_WRITES = 0o200;

export const claudeSettingsPath = (places: Places) => join(places.claude, 'settings.json');

/** A settings file of Claude Code that is edited here. */
export interface SettingsFile {
  path: string;
  read(): FileReading;
}

export function userSettings(places: Places): SettingsFile {
  const path = claudeSettingsPath(places);
  return { path, read: () => readSettingsFile(path) };
}

/** The user's own settings in a project, which git leaves alone. */
export function localSettings(root: string): SettingsFile {
  const name = join('.claude', 'settings.local.json');
  return { path: join(root, name), read: () => readInProject(root, name, MAX_BYTES) };
}

export const readSettingsFile = (path: string): FileReading => readSmallFile(path, MAX_BYTES);

/** Undefined if there are none, or they cannot be understood. */
export function parseSettings(path: string): Record<string, unknown> | undefined {
  const file = readSettingsFile(path);
  return file.state === 'ok' ? parseWithComments(file.text) : undefined;
}

/** The same of settings that lie in a project, which may be anything (T4). */
export function parseProjectSettings(
  root: string,
  name: string,
): Record<string, unknown> | undefined {
  const file = readInProject(root, name, MAX_BYTES);
  return file.state === 'ok' ? parseWithComments(file.text) : undefined;
}

/** Why the CLI must not change the file: if it is not plain JSON, the CLI may install only half. */
export function settingsProblem(places: Places): Message | undefined {
  const path = claudeSettingsPath(places);
  const file = readSettingsFile(path);
  if (file.state === 'refused')
    return message('plugin.settingsUnreadable', { reason: file.reason });
  if (file.state === 'missing') {
    const folder = nearestFolder(dirname(path));
    return isInaccessible(folder)
      ? message('plugin.settingsFolderLocked', { folder, path })
      : undefined;
  }
  if (file.text.trim() === '') return undefined;
  const reason = whyNoObject(file.text);
  if (reason !== undefined) return message('plugin.settingsInvalid', { path, reason });
  return isWritable(path) ? undefined : message('plugin.settingsReadOnly', { path });
}

const isWritable = (path: string) =>
  attempt(() => accessSync(path, constants.W_OK), false) !== false;

/** Throws if the file cannot be changed, or is damaged afterwards: then what was there is saved. */
export async function guardSettings<T>(places: Places, action: () => Promise<T>): Promise<T> {
  const problem = settingsProblem(places);
  if (problem !== undefined) throw new ExpectedError(problem);
  const before = readSettingsFile(claudeSettingsPath(places));
  const [outcome] = await Promise.allSettled([action()]);
  const damage = before.state === 'ok' ? backupIfDamaged(places, before.text) : undefined;
  if (damage !== undefined) {
    const failure = outcome.status === 'rejected' ? [messageOf(outcome.reason)] : [];
    throw new ExpectedError(message('plugin.lines', { lines: [damage, ...failure] }));
  }
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

function backupIfDamaged(places: Places, before: string): Message | undefined {
  if (before.trim() === '') return undefined;
  const path = claudeSettingsPath(places);
  const after = readSettingsFile(path);
  if (after.state === 'ok' && whyNoObject(after.text) === undefined) return undefined;
  const kept = join(places.home, 'settings.json.before');
  writeFileAtomic(kept, before);
  const code = existsSync(path) ? 'plugin.settingsDamaged' : 'plugin.settingsGone';
  return message(code, { path, kept });
}

function whyNoObject(text: string): Message | string | undefined {
  try {
    const json: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isRecord(json) ? undefined : message('plugin.notAnObject');
  } catch (error) {
    return (error as Error).message;
  }
}

/** Throws where it does not understand the text. */
export type Edit = (text: string) => string;

/** Returns what would be different, line by line, under the file's name. */
export function previewSettings(
  places: Places,
  edit: Edit,
  file: SettingsFile = userSettings(places),
): Message[] {
  const { before, after } = edited(file, edit);
  const [old, now] = [before.split(/\r?\n/), after.split(/\r?\n/)];
  const longest = Math.max(old.length, now.length);
  let [head, tail] = [0, 0];
  while (head < longest && old[head] === now[head]) head++;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail))
    tail++;
  const between = (lines: readonly string[], code: 'plugin.lineRemoved' | 'plugin.lineAdded') =>
    lines.slice(head, lines.length - tail).map((line) => message(code, { line: line.trim() }));
  return [
    message('plugin.changedFile', { path: file.path }),
    ...between(old, 'plugin.lineRemoved'),
    ...between(now, 'plugin.lineAdded'),
  ];
}

interface SettingsChange {
  before: string;
  isChanged: boolean;
  /** Says where the file from before is kept; empty if there was none, or nothing changed. */
  backup: Message[];
}

export function changeSettings(
  places: Places,
  edit: Edit,
  file: SettingsFile = userSettings(places),
): SettingsChange {
  const { path } = file;
  const kept = join(places.home, 'backups', `${basename(path)}.${timeStamp()}`);
  return withLock(join(places.home, 'claude-settings'), () => {
    const { before, after, exists } = edited(file, edit);
    if (after === before) return { before, isChanged: false, backup: [] };
    const mode = exists ? statSync(path).mode & 0o777 : PRIVATE_FILE;
    if ((mode & OWNER_WRITES) === 0 || (exists && !isWritable(path)))
      throw new ExpectedError(message('plugin.readOnly', { path }));
    explainFailure(cannotChange(path), () => {
      if (exists) writeFileAtomic(kept, before);
      writeFileAtomic(path, after, { beforeCommit: () => assertUntouched(file, before) });
      changeMode(followLink(path), mode);
    });
    const backup = exists ? [message('plugin.previousKept', { path: kept })] : [];
    return { before, isChanged: true, backup };
  });
}

/** A file that is missing or empty counts as `{}`. */
function edited(
  { path, read }: SettingsFile,
  edit: Edit,
): { before: string; after: string; exists: boolean } {
  const reading = read();
  if (reading.state === 'refused') throw new ExpectedError(cannotChange(path)(reading.reason));
  const exists = reading.state === 'ok';
  const before = exists ? reading.text : '';
  try {
    return { before, after: edit(before.trim() === '' ? '{\n}\n' : before), exists };
  } catch (error) {
    throw new ExpectedError(cannotChange(path)(messageOf(error)));
  }
}

const cannotChange = (path: string) => (reason: Message) =>
  message('plugin.cannotChange', { path, reason });

/** Claude Code writes the file too. */
function assertUntouched({ path, read }: SettingsFile, before: string): void {
  const now = read();
  if ((now.state === 'ok' ? now.text : '') !== before)
    throw new ExpectedError(message('plugin.changedMeanwhile', { path }));
}
