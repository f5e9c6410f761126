/**
 * Expected failures as errors with a message for people, and the message of any error: system error
 * codes are translated, everything else is a bug.
 */

import { type Message, type MessageCode, message } from './message.ts';

/**
 * Something that can happen to anybody (a full disk, a file of a newer version, a wrong word on the
 * command line) and whose message tells a person what is the matter. Every other error is a bug.
 */
export class ExpectedError extends Error {
  override name = 'ExpectedError';
  readonly said: Message;

  constructor(said: Message) {
    super(logText(said));
    this.said = said;
  }
}

export function isExpected(error: unknown): error is Error {
  return error instanceof ExpectedError || (error instanceof Error && 'errno' in error);
}

/** What the system says in codes. */
const SYSTEM_MESSAGES: ReadonlyMap<
  string | undefined,
  Extract<MessageCode, `system.${string}`>
> = new Map([
  ['EROFS', 'system.readOnly'],
  ['EACCES', 'system.noPermission'],
  ['EPERM', 'system.noPermission'],
  ['EBUSY', 'system.inUse'],
  ['ENOSPC', 'system.diskFull'],
]);

/** Of the system's errors, which name a temporary file, the folder and the reason. */
export function messageOf(error: unknown): Message {
  if (error instanceof ExpectedError) return error.said;
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

/** For logs, which nobody translates. */
export function logText(said: Message | string): string {
  if (typeof said === 'string') return said;
  const { code, values } = said;
  return values === undefined ? code : `${code} ${JSON.stringify(values)}`;
}
