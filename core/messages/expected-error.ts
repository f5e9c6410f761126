/**
 * Expected failures as errors with a message for people, and the message of any error: system error
 * codes are translated, everything else is a bug.
 */

import { logText, type Message, type MessageCode, message } from './message.ts';

/** A full disk, a file of a newer version, a typo on the command line. All other errors are bugs. */
export class ExpectedError extends Error {
  override name = 'ExpectedError';
  readonly reason: Message;

  constructor(said: Message) {
    super(logText(said));
    this.reason = said;
  }
}

export function isExpected(error: unknown): error is Error {
  return error instanceof ExpectedError || (error instanceof Error && 'errno' in error);
}

const SYSTEM_MESSAGES = new Map<string | undefined, MessageCode>([
  ['EROFS', 'system.readOnly'],
  ['EACCES', 'system.noPermission'],
  ['EPERM', 'system.noPermission'],
  ['EBUSY', 'system.inUse'],
  ['ENOSPC', 'system.diskFull'],
]);

/** For a system error it names the folder, because the file may be a temporary one. */
export function messageOf(error: unknown): Message {
  if (error instanceof ExpectedError) return error.reason;
  const { code, path, message: words } = error as NodeJS.ErrnoException;
  const known = SYSTEM_MESSAGES.get(code);
  if (known === undefined || path === undefined || code === undefined)
    return message('system.words', { words: error instanceof Error ? words : String(error) });
  return { code: known, values: { place: folderOf(path), code } };
}

/** Without `node:path`, because the window loads this file too. */
function folderOf(path: string): string {
  const end = path.search(/[/\\][^/\\]*$/);
  return end < 0 ? '.' : path.slice(0, end || 1);
}
