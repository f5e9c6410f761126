/**
 * Changes one thing in the user's settings.json of Claude Code, where its own command line has no
 * way to (A9, C2): the rest stays byte for byte, what was there before is kept, a link stays a
 * link, and the file's rights stay. What cannot be changed safely is refused with a reason.
 */
import { accessSync, constants, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ExpectedError, messageOf } from '../messages/expected-error.ts';
import { type Message, message } from '../messages/message.ts';
import { followLink, PRIVATE_FILE, writeFileAtomic } from '../platform/store/atomic-write.ts';
import { attempt } from '../platform/store/attempt.ts';
import { timeStamp } from '../platform/store/history.ts';
import { withLock } from '../platform/store/lock.ts';
import type { Places } from '../platform/store/places.ts';
import { changeMode } from '../platform/store/prune.ts';
import { readSmallFile } from '../platform/store/read-file.ts';
import { parseWithComments } from './edit-json.ts';
import { explained } from './plugin-copy.ts';
import { claudeSettingsPath } from './user-settings.ts';

const MAX_BYTES = 16 * 1024 * 1024;
const OWNER_WRITES = 0o200;

/**
 * Text in, text out; throws where it does not understand. A file that is missing or empty counts as
 * `{}`.
 */
export type Edit = (text: string) => string;

export interface SettingsChange {
  before: string;
  after: string;
  /**
   * Where what was there before is kept; undefined if there was nothing, or nothing was changed.
   */
  kept?: string;
}

/** Claude Code's settings of the user, as far as they can be understood. */
export function claudeSettings(places: Places): Record<string, unknown> | undefined {
  return parsedSettings(claudeSettingsPath(places));
}

export function parsedSettings(path: string): Record<string, unknown> | undefined {
  const file = readSmallFile(path, MAX_BYTES);
  return file.state === 'ok' ? parseWithComments(file.text) : undefined;
}

/** What would be different, line by line, under the file's name. */
export function previewSettings(places: Places, edit: Edit): Message[] {
  const { before, after } = edited(places, edit);
  const [old, now] = [before.split(/\r?\n/), after.split(/\r?\n/)];
  const longest = Math.max(old.length, now.length);
  let [head, tail] = [0, 0];
  while (head < longest && old[head] === now[head]) head++;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail))
    tail++;
  const between = (lines: readonly string[], code: 'plugin.lineRemoved' | 'plugin.lineAdded') =>
    lines.slice(head, lines.length - tail).map((line) => message(code, { line: line.trim() }));
  return [
    message('plugin.changedFile', { path: claudeSettingsPath(places) }),
    ...between(old, 'plugin.lineRemoved'),
    ...between(now, 'plugin.lineAdded'),
  ];
}

export function changeSettings(places: Places, edit: Edit): SettingsChange {
  const path = claudeSettingsPath(places);
  const kept = join(places.home, 'backups', `${basename(path)}.${timeStamp()}`);
  return withLock(join(places.home, 'claude-settings'), () => {
    const { before, after, isThere } = edited(places, edit);
    if (after === before) return { before, after };
    const mode = isThere ? statSync(path).mode & 0o777 : PRIVATE_FILE;
    if (
      (mode & OWNER_WRITES) === 0 ||
      (isThere && attempt(() => accessSync(path, constants.W_OK), false) === false)
    )
      throw new ExpectedError(message('plugin.readOnly', { path }));
    explained(cannotChange(path), () => {
      if (isThere) writeFileAtomic(kept, before);
      writeFileAtomic(path, after, { beforeCommit: () => assertUntouched(path, before) });
      changeMode(followLink(path), mode);
    });
    return { before, after, ...(isThere && { kept }) };
  });
}

function edited(places: Places, edit: Edit): { before: string; after: string; isThere: boolean } {
  const path = claudeSettingsPath(places);
  const file = readSmallFile(path, MAX_BYTES);
  if (file.state === 'refused') throw new ExpectedError(cannotChange(path)(file.reason));
  const before = file.state === 'ok' ? file.text : '';
  try {
    return {
      before,
      after: edit(before.trim() === '' ? '{\n}\n' : before),
      isThere: file.state === 'ok',
    };
  } catch (error) {
    throw new ExpectedError(cannotChange(path)(messageOf(error)));
  }
}

const cannotChange = (path: string) => (reason: Message | string) =>
  message('plugin.cannotChange', { path, reason });

/** Claude Code writes it too. */
function assertUntouched(path: string, before: string): void {
  const now = readSmallFile(path, MAX_BYTES);
  if ((now.state === 'ok' ? now.text : '') !== before)
    throw new ExpectedError(message('plugin.changedMeanwhile', { path }));
}
